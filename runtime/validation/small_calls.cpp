#include "runtime/validation/small_calls.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace tla::runtime {
namespace {

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
Cut cutOf(const Algorithm &algorithm) { return algorithm.slices > 1 ? Cut{algorithm.slices, 2} : Cut{}; }
long tileSizeOf(const Algorithm &algorithm) { return algorithm.slices > 1 ? 2 * (algorithm.slices - 1) + 3 : 4; }

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
  const int round = std::clamp(period, 2, 16);
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
  if (type == "Op")
    integers({111, 112, 113});
  else if (type == "Uplo")
    integers({121, 122});
  else if (type == "Diag")
    integers({131, 132});
  else if (type == "Side")
    integers({141, 142});
  else if (type == "int")
    integers({1, 2, 3});
  else
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

std::string describe(const Algorithm &algorithm, const SmallCall &call) {
  std::string text;
  const auto add = [&](const std::string &name, const std::string &value) {
    text += (text.empty() ? "" : ", ") + name + " = " + value;
  };
  for (int s = 0; s < 3; ++s)
    if (uses(algorithm, s))
      add(std::string(1, sizeNames[static_cast<std::size_t>(s)]),
          std::to_string(call.values.*sizeMembers[static_cast<std::size_t>(s)]));
  add("nb", std::to_string(call.nb));
  if (call.cut.slices > 1)
    add("slice", std::to_string(call.cut.width));
  for (int s = 0; s < algorithm.scalarCount; ++s) {
    const std::string_view type = algorithm.scalars[s].type;
    const bool real = type == "T" || type == "real";
    add(algorithm.scalars[s].name,
        real ? std::to_string(call.scalars[s].real) : std::to_string(call.scalars[s].integer));
  }
  return text;
}

SmallMatrices::SmallMatrices(const Algorithm &algorithm, const SmallCall &call) : scalars_(call.scalars.data()) {
  Values values = call.values;
  values.scalars = scalars_;
  for (int i = 0; i < algorithm.matrixCount && exist_; ++i)
    add(algorithm.matrices[i], values, call);
}

void SmallMatrices::add(const MatrixParameter &matrix, const Values &values, const SmallCall &call) {
  const WorkspaceShape *const workspace = matrix.workspace;
  const long rows = workspace ? workspace->rows(values, call.nb) : matrix.rows(values),
             cols = workspace ? workspace->cols(values, call.nb) : matrix.cols(values),
             tileRows = workspace ? workspace->tileRows(values, call.nb) : call.nb,
             tileCols = workspace ? workspace->tileCols(values, call.nb) : call.nb;
  constexpr long most = 1 << 20;
  for (const long size : {rows, cols, tileRows, tileCols})
    exist_ = exist_ && size >= 0 && size < most;
  exist_ = exist_ && tileRows > 0 && tileCols > 0;
  if (!exist_)
    return;
  constexpr std::size_t elementBytes = sizeof(double); // nobody looks at elements
  storages_.emplace_back(new Storage(static_cast<int>(rows), static_cast<int>(cols), static_cast<int>(tileRows),
                                     static_cast<int>(tileCols), elementBytes, matrix.shape,
                                     matrix.cut ? call.cut : Cut{}));
  pointers_.push_back(&*storages_.back());
}

} // namespace tla::runtime
