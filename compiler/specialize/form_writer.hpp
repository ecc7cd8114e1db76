// Forms as expressions of the program.
#pragma once

#include "compiler/ir/sum.hpp"
#include "compiler/specialize/constraints.hpp"

#include <string>

namespace hetc::specialize {

/// form mod modulus == 0.
struct Remainder {
  Form form;
  std::int64_t modulus;
};

/// The loop's variable is residue mod modulus.
struct Stride {
  Form residue;
  std::int64_t modulus = 1;
};

/// The least and the greatest value that a parameter may have; nullopt: not known.
struct Interval {
  std::optional<std::int64_t> least, greatest;
};

/// Forms as expressions. Remembers which names hold no negative values, as division and remainder are simple then.
class FormWriter {
public:
  FormWriter(std::vector<ir::ExprRef> parameters, std::vector<Interval> intervals, std::vector<std::string> variables)
      : parameters_(std::move(parameters)), intervals_(std::move(intervals)), variables_(std::move(variables)),
        signs_(variables_.size()) {}

  void setDivisions(std::vector<Division> divisions) { divisions_ = std::move(divisions); }
  /// The variable is >= 0 for 1, <= 0 for -1.
  void setSign(int level, int sign) { signs_[level] = sign; }
  /// Whether some form could not be written so far: the program has no expression for a parameter, or a bound would
  /// take several cases.
  bool hasNoText() const { return hasNoText_; }

  bool isNonNegative(const Form &form) const;
  ir::ExprRef value(const Form &form) { return ir::toExpr(sum(form)); }
  ir::ExprRef isZero(const Form &form);
  ir::ExprRef isZero(const Remainder &remainder);
  ir::ExprRef isNotNegative(const Form &form) { return ir::toComparison(sum(form), /*isEquality=*/false); }
  /// floor(form / divisor).
  ir::ExprRef quotient(const Form &form, std::int64_t divisor);
  /// The least value of the stride that is >= form / divisor.
  ir::ExprRef ceiling(const Form &form, std::int64_t divisor, const Stride &stride);

private:
  ir::Sum sum(const Form &form);
  bool isBelow(const Form &form, std::int64_t limit) const;
  Form reduced(Form form, std::int64_t modulus) const;

  std::vector<ir::ExprRef> parameters_;
  std::vector<Interval> intervals_; ///< interval of each parameter
  std::vector<std::string> variables_;
  std::vector<int> signs_; ///< sign of each variable; 0: not known
  std::vector<Division> divisions_;
  bool hasNoText_ = false;
};

} // namespace hetc::specialize
