// Which node owns which tile. The one type that compiler and runtime share; it knows neither isl nor MPI.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tla {

/// A periodic table: tile (I, J), both >= 0, belongs to node table[I mod rows][J mod columns]. All static distributions
/// here are one. It applies to every matrix and workspace of a program alike, by tile indices. A value: copied,
/// compared, immutable.
///
/// A node has a number, 0 .. nodes - 1, its rank in a run, and two coordinates >= 0, which is what the compiler
/// computes with: affine functions of I and J where there are such. 2dbc: row and column of the grid. sbc: the two
/// residues, the smaller one first, or (e, e) for the node that owns the diagonal of residues 2e and 2e + 1. A table:
/// (node, 0).
class Distribution {
public:
  struct Coordinates {
    int x, y;
    bool operator==(const Coordinates &) const = default;
  };

  /// One node that owns all: "2dbc:1x1".
  Distribution();

  int nodes() const { return nodes_; }
  int node(int I, int J) const {
    const int column = slices_ == 1 ? J : J / slices_;
    return table_[I % rows_ * std::size_t(columns_) + column % columns_];
  }
  /// The period.
  int rows() const { return rows_; }
  int columns() const { return columns_ * slices_; }
  /// That of the slices of tiles which this one is for, each cut into so many (>= 1): slice (I, J) is where tile
  /// (I, J / slices) is. Under the same name.
  Distribution sliced(int slices) const;
  /// As parse() reads it, in its shortest form: "2dbc:2x3", "2dbc:2x3,v=4", "sbc:6", "file:grid.txt".
  const std::string &name() const { return name_; }

  Coordinates coordinates(int node) const { return coordinates_[node]; }
  /// The node with these coordinates, or -1. One look-up, as node().
  int nodeAt(Coordinates at) const {
    const bool inside = at.x >= 0 && at.y >= 0 && at.x < extent_.x && at.y < extent_.y;
    return inside ? byCoordinates_[at.x * std::size_t(extent_.y) + at.y] : -1;
  }
  /// The same table as an isl relation { [I, J] -> [x, y] : ... } over I, J >= 0, in isl's text form. The number of
  /// disjuncts does not grow with the number of nodes for 2dbc (1) and sbc (a few); for a table from a file it is rows
  /// * columns.
  const std::string &isl() const { return isl_; }
  int islDisjuncts() const { return islDisjuncts_; }

  bool operator==(const Distribution &other) const {
    return rows_ == other.rows_ && columns_ == other.columns_ && slices_ == other.slices_ && table_ == other.table_;
  }

  // Makers. Sizes are >= 1 and the period has at most maxPeriod tiles (asserted).

  static constexpr std::size_t maxPeriod = std::size_t(1) << 24;

  /// 2-D block cyclic: tile (I, J) on node (I / v mod P) * Q + J mod Q: ScaLAPACK's, row-major. `v` rows of tiles that
  /// stand together are [Song12] A.2's virtual tile.
  static Distribution blockCyclic(int P, int Q, int v = 1);
  /// Symmetric block cyclic (Beaumont, Duchon, Eyraud-Dubois, Langou & Verite, SC'22): for matrices of which one
  /// triangle is stored. With r(r - 1)/2 nodes (basic) a node has the two positions of an unordered pair of residues
  /// mod r, and the diagonal goes round the nodes of its row; with r^2/2 nodes, r even (extended), r/2 more nodes own
  /// the diagonal. node(I, J) = node(J, I). Nothing when the number of nodes is neither, or above maxSymmetricNodes.
  static std::optional<Distribution> symmetricBlockCyclic(int nodes);
  static constexpr int maxSymmetricNodes = 2016; ///< r = 64: the largest period within maxPeriod
  /// The nearest numbers of nodes that have one of the two forms: the largest <= nodes and the smallest >= nodes.
  static std::pair<int, int> symmetricSizes(int nodes);
  /// `table` row by row. Every node 0 .. max must occur (asserted).
  static Distribution table(int rows, int columns, std::vector<int> table, std::string name);

private:
  /// `coordinates` by node; `isl` has `disjuncts` disjuncts.
  Distribution(int rows, int columns, std::vector<int> table, std::vector<Coordinates> coordinates, std::string name,
               std::string isl, int disjuncts);
  static Distribution symmetricBasic(int residues);
  static Distribution symmetricExtended(int residues);

  int rows_ = 1, columns_ = 1, nodes_ = 1;
  int slices_ = 1; // columns that each column of the table stands for
  std::vector<int> table_;
  std::vector<Coordinates> coordinates_; // by node
  Coordinates extent_;                   // all coordinates are below
  std::vector<int> byCoordinates_;       // extent_.x * extent_.y nodes, row by row; -1: none
  std::string name_, isl_;
  int islDisjuncts_ = 1;
};

/// Reads "2dbc:PxQ", "2dbc:PxQ,v=V", "row:P" (= 2dbc:Px1), "col:Q" (= 2dbc:1xQ), "sbc:P", "file:PATH". A file has rows
/// of node numbers separated by blanks, all equally long; '#' begins a comment; at most maxFileEntries numbers. Nothing
/// on a mistake, with one line in `error` that says what is wrong, where (a file: line and column) and what would be
/// right
/// ("sbc has no form for 7 nodes; the nearest are 6 and 8").
inline constexpr int maxFileEntries = 1 << 16;
std::optional<Distribution> parseDistribution(const std::string &text, std::string &error);

/// All distributions worth trying for this many nodes: 2dbc of every factorization P x Q, and sbc where it exists and
/// `symmetric` says that only triangles are stored. The most square first, sbc before all; of PxQ and QxP the wide one.
std::vector<Distribution> candidateDistributions(int nodes, bool symmetric);

} // namespace tla
