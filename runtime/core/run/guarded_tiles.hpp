// Tiles with guards around them, for kernels that are debugged (HETC_DEBUG).
#pragma once

#include "runtime/core/window/task.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tla::runtime {

/// For as long as it lives, the tiles of a task of a user's kernel are copies, each alone in its memory: guards stand
/// before its first column, below each column and behind the last one, in which whoever reads finds not-a-numbers. What
/// the task writes goes back to the tiles at the end.
///
/// Only for an executor of one thread and one task at a time (Executor): versions' memory changes hands here, and
/// nobody else may look meanwhile.
class GuardedTiles {
public:
  /// Throws std::bad_alloc.
  explicit GuardedTiles(Task &task);
  ~GuardedTiles();
  GuardedTiles(const GuardedTiles &) = delete;
  GuardedTiles &operator=(const GuardedTiles &) = delete;

  /// After the kernel: "writes element (5, 3), which is outside the 5 x 4 elements of tile A(3, 2)"; "writes tile
  /// A(3, 2), which it says only to read"; empty: it has done neither.
  std::string damage() const;
  /// The name of the task's tile whose first element is at this address; empty: none is.
  std::string tileAt(const void *element) const;

private:
  /// A tile's copy, of all the task's versions that share the tile's memory: its halves may be two.
  struct Copy {
    std::vector<Version *> versions;
    std::vector<unsigned char> bytes; ///< guards and elements
    void *home;                       ///< address of the tile itself
    int homeLd, rows, columns;
    std::size_t elementBytes;
    bool written;

    int ld() const;
    std::size_t columnBytes() const { return ld() * elementBytes; }
    std::size_t begin() const { return columnBytes(); } ///< offset of the first element
    const TileTable &table() const;
    std::string name() const;
  };
  void add(const AccessNode &node);
  void fill(Copy &copy) const;
  static std::string damageOf(const Copy &copy);

  std::vector<Copy> copies_;
};

} // namespace tla::runtime
