// Resident matrices: which of their tiles are at home in the memory of an accelerator, and not in their caller's.
#pragma once

#include "runtime/core/places/node_places.hpp"
#include "runtime/core/window/matrix_homes.hpp"

#include <tla/runtime/algorithm.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tla::runtime {

/// The homes of all resident matrices, which are known by their storages.
class Homes {
public:
  /// Null: no tile of the matrix is at home with an accelerator.
  MatrixHomes *find(const Storage &storage) const;
  bool empty() const { return matrices_.empty(); }
  const std::vector<std::unique_ptr<MatrixHomes>> &matrices() const { return matrices_; }
  /// Takes out all matrices, or those of `only` that are there: they are not known here any more.
  std::vector<std::unique_ptr<MatrixHomes>> take(const std::vector<const Storage *> &only = {});
  /// A matrix that is known already keeps its homes.
  void add(std::unique_ptr<MatrixHomes> matrix);
  /// The bytes that tiles with homes at an accelerator take of its memory.
  std::size_t bytes(const NodePlaces &places, int place) const;
  /// The resident matrix whose memory with the host is also this other one's, as far as tiles begin at the same
  /// address. Null: none.
  const MatrixHomes *aliasOf(const Storage &other) const;

private:
  std::vector<std::unique_ptr<MatrixHomes>> matrices_;
};

/// Whether tiles of the two begin at the same address, though they are not one object.
bool areAliases(const Storage &one, const Storage &other);

/// The matrices that may be resident: all but workspaces, which may be the call's alone.
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
