// The task lists of one matrix ([Song12] 5.1: 2-D task lists, one per tile).
#pragma once

#include "dsl/base/sparse_array.hpp"
#include "runtime/core/window/version.hpp"
#include "runtime/core/window/written_tiles.hpp"
#include "runtime/distribution/distribution.hpp"

#include <tla/runtime/task.hpp>
#include <tla/runtime/task_map.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>

namespace tla::runtime {

class MatrixHomes;

/// The open end of one task list. Only the generating thread knows it, so none of it is atomic.
struct TileList {
  Version *current;          ///< null: no task uses the tile; its content, if any, is in its home
  int expected;              ///< visits to `current` appended so far, the producer's included
  std::uint32_t number : 30; ///< number of `current`: counts the versions of the tile, and goes on when current is null
  /// `current` was once seen closed: no need to look at the shared line again. While nobody has written `current`
  /// (Version::producer is 0) it says whether the tile, or this half of it, has content.
  std::uint32_t produced : 1;
  std::uint32_t released : 1; ///< one half of another node's tile: nobody needs its content any more
};
static_assert(sizeof(TileList) == 16);

/// The bytes that a node's tiles of workspaces and of other nodes may take behind the program where nobody says a
/// number (Options::lookaheadBytes): a fifth of the node's part of the callers' matrices of so many bytes; of small
/// problems what costs nobody anything; and where a step of the program takes more, on many nodes, as much as is `open`
/// at one time, so that there is room for one more step.
constexpr std::uint64_t usualLookahead(std::uint64_t matrices, int nodes, std::uint64_t open) {
  constexpr std::uint64_t least = 64u << 20, part = 5;
  return std::max({least, matrices / static_cast<std::uint64_t>(nodes) / part, open});
}

/// All task lists of one matrix. With regions there are two lists per tile, one for each of its triangles, which share
/// the tile's memory.
///
/// The core works on the bottom level of a Storage: of a matrix that is cut its tiles are slices, and columns are slice
/// columns, here and wherever a TileTable is. Who owns a tile, and what it is called, is the top level's.
class TileTable {
public:
  /// Throws std::bad_alloc. Tiles of a workspace have no memory of their own. `number`: the matrix's place among those
  /// of the run, the same on all nodes.
  TileTable(Storage &storage, const char *name, bool workspace, bool regions, int number = 0);
  /// One whose lists come into being when they are first asked for. For a node of many, which names a small part of the
  /// tiles, and for those who only look at a program, and ask for none.
  static TileTable ofNamedTiles(Storage &storage, const char *name, bool workspace, bool regions, int number) {
    requireFewTiles(storage);
    return {storage, name, workspace, regions, number, nullptr};
  }

  /// Where accelerator `place` of this node has copies of the host's tiles. They have no home, and memory only while in
  /// use, except copies of resident matrices that are at home there (setHomes()). Lists are made as for the host.
  TileTable(const TileTable &host, int place)
      : TileTable(host.storage_, host.name_, host.workspace_, host.regions_, host.number_,
                  host.lists_ ? makeLists(host.storage_, host.regions_) : nullptr) {
    place_ = place;
  }

  /// Sets the homes at an accelerator whose copies these are: tiles at home there stay in that memory. Borrowed for the
  /// run; null: none is.
  void setHomes(const MatrixHomes *homes) { homes_ = homes; }

  /// Sets the record of which tiles have content, for a workspace that lasts over the parts of a run. Borrowed for the
  /// run; null: the content of a tile is what its home has.
  void setWritten(WrittenTiles *written) { written_ = written; }
  /// The home of a tile has content, in this half of it, before the run's first task on it.
  bool hasContentAtHome(int row, int column, int half) const {
    return home(row, column) &&
           (!written_ || (written_->has(row, column, half) && (regions_ || written_->has(row, column, 1 - half))));
  }
  /// A task writes this half of the tile.
  void noteWrite(int row, int column, int half) {
    if (!written_) [[likely]]
      return;
    written_->add(row, column, half);
    if (!regions_)
      written_->add(row, column, 1 - half);
  }

  /// Nobody needs this half of the tile any more, which lasts over the parts of a run.
  void noteRelease(int row, int column, int half) {
    written_->remove(row, column, half);
    if (!regions_)
      written_->remove(row, column, 1 - half);
  }
  /// Whether it is a workspace that lasts over the parts of a run: a release ends a tile's content, and frees nothing.
  bool isHeld() const { return written_; }

  int number() const { return number_; }
  int place() const { return place_; } ///< place on this node: 0 is the host
  /// Tasks that write its tiles run where the order says: at the tile's own part; or, where so many rows of tiles are a
  /// layer of each part, at that part.
  void placeBy(std::shared_ptr<const TaskOrder> order, int layerRows = 0) {
    order_ = std::move(order);
    layerRows_ = layerRows;
  }
  /// Tasks that write its tiles run where the other table, of the same matrix, has them run.
  void placeAs(const TileTable &other) { placeBy(other.order_, other.layerRows_); }
  /// The place (0: host) of this node where tasks that write the tile run; -1 if unspecified.
  int placeOf(int row, int column) const {
    if (!order_)
      return -1;
    if (layerRows_)
      return row / layerRows_;
    return row < order_->rows() && column < order_->columns() ? order_->home(row, column) : -1;
  }
  Storage &storage() const { return storage_; }
  const char *name() const { return name_; }
  bool workspace() const { return workspace_; }
  /// The bytes of all elements of a caller's matrix, of a triangle about half of the square's; 0: it is a workspace.
  std::uint64_t callersBytes() const {
    const std::uint64_t all = std::uint64_t(storage_.m()) * std::uint64_t(storage_.n()) * storage_.elementBytes();
    return workspace_ ? 0 : storage_.shape() == Shape::General ? all : all / 2;
  }
  bool regions() const { return regions_; }
  /// A second parameter of the algorithm is the same matrix: the lists are shared.
  void addRegions();

