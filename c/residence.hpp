// Matrices of a C caller that stay with the devices over several calls.
#pragma once

#include "c/include/hetc.h"

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace hetc {

/// Every call names its matrices by their arrays; while they are resident the runtime knows them as the storages that
/// were made for them first. Any thread; each executor has one, and all know of each other.
class Residence {
public:
  Residence();
  Residence(const Residence &) = delete;
  Residence &operator=(const Residence &) = delete;
  ~Residence();

  /// The storage of the array; null: it is not resident. Throws tla::UsageError when elements of it are resident as
  /// another matrix, of another size, type or part, or with another executor.
  tla::Storage *find(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter) const;
  /// The storages of those windows that are resident; other windows are skipped.
  std::vector<const tla::Storage *> storagesOf(const hetc_matrix *windows, int count) const;
  std::vector<const tla::Storage *> storages() const;
  /// The size of tiles that all resident matrices have; 0: there are none.
  int tile() const;
  /// Adds a window for which find() has found nothing.
  void add(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter, const tla::StorageRef &storage);
  /// Removes storages whose residence has ended.
  void remove(const std::vector<const tla::Storage *> &storages);

private:
  struct Matrix {
    hetc_matrix window;
    tla::runtime::ElementType type;
    tla::Shape part;
    const char *name;
    tla::StorageRef storage;
  };
  std::vector<Matrix> matrices_; ///< guarded by the mutex that all residences share
};

} // namespace hetc
