// Workspaces that last over the parts of a run: their tiles have memory from the start, and content once a task has
// written them.
#pragma once

#include <tla/matrix.hpp>

#include <cstddef>
#include <deque>
#include <vector>

namespace tla::runtime {

/// The halves of the tiles of one such workspace that tasks have written, in all parts of the run so far. A part that
/// does not use the workspace by halves asks and tells of both halves at once. The generating thread's.
class WrittenTiles {
public:
  explicit WrittenTiles(const Storage &storage)
      : storage_(&storage), rows_(storage.mt()),
        written_(2 * static_cast<std::size_t>(storage.mt()) * static_cast<std::size_t>(storage.ns())) {}

  const Storage &storage() const { return *storage_; }
  bool has(int row, int column, int half) const { return written_[index(row, column, half)]; }
  void add(int row, int column, int half) { written_[index(row, column, half)] = true; }
  void remove(int row, int column, int half) { written_[index(row, column, half)] = false; }
  /// No tile has content from here on.
  void clear() { written_.assign(written_.size(), false); }

private:
  std::size_t index(int row, int column, int half) const {
    return 2 * (row + static_cast<std::size_t>(column) * rows_) + half;
  }

  const Storage *storage_;
  int rows_;
  std::vector<bool> written_;
};

/// All such workspaces of a run. The generating thread's; tables borrow from it.
class HeldWorkspaces {
public:
  void add(const Storage &storage) { workspaces_.emplace_back(storage); }
  void clear() { workspaces_.clear(); }
  /// Null: the matrix is none of them, so what its memory has is its content.
  WrittenTiles *find(const Storage &storage) {
    for (WrittenTiles &workspace : workspaces_)
      if (&workspace.storage() == &storage)
        return &workspace;
    return nullptr;
  }

private:
  std::deque<WrittenTiles> workspaces_; // whose elements stay where they are
};

} // namespace tla::runtime