  /// In a run on several nodes: who owns the tiles. The distribution must outlive the run.
  void distribute(const Distribution &distribution, int self) {
    distribution_ = &distribution.ofCopy(storage_.copy() % distribution.copies());
    copiesByRows_ = storage_.byRows() ? distribution.copies() : 1;
    self_ = self;
  }
  int node(int row, int column) const {
    if (!distribution_)
      return 0;
    if (copiesByRows_ > 1)
      return distribution_->node(row, Distribution::columnByRows(row, column, copiesByRows_));
    return distribution_->node(row, storage_.tileColumn(column));
  }
  /// The number of a column of tiles among those that one node has, if the distribution is block cyclic.
  int ownColumn(int column) const {
    return storage_.tileColumn(column) / (distribution_ ? distribution_->distinctColumns() : 1);
  }
  /// The tile is another node's: here it has memory only while its content is in use.
  bool foreign(int row, int column) const { return distribution_ && node(row, column) != self_; }
  /// The tile has memory only while its content is in use.
  bool temporary(int row, int column) const { return place_ ? !home(row, column) : workspace_ || foreign(row, column); }

  /// Whether (row, column) is a tile of the matrix: generated code may compute indices that nobody proved.
  bool has(int row, int column) const {
    return static_cast<unsigned>(row) < static_cast<unsigned>(storage_.mt()) &&
           static_cast<unsigned>(column) < static_cast<unsigned>(storage_.ns());
  }
  /// Whether slice column `column` would be one of a tile of the matrix, which may have fewer slices.
  bool hasTile(int row, int column) const {
    return static_cast<unsigned>(row) < static_cast<unsigned>(storage_.mt()) && column >= 0 &&
           storage_.tileColumn(column) < storage_.nt();
  }
  bool stores(int row, int column) const { return storage_.stores(row, storage_.tileColumn(column)); }
  /// "tile A(9, 3) is outside the 8 x 8 tiles of A", "tile A(9, 3) slice 1 is outside the 8 x 8 tiles of A, each in 2
  /// slices"
  std::string outsideText(int row, int column) const;
  /// The number of the slice in its tile, -1 for a whole tile.
  int sliceNumber(int column) const { return storage_.slices() > 1 ? column % storage_.slices() : -1; }
  /// "A(9, 3)", "A(9, 3) slice 1"
  std::string tileName(int row, int column) const;

  /// Throws std::bad_alloc where lists come into being one by one, and there is no memory for this one.
  TileList &list(int row, int column, int half = 0) {
    const std::size_t index = (row + static_cast<std::size_t>(column) * storage_.mt()) * (regions_ ? 2 : 1) + half;
    if (lists_) [[likely]]
      return lists_[index];
    return named_[index];
  }
  std::size_t tileBytes(int row, int column) const { return storage_.sliceBytes(row, column); }
  /// A Write access may get memory of its own: the tile is a contiguous piece and one list describes all of it.
  bool renamable() const { return storage_.tiled() && !regions_ && !place_; }
  /// The owner's memory of a tile, null in a workspace and for a tile of another node, whatever the storage has there
  /// (nodes in virtual time share one). On an accelerator what it has reserved for a resident matrix' tile, else null.
  void *home(int row, int column) const {
    if (place_) [[unlikely]]
      return homeOnAccelerator(row, column);
    return foreign(row, column) ? nullptr : storage_.slice(row, column);
  }

  template <typename F> void forEachCurrent(F visit) {
    named_.forEach([&](TileList &list) {
      if (list.current)
        visit(*list.current);
    });
    if (!lists_)
      return;
    for (int column = 0; column < storage_.ns(); ++column)
      for (int row = 0; row < storage_.mt(); ++row)
        for (int half = 0; half <= int(regions_); ++half)
          if (Version *version = list(row, column, half).current)
            visit(*version);
  }

private:
  struct Free {
    void operator()(TileList *lists) const { std::free(lists); }
  };
  TileTable(Storage &storage, const char *name, bool workspace, bool regions, int number, TileList *lists)
      : storage_(storage), name_(name), workspace_(workspace), regions_(regions), number_(number), lists_(lists) {}
  void *homeOnAccelerator(int row, int column) const;
  static void requireFewTiles(const Storage &storage);
  static TileList *makeLists(const Storage &storage, bool regions);

  Storage &storage_;
  const char *name_;
  bool workspace_, regions_;
  int number_, place_ = 0;
  const MatrixHomes *homes_ = nullptr;
  WrittenTiles *written_ = nullptr;
  const Distribution *distribution_ = nullptr;
  int self_ = 0;
  std::shared_ptr<const TaskOrder> order_;
  int layerRows_ = 0;
  int copiesByRows_ = 1; // of the distribution, where tiles are dealt to them by rows; 1: they are not
  std::unique_ptr<TileList[], Free> lists_; // of all tiles; null: of those that were named, by the same numbers
  SparseArray<TileList> named_;
};

/// Whether the matrix has the tile: reads and writes of tiles beyond its edges are no accesses.
inline bool exists(const TileAccess &access) { return access.matrix->has(access.row, access.column); }

} // namespace tla::runtime
