// Of a resident matrix: which of its tiles are at home in the memory of an accelerator, and not in their caller's.
#pragma once

#include "runtime/core/window/task.hpp"

#include <tla/matrix.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tla::runtime {

/// The homes of the tiles of one matrix, each an accelerator's place or the host's, on one node.
class MatrixHomes {
public:
  MatrixHomes(Storage &storage, std::string name)
      : storage_(storage), name_(std::move(name)), rows_(storage.mt()), columns_(storage.ns()),
        homes_(static_cast<std::size_t>(rows_) * columns_) {}

  Storage &storage() const { return storage_; }
  const char *name() const { return name_.c_str(); }
  /// The home of the tile; for a matrix that is cut, of the slice.
  int place(int row, int column) const { return homes_[index(row, column)].place; }
  /// The memory that the accelerator has reserved for the tile; null while nobody has, and for tiles at home with the
  /// host.
  void *memory(int row, int column) const { return homes_[index(row, column)].memory; }
  void setPlace(int row, int column, int place) { homes_[index(row, column)].place = static_cast<std::uint8_t>(place); }
  /// Whether any tile is at home with an accelerator.
  bool any() const {
    return std::any_of(homes_.begin(), homes_.end(), [](const Home &home) { return home.place != hostPlace; });
  }
  /// visit(row, column, place) for each tile that is at home with an accelerator.
  template <typename Visit> void forEach(Visit visit) const {
    for (int column = 0; column < columns_; ++column)
      for (int row = 0; row < rows_; ++row)
        if (const int home = place(row, column); home != hostPlace)
          visit(row, column, home);
  }

  /// Whether a run has written the tile since it was the same in the caller's memory. (What the caller writes there has
  /// to be brought to the accelerators before the next run.)
  bool isChanged(int row, int column) const { return homes_[index(row, column)].isChanged; }
  void setChanged(int row, int column, bool isChanged) { homes_[index(row, column)].isChanged = isChanged; }

  /// Memory of all tiles at home with accelerators: take(place, bytes) gives it, or null. False: there was none for one
  /// of them; what was given is to be given back all the same.
  template <typename Take> bool takeMemory(Take take) {
    bool done = true;
    forEach([&](int row, int column, int place) {
      Home &home = homes_[index(row, column)];
      home.bytes = storage_.sliceBytes(row, column);
      home.memory = done ? take(place, home.bytes) : nullptr;
      done &= home.memory != nullptr;
    });
    return done;
  }
  /// give(place, memory, bytes). The storage may be no more.
  template <typename Give> void giveMemory(Give give) {
    for (Home &home : homes_)
      if (void *const memory = std::exchange(home.memory, nullptr))
        give(home.place, memory, home.bytes);
  }

private:
  struct Home {
    void *memory = nullptr;
    std::size_t bytes = 0;
    std::uint8_t place = hostPlace;
    bool isChanged = false;
  };
  std::size_t index(int row, int column) const { return row + static_cast<std::size_t>(column) * rows_; }

  Storage &storage_;
  const std::string name_;
  const int rows_, columns_;
  std::vector<Home> homes_;
};

} // namespace tla::runtime
