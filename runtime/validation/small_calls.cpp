#include "runtime/validation/small_calls.hpp"

#include "runtime/validation/random.hpp"

#include <tla/types.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <string_view>

namespace tla::runtime {
namespace {

using validation::Random;

using Enumerators = std::vector<std::pair<const char *, long>>;

/// Empty for what is no enumeration of tla's.
const Enumerators &enumeratorsOf(const char *type) {
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

constexpr int mostTiles = 6;
constexpr std::array<long Values::*, 3> sizeMembers = {&Values::m, &Values::n, &Values::k};
constexpr std::string_view sizeNames = "mnk";

/// A number that depends on its arguments and nothing else.
unsigned scramble(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xbf58476d1ce4e5b9u + 1;
  x ^= x >> 29;
  x *= 0x94d049bb133111ebu;
  return static_cast<unsigned>(x >> 33);
}

bool uses(const Algorithm &algorithm, int size) {
  return std::string_view(algorithm.sizes).find(sizeNames[static_cast<std::size_t>(size)]) != std::string_view::npos;
}

/// Elements that take so many tiles, the last one full or not.
long elements(int tiles, long nb, bool ragged, unsigned salt) {
  if (tiles == 0 || !ragged || nb == 1)
    return tiles * nb;
  return (tiles - 1) * nb + 1 + scramble(salt, static_cast<unsigned>(tiles)) % (nb - 1);
}

/// Slices of two columns, and a last one of three.
Cut cutOf(const Algorithm &algorithm) { return algorithm.slices() > 1 ? Cut{algorithm.slices(), 2} : Cut{}; }
long tileSizeOf(const Algorithm &algorithm) { return algorithm.slices() > 1 ? 2 * (algorithm.slices() - 1) + 3 : 4; }

struct Sizes {
  std::array<int, 3> tiles;
  bool ragged;
};

/// All combinations for the sizes that the algorithm has, smaller ones first.
std::vector<Sizes> combinations(const Algorithm &algorithm, int period) {
  std::vector<Sizes> result;
  const auto most = [&](int size) { return uses(algorithm, size) ? mostTiles : 0; };
  for (int m = 0; m <= most(0); ++m)
    for (int n = 0; n <= most(1); ++n)
      for (int k = 0; k <= most(2); ++k)
        for (const bool ragged : {true, false})
          result.push_back({{m, n, k}, ragged});
  std::ranges::stable_sort(result, {}, [](const Sizes &sizes) { return std::ranges::max(sizes.tiles); });
  const int round = std::clamp(period, 2, mostTilesOfCalls / 2);
  for (const std::array<int, 3> &tiles :
       {std::array{round + 1, round + 1, round + 1}, {2 * round + 1, round, 3}, {2, 2 * round + 1, round + 1}})
    result.push_back({{most(0) ? tiles[0] : 0, most(1) ? tiles[1] : 0, most(2) ? tiles[2] : 0}, true});
  return result;
}

std::vector<ScalarValue> choicesOf(const ScalarParameter &scalar) {
  const std::string_view type = scalar.type;
  std::vector<ScalarValue> choices;
  const auto integers = [&](std::initializer_list<long> values) {
    for (const long value : values)
      choices.push_back({value, 0, 0});
  };
  if (scalar.hasDefault)
    choices.push_back(scalar.defaultValue);
  for (int c = 0; c < scalar.candidateCount; ++c)
    integers({scalar.candidates[c]});
  const Enumerators &members = enumeratorsOf(scalar.type);
  for (const auto &[name, value] : members)
    integers({value});
  if (type == "int")
    integers({1, 2, 3, 8});
  else if (members.empty())
    for (const double value : {0.5, 0.0, 1.0})
      choices.push_back({0, value, 0});
  return choices;
}

bool same(const ScalarValue &a, const ScalarValue &b) {
  return a.integer == b.integer && a.real == b.real && a.imag == b.imag;
}

/// The usual choice first; then all that differ from it, in every combination as far as these are few, else one at a
/// time.
std::vector<std::vector<ScalarValue>> scalarChoices(const Algorithm &algorithm) {
  constexpr std::size_t few = 64;
  std::vector<std::vector<ScalarValue>> choices(1);
  for (int s = 0; s < algorithm.scalarCount; ++s)
    choices.front().push_back(choicesOf(algorithm.scalars[s]).front());
  for (int s = 0; s < algorithm.scalarCount; ++s) {
    const std::size_t known = choices.size();
    for (const ScalarValue &value : choicesOf(algorithm.scalars[s])) {
      if (same(value, choices.front()[s]))
        continue;
      for (std::size_t base = 0; base < known && (base == 0 || choices.size() < few); ++base) {
        std::vector<ScalarValue> next = choices[base];
        next[s] = value;
        choices.push_back(std::move(next));
      }
    }
  }
  return choices;
}

bool isComplexType(ElementType type) { return type == ElementType::C || type == ElementType::Z; }

/// A value for a parameter: often its default, else small and odd values; an int that only changes the speed is at
/// least 1.
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
long sizeOf(int number, long nb, Random &random) {
  switch (number) {
  case 0:
  case 1:
    return number;
  case 2:
  case 3:
    return (number - 1) * nb;
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

std::vector<SmallCall> smallCalls(const Algorithm &algorithm, int period) {
  const std::vector<Sizes> sizes = combinations(algorithm, period);
  const std::vector<std::vector<ScalarValue>> choices = scalarChoices(algorithm);
  const long nb = tileSizeOf(algorithm);
  std::vector<SmallCall> calls;
  for (std::size_t c = 0; c < choices.size(); ++c)
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (c > 0 && scramble(c, i) % std::min<std::size_t>(choices.size(), 16) != 0)
        continue;
      SmallCall call{{}, nb, cutOf(algorithm), choices[c]};
      for (std::size_t s = 0; s < 3; ++s)
        call.values.*sizeMembers[s] =
            elements(sizes[i].tiles[s], nb, sizes[i].ragged, static_cast<unsigned>(s + 3 * i));
      calls.push_back(std::move(call));
    }
  return calls;
}

SmallCall randomCall(const Algorithm &algorithm, int number) {
  Random random(static_cast<std::uint64_t>(number) + 1);
  const int slices = std::max(algorithm.slices(), 1);
  SmallCall call;
  call.nb = slices + random.between(0, 7);
  call.cut = {slices, slices == 1 ? 0 : static_cast<int>(random.between(1, (call.nb - 1) / (slices - 1)))};
  for (const auto size : sizeMembers)
    call.values.*size = sizeOf(number, call.nb, random);
  for (int s = 0; s < algorithm.scalarCount; ++s)
    call.scalars.push_back(valueOf(algorithm.scalars[s], algorithm.type, random));
  call.seed = random.next();
  if (algorithm.asksPeriod)
    call.values.period = {static_cast<int>(random.between(1, 3)), static_cast<int>(random.between(1, 3))};
  if (algorithm.asksTiles)
    call.sparse = random.between(0, 3) > 0;
  return call;
}

std::string describe(const Algorithm &algorithm, const SmallCall &call) {
  std::string text;
  for (int s = 0; s < 3; ++s)
    if (uses(algorithm, s))
      text += std::string(1, sizeNames[static_cast<std::size_t>(s)]) + " = " +
              std::to_string(call.values.*sizeMembers[static_cast<std::size_t>(s)]) + ", ";
  if (algorithm.asksPeriod)
    text +=
        "period " + std::to_string(call.values.period.rows) + " x " + std::to_string(call.values.period.columns) + ", ";
  if (call.sparse)
    text += "not all tiles, ";
  text += "nb = " + std::to_string(call.nb);
  for (int d = 0; d + 1 < call.cut.slices; ++d)
    text += (d ? ", " : " in slices of ") + std::to_string(call.cut.width);
  if (call.cut.slices > 1)
    text += ", " + std::to_string(call.nb - (call.cut.slices - 1) * call.cut.width);
  for (int s = 0; s < algorithm.scalarCount; ++s)
    text += std::string(", ") + algorithm.scalars[s].name + " = " + textOf(call.scalars[s], algorithm.scalars[s]);
  return text;
}

/// Whether a sparse call has the tile: two thirds of the tiles at random, or two parts of the matrix that have nothing
/// to do with each other, which elimination does not fill in.
static bool isPresent(std::uint64_t seed, int i, int j) {
  if (seed % 2 == 0)
    return i % 2 == j % 2;
  return i == j || scramble(seed + static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j)) % 3 != 0;
}

std::optional<StorageRef> makeStorage(const MatrixParameter &matrix, const SmallCall &call, std::size_t elementBytes,
                                      Cut cut) {
  const WorkspaceShape *const workspace = matrix.workspace;
  Values values = call.values;
  values.scalars = call.scalars.data();
  const long rows = workspace ? workspace->rows(values, call.nb) : matrix.rows(values),
             cols = workspace ? workspace->cols(values, call.nb) : matrix.cols(values),
             tileRows = workspace ? workspace->tileRows(values, call.nb) : call.nb,
             tileCols = workspace ? workspace->tileCols(values, call.nb) : call.nb;
  constexpr long most = 1 << 20;
  const auto isSize = [](long size) { return size >= 0 && size < most; };
  if (!isSize(rows) || !isSize(cols) || !isSize(tileRows) || !isSize(tileCols) || tileRows == 0 || tileCols == 0)
    return std::nullopt;
  StorageRef storage(new Storage(static_cast<int>(rows), static_cast<int>(cols), static_cast<int>(tileRows),
                                 static_cast<int>(tileCols), elementBytes, matrix.shape, cut));
  storage->setPeriod(values.period);
  if (call.sparse && !workspace && scramble(call.seed, static_cast<unsigned char>(matrix.name[0])) % 3 != 0)
    storage->setPattern([&](int i, int j) { return isPresent(call.seed, i, j); });
  return storage;
}

SmallMatrices::SmallMatrices(const Algorithm &algorithm, const SmallCall &call) : scalars_(call.scalars.data()) {
  constexpr std::size_t elementBytes = sizeof(double); // nobody looks at elements
  for (int i = 0; i < algorithm.matrixCount && exist_; ++i) {
    const MatrixParameter &matrix = algorithm.matrices[i];
    const auto storage = makeStorage(matrix, call, elementBytes, matrix.cut ? call.cut : Cut());
    exist_ = storage.has_value();
    if (exist_) {
      storages_.push_back(*storage);
      pointers_.push_back(&**storage);
    }
  }
}

} // namespace tla::runtime
