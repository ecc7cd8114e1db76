// Where tiles live: [Song12] 5.5's indirect structure, an array of pointers to tiles. One type for every element
// type and every layout, so that the runtime handles storage without templates.
#pragma once

#include <cstddef>
#include <new>

namespace tla {

/// The tiles that a matrix stores: all, those with i >= j, or those with i <= j.
enum class Shape : int { General, Lower, Upper };

/// How tiles are cut by columns ([Song12] 3.1): slices - 1 slices of `width` columns, and a last one with the rest.
struct Cut {
  int slices = 1; ///< 1: tiles are whole, and the width says nothing
  int width = 0;

  /// Whether a tile of nb columns leaves at least one column for its last slice.
  constexpr bool fits(int nb) const { return slices == 1 || (slices > 1 && width > 0 && (slices - 1L) * width < nb); }
  /// The number of slices of a tile with so many columns: only slices that have columns count, but at least one.
  constexpr int slicesOf(int columns) const {
    if (slices == 1 || columns <= 0)
      return 1;
    const int most = (columns - 1) / width + 1;
    return most < slices ? most : slices;
  }
  constexpr bool operator==(const Cut &other) const {
    return slices == other.slices && (slices == 1 || width == other.width);
  }
};

/// The numbers of rows and columns of tiles after which a distribution over nodes repeats: tiles (i, j), (i + rows, j)
/// and (i, j + columns) are on one node; 1 x 1 on one node. Numbers below 1 mean that no distribution is set.
struct Period {
  int rows = 0, columns = 0;
  constexpr bool operator==(const Period &) const = default;
};

namespace detail {
/// The period is the thread's, as the author's program makes its workspaces by constructors without a parameter for it.
/// The runtime says the period of what it makes itself (Storage::setPeriod).
inline thread_local Period periodInScope;
} // namespace detail

/// While it lives, matrices and workspaces that this thread makes have this period. A plain C++ program that calls an
/// algorithm for the results of a grid of nodes makes its matrices, and calls, in such a scope.
class PeriodScope {
public:
  explicit PeriodScope(Period period) : before_(detail::periodInScope) { detail::periodInScope = period; }
  PeriodScope(const PeriodScope &) = delete;
  PeriodScope &operator=(const PeriodScope &) = delete;
  ~PeriodScope() { detail::periodInScope = before_; }

private:
  Period before_;
};

/// The tiles of one matrix, on two levels.
///
/// The top level is the author's: tile (i, j) is tileRows(i) x tileCols(j) elements at tile(i, j), column-major. The
/// bottom level is the runtime's: slice (i, J) is sliceCols(J) columns of tile (i, J / slices()), from column
/// sliceOffset(J) of that tile on; slices of a tile lie side by side in its memory, with its leading dimension. A tile
/// at the right edge has only as many slices as it has columns for. Whole tiles are their own only slice.
///
/// Reference-counted through StorageRef; the count is atomic, everything else is not.
class Storage {
public:
  /// Storage for m x n elements in tiles of mb x nb. Nothing is allocated but the table of pointers, all null.
  /// Without tiles where a number is not positive or the cut does not fit; tla/generated/call.hpp refuses what makes no
  /// sense.
  Storage(int m, int n, int mb, int nb, std::size_t elementBytes, Shape shape, Cut cut = {})
      : Storage(m, n, mb, nb, count(m, mb), count(n, nb), elementBytes, shape, cut) {}
  /// Storage for mt x nt tiles of mb x nb elements, which may be none: a workspace's. To be held by a StorageRef.
  [[gnu::noinline]] static Storage *makeWorkspace(int mt, int nt, int mb, int nb, std::size_t elementBytes,
                                                  Cut cut = {}) {
    return new Storage(mt * mb, nt * nb, mb, nb, mt, nt, elementBytes, Shape::General, cut);
  }
  /// Storage for m x n elements in tiles of nb x nb, smaller at the edges. To be held by a StorageRef.
  [[gnu::noinline]] static Storage *makeWorkspace(int m, int n, int nb, std::size_t elementBytes, Cut cut = {}) {
    return new Storage(m, n, nb, nb, elementBytes, Shape::General, cut);
  }
  /// Storage for `layers` such matrices above each other: tile row k * count + i is tile row i of layer k, where a
  /// layer has `count` rows of tiles. To be held by a StorageRef.
  [[gnu::noinline]] static Storage *makeLayers(int m, int n, int nb, int layers, std::size_t elementBytes) {
    auto *const storage =
        new Storage(m, n, nb, nb, count(m, nb) * layers, count(n, nb), elementBytes, Shape::General, {});
    storage->layerRows_ = count(m, nb);
    return storage;
  }
  Storage(const Storage &) = delete;
  Storage &operator=(const Storage &) = delete;
  ~Storage() {
    if (block_)
      ::operator delete(block_, std::align_val_t(alignment));
    delete[] addresses_;
    delete[] present_;
  }

