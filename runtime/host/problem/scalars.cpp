#include "runtime/host/problem/scalars.hpp"

#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"

#include <climits>
#include <cmath>
#include <limits>
#include <optional>

namespace tla::host {
namespace {
using runtime::Algorithm;
using runtime::ScalarParameter;
using runtime::ScalarValue;

struct Enumerator {
  const char *type, *name;
  int value;
};
constexpr Enumerator enumerators[] = {
    {"Op", "NoTrans", static_cast<int>(Op::NoTrans)},     {"Op", "Trans", static_cast<int>(Op::Trans)},
    {"Op", "ConjTrans", static_cast<int>(Op::ConjTrans)}, {"Uplo", "Upper", static_cast<int>(Uplo::Upper)},
    {"Uplo", "Lower", static_cast<int>(Uplo::Lower)},     {"Diag", "NonUnit", static_cast<int>(Diag::NonUnit)},
    {"Diag", "Unit", static_cast<int>(Diag::Unit)},       {"Side", "Left", static_cast<int>(Side::Left)},
    {"Side", "Right", static_cast<int>(Side::Right)},
};

ScalarValue parseEnumerator(const std::string &type, const std::string &name, const std::string &text) {
  std::vector<std::string> known;
  for (const Enumerator &enumerator : enumerators)
    if (type == enumerator.type) {
      if (text == enumerator.name)
        return {enumerator.value, 0, 0};
      known.push_back(enumerator.name);
    }
  throw UsageError("--set " + name + "=" + text + ": " + name + " must be " + alternatives(known) +
                   suggestion(text, known));
}

bool isFinite(ElementType type, std::complex<double> value) {
  const bool single = type == ElementType::S || type == ElementType::C;
  const double largest = single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  return std::abs(value.real()) <= largest && std::abs(value.imag()) <= largest; // false for NaN
}

ScalarValue parseNumber(const Algorithm &algorithm, const std::string &type, const std::string &name,
                        const std::string &text) {
  const auto value = parseComplex(text);
  if (!value)
    throw UsageError("--set " + name + "=" + text + ": '" + text + "' is not a number");
  if (!isFinite(algorithm.type, *value))
    throw UsageError("--set " + name + "=" + text + ": " + name + " must be a finite " + typeName(algorithm.type));
  if (value->imag() != 0 && (type == "real" || !isComplexType(algorithm.type)))
    throw UsageError("--set " + name + "=" + text + ": " + name + " must be real");
  return {0, value->real(), value->imag()};
}

ScalarValue parseValue(const Algorithm &algorithm, const ScalarParameter &parameter, const std::string &text) {
  const std::string type = parameter.type, name = parameter.name;
  if (type == "T" || type == "real")
    return parseNumber(algorithm, type, name, text);
  if (type != "int")
    return parseEnumerator(type, name, std::string(trim(text)));
  const auto value = parseInteger(text);
  if (!value || *value < INT_MIN || *value > INT_MAX)
    throw UsageError("--set " + name + "=" + text + ": " + name + " must be an integer");
  if (parameter.candidateCount > 0 && *value < 1)
    throw UsageError("--set " + name + "=" + text + ": " + name + " must be positive");
  return {*value, 0, 0};
}

[[noreturn]] void failUnknown(const Algorithm &algorithm, const std::string &name) {
  std::vector<std::string> known;
  for (int s = 0; s < algorithm.scalarCount; ++s)
    known.push_back(algorithm.scalars[s].name);
  const std::string text = std::string(algorithm.name) + " has no scalar parameter '" + name + "'";
  throw UsageError("--set: " + text + (known.empty() ? "" : "; it has " + alternatives(known)) +
                   suggestion(name, known));
}
} // namespace

ScalarValue constantScalar(const std::string &text) {
  for (const Enumerator &enumerator : enumerators)
    if (text == enumerator.name)
      return {enumerator.value, 0, 0};
  const std::complex<double> value = parseComplex(text).value_or(0.0);
  return {0, value.real(), value.imag()};
}

int findScalar(const Algorithm &algorithm, const std::string &name) {
  for (int s = 0; s < algorithm.scalarCount; ++s)
    if (name == algorithm.scalars[s].name)
      return s;
  return -1;
}

std::vector<ScalarValue> resolveScalars(const Algorithm &algorithm, const std::vector<Assignment> &given) {
  std::vector<std::optional<ScalarValue>> values(static_cast<std::size_t>(algorithm.scalarCount));
  for (const Assignment &assignment : given) {
    const int index = findScalar(algorithm, assignment.name);
    if (index < 0)
      failUnknown(algorithm, assignment.name);
    values[index] = parseValue(algorithm, algorithm.scalars[index], assignment.value);
  }
  std::vector<ScalarValue> resolved;
  for (int s = 0; s < algorithm.scalarCount; ++s) {
    const ScalarParameter &parameter = algorithm.scalars[s];
    if (!values[s] && !parameter.hasDefault && parameter.candidateCount > 0)
      values[s] = ScalarValue{parameter.candidates[0], 0, 0};
    if (!values[s] && !parameter.hasDefault)
      throw UsageError(std::string(algorithm.name) + " needs a value for " + parameter.name + ": --set " +
                       parameter.name + "=VALUE (" + parameter.type + ")");
    resolved.push_back(values[s] ? *values[s] : parameter.defaultValue);
  }
  return resolved;
}

std::vector<std::pair<std::string, long>> tunedScalars(const runtime::Algorithm &algorithm,
                                                       const std::vector<runtime::ScalarValue> &scalars) {
  std::vector<std::pair<std::string, long>> tuned;
  for (int s = 0; s < algorithm.scalarCount; ++s)
    if (algorithm.scalars[s].candidateCount > 0)
      tuned.emplace_back(algorithm.scalars[s].name, scalars[s].integer);
  return tuned;
}

} // namespace tla::host
