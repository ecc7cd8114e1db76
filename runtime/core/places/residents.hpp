// Resident matrices of an executor: memory for their tiles, and the ways there and back.
#pragma once

#include "runtime/core/places/homes.hpp"
#include "runtime/core/places/places.hpp"
#include "runtime/core/window/tile_buffers.hpp"

#include <tla/runtime/algorithm.hpp>

#include <string>
#include <vector>

namespace tla::runtime {

/// Used between runs. What runs see of it is `homes`: the tiles with places and memory.
class Residents {
public:
  Residents(Homes &homes, TileBuffers &buffers) : homes_(homes), buffers_(buffers) {}
  Residents(const Residents &) = delete;
  Residents &operator=(const Residents &) = delete;
  ~Residents() { end(); }

  /// Reserves memory for the matrices that are not resident yet, for all or for none. Why for none; empty: for all.
  std::string add(HomesOfProgram found, const NodePlaces &places);
  /// Gives memory back: of all matrices, or of those of `only` that are resident.
  void end(const std::vector<const Storage *> &only = {});
  bool empty() const { return homes_.empty(); }
  /// The bytes that tiles at home with each accelerator take, at index place - 1.
  std::vector<std::size_t> bytes() const;

  /// Appends the copies of all tiles to the accelerators, or of those that runs have written since to the host. Of all
  /// matrices, or of those of `only` that are resident.
  void copy(PlacedSink &sink, bool toHost, const std::vector<const Storage *> &only) const;
  /// Behind such copies: the caller's memory has the content of the matrices.
  void setUnchanged(const std::vector<const Storage *> &only) const;
  /// Throws UsageError when a matrix of a call has memory that is a resident matrix' by another name.
  void requireNoAlias(const Algorithm &algorithm, const Arguments &arguments) const;
  /// Throws UsageError as above for matrices that are to become resident; and when two of them have memory in common.
  void requireNoAlias(const std::vector<const Storage *> &matrices) const;

private:
  bool allocate(MatrixHomes &matrix);
  void release(MatrixHomes &matrix);

  Homes &homes_;         ///< constant during a run
  TileBuffers &buffers_; ///< buffers with the accelerators' memory
};

} // namespace tla::runtime
