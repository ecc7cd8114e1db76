#include "runtime/host/problem/scalars.hpp"

#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/base/element_type.hpp"

#include "runtime/interfaces/scalars.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace tla::host {
namespace {
using runtime::Algorithm;
using runtime::ScalarParameter;
using runtime::ScalarValue;

using runtime::Enumerator;

constexpr Enumerator allEnumerators[] = {
    {"Op", "NoTrans", static_cast<int>(Op::NoTrans)},     {"Op", "Trans", static_cast<int>(Op::Trans)},
    {"Op", "ConjTrans", static_cast<int>(Op::ConjTrans)}, {"Uplo", "Upper", static_cast<int>(Uplo::Upper)},
    {"Uplo", "Lower", static_cast<int>(Uplo::Lower)},     {"Diag", "NonUnit", static_cast<int>(Diag::NonUnit)},
    {"Diag", "Unit", static_cast<int>(Diag::Unit)},       {"Side", "Left", static_cast<int>(Side::Left)},
    {"Side", "Right", static_cast<int>(Side::Right)},
};

std::vector<std::string> membersOf(const std::string &type) {
  std::vector<std::string> names;
  for (const Enumerator &enumerator : allEnumerators)
    if (type == enumerator.type)
      names.push_back(enumerator.name);
  return names;
}

bool isNumber(const ScalarParameter &parameter) {
  const std::string type = parameter.type;
  return type == "T" || type == "real";
}

bool isFinite(ElementType type, std::complex<double> value) {
  const bool single = type == ElementType::S || type == ElementType::C;
  const double largest = single ? std::numeric_limits<float>::max() : std::numeric_limits<double>::max();
  return std::abs(value.real()) <= largest && std::abs(value.imag()) <= largest; // false for NaN
}

std::string unmetByNumber(const Algorithm &algorithm, const std::string &type, std::complex<double> value) {
  if (!isFinite(algorithm.type, value))
    return std::string("a finite ") + typeName(algorithm.type);
  return value.imag() != 0 && (type == "real" || !isComplexType(algorithm.type)) ? "real" : "";
}

std::string unmetByInteger(const ScalarParameter &parameter, long value) {
  if (value < INT_MIN || value > INT_MAX)
    return "between " + std::to_string(INT_MIN) + " and " + std::to_string(INT_MAX);
  return parameter.candidateCount > 0 && value < 1 ? "positive" : "";
}

std::string textOf(const ScalarParameter &parameter, const ScalarValue &value) {
  return isNumber(parameter) ? formatNumber(std::complex<double>(value.real, value.imag))
                             : std::to_string(value.integer);
}

ScalarValue parseEnumerator(const std::string &type, const std::string &name, const std::string &text) {
  for (const Enumerator &enumerator : allEnumerators)
    if (type == enumerator.type && text == enumerator.name)
      return {enumerator.value, 0, 0};
  const std::vector<std::string> known = membersOf(type);
  throw UsageError("--set " + name + "=" + text + ": " + name + " must be " + alternatives(known) +
                   suggestion(text, known));
}

ScalarValue parseNumber(const std::string &name, const std::string &text) {
  const auto value = parseComplex(text);
  if (!value)
    throw UsageError("--set " + name + "=" + text + ": '" + text + "' is not a number");
  return {0, value->real(), value->imag()};
}

ScalarValue parseInt(const std::string &name, const std::string &text) {
  const auto value = parseInteger(text);
  if (!value)
    throw UsageError("--set " + name + "=" + text + ": " + name + " must be an integer");
  return {*value, 0, 0};
}

ScalarValue parseValue(const Algorithm &algorithm, const ScalarParameter &parameter, const std::string &text) {
  const std::string type = parameter.type, name = parameter.name;
  const ScalarValue value = isNumber(parameter) ? parseNumber(name, text)
                            : type == "int"     ? parseInt(name, text)
                                                : parseEnumerator(type, name, std::string(trim(text)));
  const std::string rule = runtime::unmetRule(algorithm, parameter, value);
  if (!rule.empty())
    throw UsageError("--set " + name + "=" + text + ": " + name + " must be " + rule);
  return value;
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
  for (const Enumerator &enumerator : allEnumerators)
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

namespace tla::runtime {

std::span<const Enumerator> enumerators() { return host::allEnumerators; }

std::string unmetRule(const Algorithm &algorithm, const ScalarParameter &parameter, const ScalarValue &value) {
  if (host::isNumber(parameter))
    return host::unmetByNumber(algorithm, parameter.type, {value.real, value.imag});
  const std::vector<std::string> members = host::membersOf(parameter.type);
  if (members.empty())
    return host::unmetByInteger(parameter, value.integer);
  const bool isMember = std::ranges::any_of(host::allEnumerators, [&](const Enumerator &enumerator) {
    return std::string_view(parameter.type) == enumerator.type && value.integer == enumerator.value;
  });
  return isMember ? "" : alternatives(members);
}

void requireScalars(const Algorithm &algorithm, const ScalarValue *scalars) {
  for (int s = 0; s < algorithm.scalarCount; ++s) {
    const ScalarParameter &parameter = algorithm.scalars[s];
    const std::string rule = unmetRule(algorithm, parameter, scalars[s]);
    if (!rule.empty())
      throw UsageError(std::string(algorithm.name) + ": " + parameter.name + " is " +
                       host::textOf(parameter, scalars[s]) + ", it must be " + rule);
  }
}

} // namespace tla::runtime
