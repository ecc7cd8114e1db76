// How generated code computes with integers: exactly. The IR's integers have no width, and those of C++ have: sizes,
// loop variables and scalars are ints there. Where the ranges of the operands do not show that an int holds a result,
// it is computed in long, and where not even that is shown to be enough, by functions that throw
// (tla/generated/integers.hpp). An int that something takes, as an index or an argument, is checked likewise.
#pragma once

#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/program.hpp"

#include <map>
#include <string>

namespace hetc::codegen {

/// The least and the greatest value that an expression may have; all of std::int64_t where nothing is known.
struct IntegerRange {
  std::int64_t least = INT64_MIN, greatest = INT64_MAX;
  bool holds(const IntegerRange &other) const { return least <= other.least && other.greatest <= greatest; }
};
inline constexpr IntegerRange intRange{INT32_MIN, INT32_MAX};

class Integers {
public:
  /// Knows the names of a program: its scalars, sizes and loop variables.
  explicit Integers(const ir::Program &program);
  /// Knows the names of a kernel's parameters, as its requirements have them.
  explicit Integers(const ir::Kernel &kernel);

  /// Makes a variable of generated code known, which is an int there.
  void bind(const std::string &name, IntegerRange range) { ranges_[name] = range; }
  /// Does the same for a variable that stands for an expression of the program, which messages show in its place.
  void bind(const std::string &name, IntegerRange range, const ir::ExprRef &written) {
    bind(name, range);
    written_[name] = written;
  }

  /// The range of an integer expression.
  IntegerRange rangeOf(const ir::ExprRef &expr) const { return convert(expr).range; }
  /// The exact value as C++ text of type int or long; of what is no integer, the text that ir::print() makes, with the
  /// integers in it computed exactly.
  std::string value(const ir::ExprRef &expr) const;
  /// The value as C++ text of type int. The text throws where the value does not fit; `what` names it in that message,
  /// as "f.tla:12"; without it, the expression alone does.
  std::string asInt(const ir::ExprRef &expr, const std::string &what = "") const;
  /// An argument for a parameter of that type, a C++ arithmetic type or "" for any other one.
  std::string asArgument(const ir::ExprRef &expr, const std::string &type, const std::string &what) const;
  /// An int as large, or as small, as can be where the value does not fit: for what only orders.
  std::string nearestInt(const ir::ExprRef &expr) const;
  /// Whether the variable of a loop, by its own step alone, remains an int.
  bool staysInt(const ir::Loop &loop) const;
  /// The loop's condition.
  std::string condition(const ir::Loop &loop) const;

private:
  struct Converted {
    ir::ExprRef expr;
    IntegerRange range;
    bool isInteger = true;
    bool isLong = false; ///< the type that C++ gives the text
  };
  Converted convert(const ir::ExprRef &expr) const;
  Converted convertVariable(const ir::ExprRef &expr) const;
  Converted convertExtent(const ir::ExprRef &expr) const;
  Converted convertUnary(const ir::ExprRef &expr) const;
  Converted convertBinary(const ir::ExprRef &expr) const;
  Converted convertCast(const ir::ExprRef &expr) const;
  /// The expression as its author wrote it, as a C++ string literal for messages.
  std::string shown(const ir::ExprRef &expr) const;
  IntegerRange bodyRange(const ir::Loop &loop, int direction) const;
  void bindLoops(const ir::Block &block, const std::map<const ir::Loop *, ir::LoopEnd> &ends);

  std::map<std::string, IntegerRange> ranges_;
  std::map<std::string, ir::ExprRef> written_;
  std::map<std::string, bool> notInteger_; ///< names of other types
};

} // namespace hetc::codegen
