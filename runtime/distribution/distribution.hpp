// Which node owns which tile. The one type that compiler and runtime share; it knows neither isl nor MPI.
#pragma once

#include <tla/storage.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tla {

/// How many rows and columns of tiles a matrix has.
struct TileCounts {
  int rows, columns;
};

/// A periodic table: tile (I, J), both >= 0, belongs to node table[I mod rows][J mod columns], rows and columns that
/// are equal being stored once. All static distributions here are one. It applies to every matrix and workspace of a
/// program alike, by tile indices. A value: copied, compared, immutable.
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
    return table_[tableRow_[I % rows_] * std::size_t(tableColumns_) + tableColumn_[column % columns_]];
  }
  /// The period.
  int rows() const { return rows_; }
  int columns() const { return columns_ * slices_; }
  /// The period in tiles, whatever slices() there are.
  Period period() const { return {rows_, columns_}; }
  /// How many columns of tiles a period has that are not equal: Q of 2dbc, whose nodes have one in Q of them.
  int distinctColumns() const { return tableColumns_; }
  /// The distribution of slices that corresponds to this one of tiles, each cut into so many (>= 1): slice (I, J) is
  /// where tile (I, J / slices) is. It has the same name.
  Distribution sliced(int slices) const;
  /// As parse() reads it, in its shortest form: "2dbc:2x3", "2dbc:2x3,v=4", "2dbc:2x3,reflected=1:4", "sbc:6",
  /// "file:grid.txt".
  const std::string &name() const { return name_; }

  Coordinates coordinates(int node) const { return coordinates_[node]; }
  /// The node with these coordinates, or -1. One look-up, as node().
  int nodeAt(Coordinates at) const {
    const bool inside = at.x >= 0 && at.y >= 0 && at.x < extent_.x && at.y < extent_.y;
    return inside ? byCoordinates_[at.x * std::size_t(extent_.y) + at.y] : -1;
  }
  /// The distribution as an isl relation { [I, J] -> [x, y] : ... } over I, J >= 0, in isl's text form. The number of
  /// disjuncts does not grow with the number of nodes for 2dbc (1; where it is reflected twice as many for more than
  /// two rows of nodes, and for more than two columns) and sbc (a few); for a table from a file it is rows * columns.
  const std::string &isl() const { return isl_; }
  int islDisjuncts() const { return islDisjuncts_; }

  /// The nodes in so many copies of a grid, one behind the other: 2.5-D [E. Solomonik, J. Demmel: Communication-optimal
  /// parallel 2.5D matrix multiplication and LU factorization algorithms, Euro-Par 2011]. This one is of the callers'
  /// matrices: tile (I, J) is with copy J mod copies, there on the node that the grid says of (I / copies, J / copies).
  int copies() const { return further_ ? 1 + static_cast<int>(further_->size()) : 1; }
  /// The distribution of matrices whose tiles are so many copies further on, 0 <= copy < copies(). It has the same
  /// nodes, and is valid as long as this one.
  const Distribution &ofCopy(int copy) const { return copy == 0 ? *this : (*further_)[copy - 1]; }

  /// The node of tile (I, J) of a matrix; with `byRows` of one that is dealt to the copies by rows: tile (I, J) is with
  /// copy I mod copies, there on the same node of the grid. Of nodes that stand once, node(I, J).
  int node(int I, int J, bool byRows) const { return node(I, byRows ? columnByRows(I, J, copies()) : J); }
  /// The column in whose copy tile (I, J) is when a matrix is dealt to so many copies by rows.
  static int columnByRows(int I, int J, int copies) { return J - J % copies + I % copies; }

  /// All copies as one isl relation { [I, J] -> [x, y] }: of tile (I, J / copies) of a matrix that is J mod copies
  /// copies further on, by so many `copies`, which is copies() or, of nodes that stand once, any number.
  std::string islOfCopies(int copies) const;

  /// A finer distribution, of which each node has one or several nodes: its parts. It is one case to isl. The
  /// distribution itself where that is one case. Not of slices.
  const Distribution &parts() const { return parts_ ? *parts_ : *this; }
  /// The node of this distribution that has the part with this number.
  int nodeOfPart(int part) const { return parts_ ? nodeOfPart_[part] : part; }
  /// The coordinates of the parts of a node.
  std::vector<Coordinates> partsOf(int node) const;

  /// Whether period and nodes are the same.
  bool operator==(const Distribution &other) const;

  // Makers. Sizes are >= 1; the period has at most maxPeriod rows and columns, and the table at most maxPeriod entries
  // (asserted).

  static constexpr std::size_t maxPeriod = std::size_t(1) << 24;

  /// 2-D block cyclic: tile (I, J) on node (I / v mod P) * Q + J mod Q: ScaLAPACK's, row-major. `v` rows of tiles that
  /// stand together are [Song12] A.2's virtual tile.
  static Distribution blockCyclic(int P, int Q, int v = 1);
  /// How many rows and columns of tiles the first round of reflected() is short of 2 P and 2 Q; of rows, groups of v.
  /// Taken modulo 2 P and 2 Q.
  struct Round {
    int row, column;
  };
  /// 2-D block cyclic with the rows and the columns of nodes dealt there and back: 0 1 2, 2 1 0, and so on. Where tiles
  /// have the more work the further down and right they are, as in a factorization, blockCyclic() gives the last row
  /// and column of nodes more in every round; here all have had the same at the end of one. LU moves as many bytes,
  /// Cholesky fewer: neighbours are with the same node where the direction changes.
  static Distribution reflected(int P, int Q, Round from = {}, int v = 1);
  /// reflected() with rounds that end with the last of so many rows and columns of tiles.
  static Distribution balanced(int P, int Q, TileCounts tiles);
  /// Symmetric block cyclic (Beaumont, Duchon, Eyraud-Dubois, Langou & Verite, SC'22): for matrices of which one
  /// triangle is stored. With r(r - 1)/2 nodes (basic) a node has the two positions of an unordered pair of residues
  /// mod r, and the diagonal goes round the nodes of its row; with r^2/2 nodes, r even (extended), r/2 more nodes own
  /// the diagonal. node(I, J) = node(J, I). Nothing when the number of nodes is neither, or above maxSymmetricNodes.
  static std::optional<Distribution> symmetricBlockCyclic(int nodes);
  static constexpr int maxSymmetricNodes = 2016; ///< r = 64: the largest period within maxPeriod
  /// The nearest numbers of nodes that have one of the two forms: the largest <= nodes and the smallest >= nodes.
  static std::pair<int, int> symmetricSizes(int nodes);
  /// `copies` >= 1 of the grid's nodes: node q of copy c is c * grid.nodes() + q. Named "2dbc:2x3,copies=2". Of a grid
  /// that is neither sliced nor in copies (asserted).
  static Distribution replicated(const Distribution &grid, int copies);
  /// `table` row by row. Every node 0 .. max must occur (asserted).
  static Distribution table(int rows, int columns, std::vector<int> table, std::string name);

