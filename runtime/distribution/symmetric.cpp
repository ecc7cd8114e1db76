// Symmetric block cyclic distributions: Beaumont, Duchon, Eyraud-Dubois, Langou & Verite, "Symmetric block-cyclic
// distribution: fewer communications leads to faster dense Cholesky factorization", SC'22.
#include "runtime/distribution/distribution.hpp"

#include <algorithm>
#include <cassert>

namespace tla {

namespace {
int pairs(int residues) { return residues * (residues - 1) / 2; }

/// The node of the residues {a, b}, a != b, in any order: pairs are numbered by the larger one, then the smaller one.
int pairNode(int a, int b) { return pairs(std::max(a, b)) + std::min(a, b); }

/// The number of residues with sizeOf(residues) = nodes, or 0.
template <typename Size> int residuesFor(int nodes, int step, Size sizeOf) {
  int residues = 2;
  while (sizeOf(residues) < nodes)
    residues += step;
  return sizeOf(residues) == nodes ? residues : 0;
}
int basicResidues(int nodes) { return residuesFor(nodes, 1, pairs); }
int extendedResidues(int nodes) {
  return residuesFor(nodes, 2, [](int residues) { return residues * residues / 2; });
}

/// The node, among its two, of a diagonal position d of the pattern in the copy (u, v) of the pattern: {d, d + shift
/// mod r}. It is symmetric in u and v, and even: along the diagonal of a matrix, and over the copies of its stored
/// triangle, each pair has the same number of diagonal positions. With r even all shifts 1 .. r - 1 do that, u + v
/// taking them all where u = v because r - 1 is odd; with r odd the shifts 1 .. (r - 1)/2 name each pair once already.
int diagonalShift(int residues, int u, int v) {
  return 1 + (residues % 2 == 0 ? (u + v) % (residues - 1) : (u + v) / 2 % ((residues - 1) / 2));
}

/// diagonalShift() - 1 of tile (I, J), in isl's text form.
std::string diagonalShiftText(int residues) {
  const std::string r = std::to_string(residues), copies = "floor(I/" + r + ") + floor(J/" + r + ")";
  if (residues % 2 == 0)
    return "(" + copies + ") mod " + std::to_string(residues - 1);
  return "floor((" + copies + ")/2) mod " + std::to_string((residues - 1) / 2);
}

/// The positions off the diagonal: the residues in either order. Two disjuncts.
std::string offDiagonalText(const std::string &r) {
  return "(x = I mod " + r + " and y = J mod " + r + " and x < y) or (y = I mod " + r + " and x = J mod " + r +
         " and x < y)";
}

std::vector<Distribution::Coordinates> pairCoordinates(int residues) {
  std::vector<Distribution::Coordinates> coordinates;
  for (int b = 1; b < residues; ++b)
    for (int a = 0; a < b; ++a)
      coordinates.push_back({a, b});
  return coordinates;
}

/// A square table of `period` rows.
template <typename Node> std::vector<int> squareTable(int period, Node node) {
  std::vector<int> table;
  table.reserve(std::size_t(period) * period);
  for (int I = 0; I < period; ++I)
    for (int J = 0; J < period; ++J)
      table.push_back(node(I, J));
  return table;
}
} // namespace

Distribution Distribution::symmetricBasic(int residues) {
  const int r = residues, period = r * (r - 1);
  std::vector<int> table = squareTable(period, [r](int I, int J) {
    const int a = I % r, b = J % r;
    return pairNode(a, a == b ? (a + diagonalShift(r, I / r, J / r)) % r : b);
  });

  const std::string R = std::to_string(r), shift = diagonalShiftText(r);
  const std::string diagonal = "I mod " + R + " = J mod " + R + " and x < y and x >= 0 and y < " + R;
  const std::string name = "sbc:" + std::to_string(pairs(r));
  Distribution result(allOf(period), allOf(period), std::move(table), pairCoordinates(r), name,
                      "{ [I, J] -> [x, y] : I >= 0 and J >= 0 and (" + offDiagonalText(R) + " or (" + diagonal +
                          " and x = I mod " + R + " and y - x - 1 = " + shift + ") or (" + diagonal +
                          " and y = I mod " + R + " and x + " + R + " - y - 1 = " + shift + ")) }",
                      4);
  result.setParts(residuesAndSums(r, name));
  return result;
}

/// By I mod r and (I + J) mod r(r - 1), which decide the residues and, with them, in which copies (u, v) of the pattern
/// the tile may be, u + v mod r - 1, and so the shift: two congruences, where residues and shifts are several cases.
Distribution Distribution::residuesAndSums(int residues, std::string name) {
  const int r = residues, period = r * (r - 1);
  std::vector<Coordinates> coordinates;
  for (int x = 0; x < r; ++x)
    for (int y = 0; y < period; ++y)
      coordinates.push_back({x, y});
  std::vector<int> table = squareTable(period, [&](int I, int J) { return I % r * period + (I + J) % period; });
  return Distribution(allOf(period), allOf(period), std::move(table), std::move(coordinates), std::move(name),
                      "{ [I, J] -> [x, y] : I >= 0 and J >= 0 and x = I mod " + std::to_string(r) +
                          " and y = (I + J) mod " + std::to_string(period) + " }",
                      1);
}

Distribution Distribution::symmetricExtended(int residues) {
  const int r = residues;
  std::vector<int> table = squareTable(r, [r](int I, int J) { return I == J ? pairs(r) + I / 2 : pairNode(I, J); });
  std::vector<Coordinates> coordinates = pairCoordinates(r);
  for (int e = 0; e < r / 2; ++e)
    coordinates.push_back({e, e});

  const std::string R = std::to_string(r);
  const std::string name = "sbc:" + std::to_string(r * r / 2);
  Distribution result(allOf(r), allOf(r), std::move(table), std::move(coordinates), name,
                      "{ [I, J] -> [x, y] : I >= 0 and J >= 0 and (" + offDiagonalText(R) + " or (I mod " + R +
                          " = J mod " + R + " and x = floor((I mod " + R + ")/2) and y = x)) }",
                      3);
  result.setParts(blockCyclic(r, r));
  return result;
}

std::optional<Distribution> Distribution::symmetricBlockCyclic(int nodes) {
  assert(nodes >= 1);
  if (nodes > maxSymmetricNodes)
    return std::nullopt;
  if (const int residues = basicResidues(nodes))
    return symmetricBasic(residues);
  if (const int residues = extendedResidues(nodes))
    return symmetricExtended(residues);
  return std::nullopt;
}

std::pair<int, int> Distribution::symmetricSizes(int nodes) {
  const auto has = [](int count) { return basicResidues(count) || extendedResidues(count); };
  int below = nodes, above = nodes;
  while (!has(below))
    --below;
  while (!has(above))
    ++above;
  return {below, above};
}

} // namespace tla
