// A C caller's arrays and numbers as the arguments of an algorithm.
#pragma once

#include "c/include/hetc.h"
#include "c/residence.hpp"

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/call_devices.hpp>
#include <tla/runtime/executor.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hetc {

/// The scalars of a run; with none given, all defaults. Throws tla::UsageError for another count, for a parameter
/// without default that was not given, and for a value that its parameter does not take
/// (runtime/interfaces/scalars.hpp).
std::vector<tla::runtime::ScalarValue> scalarsOf(const tla::runtime::Algorithm &algorithm, const hetc_scalar *scalars,
                                                 int count);

/// A number of rows, columns or what is between them as the runtime has it. Throws tla::UsageError for one that is
/// negative, or not below 2^31; `what`: "A is 5 x -1".
int asSize(int64_t number, const std::string &what);

/// Windows on the caller's arrays, or on this rank's parts of them, in tiles of one size, and the workspaces of a run.
class Matrices {
public:
  /// Describes the matrices in tiles of this size; with tile = 0 in one that suits, or in that of resident matrices,
  /// which matrices that are to become resident have as well. `devices`: null: there are none. Throws tla::UsageError
  /// when the matrices cannot be the algorithm's, std::bad_alloc when there is no memory for workspaces.
  Matrices(const tla::runtime::Algorithm &algorithm, const hetc_matrix *matrices, int count,
           const std::vector<tla::runtime::ScalarValue> &scalars, int tile, const tla::runtime::Executor &executor,
           tla::host::CallDevices *devices, const Residence &residence, bool isToReside = false);

  int tile() const { return tile_; }
  tla::Storage *const *storages() const { return storages_.data(); }
  /// The shares of the devices.
  const tla::runtime::DeviceShares &shares() const { return shares_; }
  /// Makes all matrices but workspaces known to the residence, and returns those that were not known before.
  std::vector<const tla::Storage *> addTo(Residence &residence, const hetc_matrix *matrices) const;

private:
  void describe(const hetc_matrix *matrices, int tile);
  int sameAs(int number, const hetc_matrix *matrices) const;
  bool hasResidents(const hetc_matrix *matrices, const Residence &residence) const;
  void wrap(const hetc_matrix *matrices, const Residence &residence);
  void wrapPart(int number, const hetc_matrix &window);
  void addWorkspaces(const tla::runtime::Values &values);

  const tla::runtime::Algorithm &algorithm_;
  const tla::runtime::Executor &executor_;
  int tile_;
  tla::runtime::DeviceShares shares_;
  std::vector<tla::StorageRef> owned_;
  std::vector<tla::Storage *> storages_; ///< one for each matrix, in the algorithm's order
};

} // namespace hetc