private:
  /// `tableRow` and `tableColumn`: for each row and column of the period that of `table`. `coordinates` by node; `isl`
  /// has `disjuncts` disjuncts.
  Distribution(std::vector<int> tableRow, std::vector<int> tableColumn, std::vector<int> table,
               std::vector<Coordinates> coordinates, std::string name, std::string isl, int disjuncts);
  struct Deal;
  static Distribution dealt(const Deal &rows, const Deal &columns, std::string name);
  static Distribution grid(int P, int Q, std::optional<Round> from, int v);
  /// Sets the distribution of parts, of the same period.
  void setParts(Distribution parts);
  /// One copy's part of replicated().
  static Distribution replica(const Distribution &grid, int copies, int copy, const std::string &name);
  /// replicated() as islOfCopies() has it.
  static std::string islOfReplicas(const Distribution &grid, int copies);
  static std::vector<int> allOf(int count); ///< 0 .. count - 1: no two are equal
  static Distribution symmetricBasic(int residues);
  static Distribution symmetricExtended(int residues);
  static Distribution residuesAndSums(int residues, std::string name);

  int rows_ = 1, columns_ = 1, nodes_ = 1;
  int slices_ = 1;                          // columns that each column of tiles stands for
  std::vector<int> tableRow_, tableColumn_; // by row and column of the period
  int tableColumns_ = 1;
  std::vector<int> table_;               // row by row
  std::vector<Coordinates> coordinates_; // by node
  Coordinates extent_;                   // all coordinates are below
  std::vector<int> byCoordinates_;       // extent_.x * extent_.y nodes, row by row; -1: none
  std::string name_, isl_;
  int islDisjuncts_ = 1;
  std::shared_ptr<const Distribution> parts_; // null: itself
  std::vector<int> nodeOfPart_;
  std::shared_ptr<const std::vector<Distribution>> further_; // ofCopy(1), ...; null: there are no copies
  std::string islOfCopies_;                                  // where there are
};

/// Reads "2dbc:PxQ", with the options ",v=V" and ",reflected" or ",reflected=ROWS:COLUMNS" in any order, "row:P" (=
/// 2dbc:Px1), "col:Q" (= 2dbc:1xQ), "g2dbc:P" with the option ",reflected" (generalized.hpp), "sbc:P",
/// "weighted:W:W:..." (weighted.hpp), "file:PATH", and behind each of them ",copies=C" (replicated()). A file has rows
/// of node numbers separated by blanks, all equally long; '#' begins a comment; at most maxFileEntries numbers. Throws
/// UsageError on a mistake, which says what is wrong, where (a file: line and column) and what would be right
/// ("sbc has no form for 7 nodes; the nearest are 6 and 8").
inline constexpr int maxFileEntries = 1 << 16;
Distribution parseDistribution(const std::string &text);
/// The forms that parseDistribution() reads, as messages list them.
inline constexpr std::string_view distributionForms =
    "known are 2dbc:PxQ, g2dbc:P, row:P, col:Q, sbc:P, weighted:W:W and file:PATH";

/// All distributions worth trying for this many nodes and a matrix of so many tiles: 2dbc of every factorization P x Q,
/// as it is and balanced() for all tiles, of two rows or columns of nodes also for all tiles but the last row and
/// column (better for a triangle, whose columns have the fewer tiles the more work these have: among few nodes that
/// shows); sbc where it exists and `symmetric` says that only triangles are stored; and g2dbc, in the same two ways,
/// where it is not 2dbc. The most square first, sbc before all, g2dbc behind them; of PxQ and QxP the wide one. How
/// many there are, and in which order, does not depend on `tiles`.
std::vector<Distribution> candidateDistributions(int nodes, bool symmetric, TileCounts tiles);
/// The most square 2dbc, what is wide rather than high.
Distribution squareDistribution(int nodes);

} // namespace tla
