// Expressions on values: the meaning of the language.
#pragma once

#include "kernels/tuning/space.hpp"

namespace hetc::tuning {

/// Thrown by evaluate(): overflow or division by zero, at the operator or its operands.
struct EvaluationError {
  unsigned offset = 0;
  std::string message;
};

/// The value of an expression over the symbols' values.
std::int64_t evaluate(const Expr &expr, const std::vector<std::int64_t> &values);

} // namespace hetc::tuning
