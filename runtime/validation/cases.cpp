#include "runtime/validation/cases.hpp"

#include <tla/types.hpp>

#include <algorithm>
#include <cstring>
#include <map>

namespace tla::runtime::validation {

namespace {

using Enumerators = std::vector<std::pair<const char *, long>>;

/// Empty for what is no enumeration of tla's.
const Enumerators &enumeratorsOf(const std::string &type) {
  static const std::map<std::string, Enumerators> all = {
      {"Op",
       {{"NoTrans", static_cast<long>(Op::NoTrans)},
        {"Trans", static_cast<long>(Op::Trans)},
        {"ConjTrans", static_cast<long>(Op::ConjTrans)}}},
      {"Uplo", {{"Lower", static_cast<long>(Uplo::Lower)}, {"Upper", static_cast<long>(Uplo::Upper)}}},
      {"Diag", {{"NonUnit", static_cast<long>(Diag::NonUnit)}, {"Unit", static_cast<long>(Diag::Unit)}}},
      {"Side", {{"Left", static_cast<long>(Side::Left)}, {"Right", static_cast<long>(Side::Right)}}}};
  static const Enumerators none;
  const auto found = all.find(type);
  return found == all.end() ? none : found->second;
}

bool isComplexType(ElementType type) { return type == ElementType::C || type == ElementType::Z; }

/// Its default often, else small and odd values; an int that only changes the speed is at least 1.
ScalarValue valueOf(const ScalarParameter &parameter, ElementType type, Random &random) {
  if (const Enumerators &values = enumeratorsOf(parameter.type); !values.empty())
    return {values[random.between(0, static_cast<long>(values.size()) - 1)].second};
  if (parameter.hasDefault &&
      (random.between(0, 2) == 0 || (std::strcmp(parameter.type, "int") == 0 && parameter.candidateCount == 0)))
    return parameter.defaultValue;
  if (std::strcmp(parameter.type, "int") == 0) {
    const bool candidate = parameter.candidateCount > 0 && random.between(0, 3) == 0;
    return {candidate ? parameter.candidates[random.between(0, parameter.candidateCount - 1)] : random.between(1, 5)};
  }
  const long kind = random.between(0, 4);
  if (kind < 2)
    return {0, static_cast<double>(kind), 0};
  const bool imaginary = isComplexType(type) && std::strcmp(parameter.type, "T") == 0;
  return {0, 2 * random.number(), imaginary ? random.number() : 0};
}

/// 0 to 4 tiles, often just below or above a whole number of them.
long sizeOf(int number, int nb, Random &random) {
  switch (number) {
  case 0:
  case 1:
    return number;
  case 2:
  case 3:
    return static_cast<long>(number - 1) * nb;
  default:
    break;
  }
  const long tiles = random.between(0, 3), kind = random.between(0, 5);
  const long rest = kind == 0 ? 0 : kind == 1 ? 1 : kind == 2 ? nb - 1 : random.between(0, nb);
  return tiles * nb + rest;
}

std::string textOf(const ScalarValue &value, const ScalarParameter &parameter) {
  for (const auto &[name, number] : enumeratorsOf(parameter.type))
    if (number == value.integer)
      return name;
  if (std::strcmp(parameter.type, "int") == 0)
    return std::to_string(value.integer);
  return value.imag == 0 ? std::to_string(value.real)
                         : "(" + std::to_string(value.real) + "," + std::to_string(value.imag) + ")";
}

} // namespace

void makeCase(Case &result, const Algorithm &algorithm, int number) {
  Random random(static_cast<std::uint64_t>(number) + 1);
  const int slices = std::max(algorithm.slices, 1);
  result.nb = static_cast<int>(slices + random.between(0, 7));
  result.cut = {slices, slices == 1 ? 0 : static_cast<int>(random.between(1, (result.nb - 1) / (slices - 1)))};
  for (long *size : {&result.values.m, &result.values.n, &result.values.k})
    *size = sizeOf(number, result.nb, random);
  for (int s = 0; s < algorithm.scalarCount; ++s)
    result.scalars.push_back(valueOf(algorithm.scalars[s], algorithm.type, random));
  result.values.scalars = result.scalars.data();
  result.seed = random.next();
}

std::string describe(const Case &each, const Algorithm &algorithm) {
  std::string text;
  for (const auto &[symbol, size] :
       {std::pair('m', each.values.m), std::pair('n', each.values.n), std::pair('k', each.values.k)})
    if (std::strchr(algorithm.sizes, symbol))
      text += std::string(1, symbol) + " = " + std::to_string(size) + ", ";
  text += "nb = " + std::to_string(each.nb);
  for (int d = 0; d + 1 < each.cut.slices; ++d)
    text += (d ? ", " : " in slices of ") + std::to_string(each.cut.width);
  if (each.cut.slices > 1)
    text += ", " + std::to_string(each.nb - (each.cut.slices - 1) * each.cut.width);
  for (int s = 0; s < algorithm.scalarCount; ++s)
    text += std::string(", ") + algorithm.scalars[s].name + " = " + textOf(each.scalars[s], algorithm.scalars[s]);
  return text;
}

} // namespace tla::runtime::validation