  int m() const { return m_; }
  int n() const { return n_; }
  int mb() const { return mb_; }
  int nb() const { return nb_; }
  int mt() const { return mt_; }
  int nt() const { return nt_; }
  Shape shape() const { return shape_; }
  std::size_t elementBytes() const { return elementBytes_; }

  int tileRows(int i) const {
    if (layerRows_ != mt_)
      i %= layerRows_;
    return i == layerRows_ - 1 ? m_ - i * mb_ : mb_;
  }
  int tileCols(int j) const { return j == nt_ - 1 ? n_ - j * nb_ : nb_; }
  /// Leading dimension of tiles of tile row i.
  int ld(int i) const { return ld_ ? ld_ : (tileRows(i) > 0 ? tileRows(i) : 1); }
  /// True when every tile is a contiguous piece of memory of its own (not a window on a LAPACK array).
  bool tiled() const { return ld_ == 0; }
  /// Whether a tile of the matrix (0 <= i < mt(), 0 <= j < nt()) is stored. The others have no memory, and are zero.
  bool stores(int i, int j) const {
    return (shape_ == Shape::General || (shape_ == Shape::Lower ? i >= j : i <= j)) &&
           (!present_ || present_[i + static_cast<std::size_t>(j) * mt_]);
  }
  /// As stores(), for any numbers: there is no tile outside of the matrix.
  bool has(int i, int j) const { return i >= 0 && i < mt_ && j >= 0 && j < nt_ && stores(i, j); }
  /// Keeps, among the tiles that the shape stores, only those for which present(i, j) is true: structural zeros, known
  /// before anything is allocated. Throws std::bad_alloc.
  template <typename Present> void setPattern(Present present) {
    const std::size_t tiles = static_cast<std::size_t>(mt_) * nt_;
    unsigned char *const table = new unsigned char[tiles + 1];
    for (std::size_t tile = 0; tile < tiles; ++tile)
      table[tile] = present(static_cast<int>(tile % mt_), static_cast<int>(tile / mt_)) ? 1 : 0;
    delete[] present_;
    present_ = table;
  }
  /// Whether not all tiles that the shape stores are there.
  bool hasPattern() const { return present_ != nullptr; }
  void *tile(int i, int j) const { return slice(i, j * cut_.slices); }
  /// Sets the address of a tile; null if it has no memory. The leading dimension is known.
  void setTile(int i, int j, void *data) {
    for (int J = j * cut_.slices, d = 0; d < slices(j); ++d)
      addresses_[i + static_cast<std::size_t>(J + d) * mt_] =
          data ? static_cast<char *>(data) + static_cast<std::size_t>(sliceOffset(J + d)) * ld(i) * elementBytes_
               : nullptr;
  }

  /// The period of the matrix's distribution, on which a program's control flow may depend. All matrices of a call have
  /// the same one. A run on several nodes sets it for its own time where it is not set.
  Period period() const { return period_; }
  void setPeriod(Period period) { period_ = period; }
  /// The number of copies of the grid of nodes by which the matrix is shifted from the caller's matrices, which have 0.
  int copy() const { return copy_; }
  void setCopy(int copy) { copy_ = copy; }
  /// Whether copies of a grid of nodes share the matrix by rows: tile (i, j) is with copy i mod copies, not j mod
  /// copies.
  bool byRows() const { return byRows_; }
  void setByRows(bool byRows) { byRows_ = byRows; }

  // The bottom level: slice column J, 0 <= J < ns().
  Cut cut() const { return cut_; }
  /// Slices of a tile that is not at the right edge, and of the tiles of tile column j.
  int slices() const { return cut_.slices; }
  int slices(int j) const { return slicesIn(tileCols(j)); }
  /// Slice columns in all.
  int ns() const { return ns_; }
  int tileColumn(int J) const { return cut_.slices == 1 ? J : J / cut_.slices; }
  /// The first column of the slice within its tile.
  int sliceOffset(int J) const { return cut_.slices == 1 ? 0 : J % cut_.slices * cut_.width; }
  int sliceCols(int J) const {
    if (cut_.slices == 1)
      return tileCols(J);
    const int rest = tileCols(tileColumn(J)) - sliceOffset(J);
    return J % cut_.slices == cut_.slices - 1 || rest < cut_.width ? rest : cut_.width;
  }
  void *slice(int i, int J) const { return addresses_[i + static_cast<std::size_t>(J) * mt_]; }
  /// The bytes of a slice in memory of its own, elsewhere than in its tile; for a whole tile the bytes that it takes
  /// here.
  std::size_t sliceBytes(int i, int J) const { return blockBytes(tileRows(i), sliceCols(J)); }

