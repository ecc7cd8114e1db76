// What the scalar parameters of an algorithm take: one description for everyone who gives values, which are the command
// (--set), the C interface with Python above it, and C++ hosts.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <span>
#include <string>

namespace tla::runtime {

/// A member of an option's type, such as {"Op", "NoTrans", 111}. The numbers are CBLAS's.
struct Enumerator {
  const char *type, *name;
  int value;
};
std::span<const Enumerator> enumerators();

/// The condition that the value breaks: "real", "positive", "NoTrans, Trans or ConjTrans". Empty: the parameter takes
/// it. A value is never changed to make it fit:
///   int         within int; a parameter that a search may choose is positive, too
///   T, real     finite in the algorithm's precision; without an imaginary part where the type has none
///   an option   one of the type's members
std::string unmetRule(const Algorithm &algorithm, const ScalarParameter &parameter, const ScalarValue &value);

/// Throws UsageError for the first of the algorithm's scalars that its parameter does not take: "gemm: alpha is 1+2i,
/// it must be real".
void requireScalars(const Algorithm &algorithm, const ScalarValue *scalars);

} // namespace tla::runtime
