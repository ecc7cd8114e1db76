// A convex set as rows of integers, to make expressions of.
#pragma once

#include <isl/cpp.h>

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace hetc::specialize {

/// A sum: factors of parameters, dimensions and divisions, and a constant.
struct Form {
  std::vector<std::int64_t> parameters, dimensions, divisions;
  std::int64_t constant = 0;
  auto operator<=>(const Form &) const = default;
};
Form operator-(const Form &a, const Form &b);
Form operator*(std::int64_t factor, Form form);

/// floor(numerator / denominator), of divisions that come before it.
struct Division {
  Form numerator;
  std::int64_t denominator = 1;
};

struct Constraints {
  std::vector<Division> divisions;
  std::vector<Form> equalities;   ///< == 0
  std::vector<Form> inequalities; ///< >= 0, less those that say what a division is

  /// The last dimension that the form depends on, also by way of divisions; -1: none.
  int levelOf(const Form &form) const;
  /// The last dimension that the form's divisions depend on; -1: it has none, or they depend on parameters alone.
  int levelOfDivisions(const Form &form) const;
};

/// The constraints of a set, divisions as forms of their own; nullopt where isl does not know what one of them is.
std::optional<Constraints> constraintsOf(const isl::basic_set &set);

} // namespace hetc::specialize