  /// Bytes that allocate() will take.
  std::size_t bytes() const { return bytes(allTiles); }
  template <typename Owns> std::size_t bytes(Owns owns) const {
    std::size_t sum = 0;
    for (int j = 0; j < nt_; ++j)
      for (int i = 0; i < mt_; ++i)
        if (stores(i, j) && owns(i, j))
          sum += tileBytes(i, j);
    return sum;
  }
  /// One block for all tiles, each contiguous and aligned to 64 bytes. Throws std::bad_alloc.
  void allocate() { allocate(allTiles); }
  /// One such block for the tiles for which owns(i, j) says so; the others stay null.
  template <typename Owns> void allocate(Owns owns) {
    char *next = take(bytes(owns));
    for (int j = 0; j < nt_; ++j)
      for (int i = 0; i < mt_; ++i)
        if (stores(i, j) && owns(i, j)) {
          setTile(i, j, next);
          next += tileBytes(i, j);
        }
  }
  /// The block that allocate() took, or null.
  void *memory() const { return block_; }
  /// Makes the tiles windows on a column-major array (LAPACK: A, lda). The array is borrowed.
  void wrap(void *array, int lda) {
    ld_ = lda > 0 ? lda : 1;
    for (int j = 0; j < nt_; ++j)
      for (int i = 0; i < mt_; ++i)
        setTile(i, j,
                static_cast<char *>(array) +
                    (static_cast<std::size_t>(i) * mb_ + static_cast<std::size_t>(j) * nb_ * ld_) * elementBytes_);
  }

  static constexpr std::size_t alignment = 64;
  std::size_t tileBytes(int i, int j) const { return blockBytes(tileRows(i), tileCols(j)); }

private:
  Storage(int m, int n, int mb, int nb, int mt, int nt, std::size_t elementBytes, Shape shape, Cut cut)
      : m_(m), n_(n), mb_(mb), nb_(nb), mt_(mt), layerRows_(mt), nt_(cut.fits(nb) ? nt : 0), cut_(cut),
        ns_(nt_ > 0 ? (nt_ - 1) * cut.slices + slicesIn(tileCols(nt_ - 1)) : 0), elementBytes_(elementBytes),
        shape_(shape), addresses_(new void *[static_cast<std::size_t>(mt_) * ns_ + 1]()) {}
  friend class StorageRef;
  static bool allTiles(int, int) { return true; }
  char *take(std::size_t size) {
    block_ = ::operator new(size ? size : 1, std::align_val_t(alignment));
    return static_cast<char *>(block_);
  }
  int slicesIn(int columns) const { return cut_.slicesOf(columns); }
  std::size_t blockBytes(int rows, int columns) const {
    const std::size_t size = static_cast<std::size_t>(rows) * columns * elementBytes_;
    return size ? (size + alignment - 1) / alignment * alignment : alignment; // an empty tile has an address, too
  }
  static int count(int size, int block) { return size <= 0 || block <= 0 ? 0 : (size - 1) / block + 1; }

  int m_, n_, mb_, nb_, mt_;
  int layerRows_; ///< rows of tiles of a layer: all, where there is one
  int nt_;
  Cut cut_;
  int ns_;
  int ld_ = 0;
  Period period_ = detail::periodInScope;
  int copy_ = 0;
  bool byRows_ = false;
  int references_ = 0;
  std::size_t elementBytes_;
  Shape shape_;
  void **addresses_;                 ///< address of each slice
  unsigned char *present_ = nullptr; ///< whether a tile is present, tile by tile, column-major; null: all are
  void *block_ = nullptr;
};

/// Shared ownership of a Storage, small enough for a header that every .tla parses. What happens once for each matrix
/// is a call here and in Storage: the code of a program with forty workspaces is shorter by a sixth.
class StorageRef {
public:
  explicit StorageRef(Storage *storage) : storage_(storage) { retain(); }
  StorageRef(const StorageRef &other) : storage_(other.storage_) { retain(); }
  StorageRef &operator=(const StorageRef &other) {
    StorageRef copy(other);
    Storage *mine = storage_;
    storage_ = copy.storage_;
    copy.storage_ = mine;
    return *this;
  }
  ~StorageRef() { drop(); }
  Storage *operator->() const { return storage_; }
  Storage &operator*() const { return *storage_; }

private:
  void retain() { __atomic_add_fetch(&storage_->references_, 1, __ATOMIC_RELAXED); }
  [[gnu::noinline]] void drop() {
    if (__atomic_sub_fetch(&storage_->references_, 1, __ATOMIC_ACQ_REL) == 0)
      delete storage_;
  }
  Storage *storage_;
};

} // namespace tla
