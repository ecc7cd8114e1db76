// Resident matrices: which of their tiles are at home in the memory of an accelerator, and not in their caller's.
#pragma once

#include "runtime/core/node_places.hpp"

#include <tla/runtime/algorithm.hpp>

#include <cstdint>
#include <functional>
#include <memory>
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
  /// Of the tile; of a matrix that is cut, of the slice.
  int place(int row, int column) const { return homes_[index(row, column)].place; }
  /// What the accelerator has reserved for it; null while nobody has, and for tiles at home with the host.
  void *memory(int row, int column) const { return homes_[index(row, column)].memory; }
  void setPlace(int row, int column, int place) { homes_[index(row, column)].place = static_cast<std::uint8_t>(place); }
  /// Whether any tile is at home with an accelerator.
  bool any() const;
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

/// Of all resident matrices, which are known by their storages.
class Homes {
public:
  /// Null: no tile of the matrix is at home with an accelerator.
  MatrixHomes *find(const Storage &storage) const;
  bool empty() const { return matrices_.empty(); }
  const std::vector<std::unique_ptr<MatrixHomes>> &matrices() const { return matrices_; }
  /// All of them, or those of `only` that are there, which are not known here any more.
  std::vector<std::unique_ptr<MatrixHomes>> take(const std::vector<const Storage *> &only = {});
  /// A matrix that is known already keeps its homes.
  void add(std::unique_ptr<MatrixHomes> matrix);
  /// What an accelerator's tiles take of its memory.
  std::size_t bytes(const NodePlaces &places, int place) const;
  /// The resident matrix whose memory with the host is also this other one's, as far as tiles begin at the same
  /// address. Null: none.
  const MatrixHomes *aliasOf(const Storage &other) const;

private:
  std::vector<std::unique_ptr<MatrixHomes>> matrices_;
};

/// Whether tiles of the two begin at the same address, though they are not one object.
bool areAliases(const Storage &one, const Storage &other);

/// Those that may be resident: all but workspaces, which may be the call's alone.
std::vector<const Storage *> callersMatrices(const Algorithm &algorithm, const Arguments &arguments);

struct HomesOfProgram {
  Homes homes;
  std::vector<std::size_t> taskBytes; ///< by place: the most that one task's tiles take there, each as often as named
};

/// Homes for the tiles of a program's matrices: where accelerators write a tile, the last that does; where none does,
/// the first that reads it. So what only the host uses stays with it. Of tiles that this node owns, and of the matrices
/// of `only`; null: of all but workspaces. `stream` gives the node's tasks, sends and receives; `distribution`: null on
/// one rank.
HomesOfProgram homesFor(const std::function<void(TaskSink &)> &stream, const NodePlaces &places,
                        const Distribution *distribution, int rank, const std::vector<const Storage *> *only);

/// Why accelerators have not the memory for further homes beside those that are there, the tiles of tasks, and some on
/// the way (lower case, no full stop); empty: they have.
std::string obstacleTo(const Homes &further, const Homes &present, const std::vector<std::size_t> &taskBytes,
                       const NodePlaces &places);

} // namespace tla::runtime
