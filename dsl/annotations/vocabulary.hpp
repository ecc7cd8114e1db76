// The generators and checks that clauses may name: input(A : spd), check(llt(A)). The compiler tells names that nobody
// knows at their line; what they do, and what the arguments mean, is the host program's (runtime/host).
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace tla {

/// A generator of matrices, runtime/host/problem/generators/generators.hpp.
struct GeneratorName {
  std::string_view name;
  std::string_view parameters; ///< as help texts show them: "(range, smoothness, nugget)", or empty
  std::size_t maxArguments;    ///< the most arguments that it takes; all of them have defaults
  bool square;                 ///< whether only square matrices can be made
  bool hermitian;
};
inline constexpr std::array generatorNames = std::to_array<GeneratorName>({
    {"random", "(condition)", 1, false, false},
    {"spd", "(condition)", 1, true, true},
    {"hermitian", "(condition)", 1, true, true},
    {"dominant", "", 0, false, false},
    {"lower", "", 0, true, false},
    {"upper", "", 0, true, false},
    {"matern", "(range, smoothness, nugget)", 3, true, true},
    {"toeplitz", "(ratio)", 1, false, true},
    {"hilbert", "", 0, false, true},
    {"minij", "", 0, false, true},
    {"identity", "", 0, false, true},
    {"zero", "", 0, false, true},
});
/// The generators of matrices of integers.
inline constexpr std::array integerGeneratorNames = std::to_array<GeneratorName>({
    {"zero", "", 0, false, false},
    {"pivots", "", 0, false, false},
});

/// A check, runtime/host/check/check.hpp. Its signature has one letter per argument: M for a matrix of the algorithm's
/// type, I for one of integers, Q for a call of the algorithm that applies Q, F for one that computes a residual; and
/// for scalars, parameters or constants, t for a number, o for Op, s for Side, u for Uplo, d for Diag.
struct CheckName {
  std::string_view name, signature;
};
inline constexpr std::array checkNames = std::to_array<CheckName>({
    {"llt", "M"},       {"ldl", "M"},       {"lu", "M"},         {"plu", "MI"},       {"qr", "MQ"},
    {"solve", "MM"},    {"potrs", "MM"},    {"gemm", "ootMMtM"}, {"symm", "sutMMtM"}, {"hemm", "sutMMtM"},
    {"syrk", "uotMtM"}, {"herk", "uotMtM"}, {"trmm", "suodtMM"}, {"trsm", "suodtMM"}, {"lauum", "uM"},
    {"trtri", "udM"},   {"potri", "uM"},    {"inverse", "M"},    {"user", "F"},       {"least_squares", "oMM"},
});

/// The entry with this name; null if there is no such entry.
template <typename Names>
constexpr const typename Names::value_type *findName(const Names &names, std::string_view name) {
  for (const auto &known : names)
    if (known.name == name)
      return &known;
  return nullptr;
}
/// The names of all entries, for suggestions.
template <typename Names> std::vector<std::string> namesIn(const Names &names) {
  std::vector<std::string> result;
  for (const auto &known : names)
    result.emplace_back(known.name);
  return result;
}

/// "spd takes at most 1 argument (condition)"
inline std::string takesArguments(const GeneratorName &known) {
  const std::string name(known.name);
  if (known.maxArguments == 0)
    return name + " takes no arguments";
  return name + " takes at most " + std::to_string(known.maxArguments) +
         (known.maxArguments == 1 ? " argument " : " arguments ") + std::string(known.parameters);
}

/// Describes the argument that a letter of a signature stands for, for messages: "a matrix".
constexpr std::string_view checkArgumentText(char letter) {
  switch (letter) {
  case 'M':
    return "a matrix of the algorithm's element type";
  case 'I':
    return "a matrix of int";
  case 'Q':
    return "the call of an algorithm that applies Q";
  case 'F':
    return "the call of an algorithm that computes the residual";
  case 'o':
    return "a tla::Op";
  case 's':
    return "a tla::Side";
  case 'u':
    return "a tla::Uplo";
  case 'd':
    return "a tla::Diag";
  default:
    return "a number";
  }
}

} // namespace tla
