// Matrices of a C caller that stay with the devices over several calls.
#pragma once

#include "c/include/hetc.h"

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace hetc {

/// Every call names its matrices by their arrays; while they are resident the runtime knows them as the storages that
/// were made for them first.
class Residence {
public:
  /// The storage of the array; null: it is not resident. Throws tla::UsageError when it is resident as another matrix:
  /// of another size, type or part, or not from its beginning.
  tla::Storage *find(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter) const;
  /// The size of tiles that all resident matrices have; 0: there are none.
  int tile() const { return matrices_.empty() ? 0 : matrices_.front().storage->nb(); }
  bool empty() const { return matrices_.empty(); }
  /// find() has found none.
  void add(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter, const tla::StorageRef &storage);
  /// Behind Executor::endResidence().
  void clear() { matrices_.clear(); }

private:
  struct Matrix {
    hetc_matrix window;
    tla::runtime::ElementType type;
    tla::Shape part;
    const char *name;
    tla::StorageRef storage;
  };
  std::vector<Matrix> matrices_;
};

} // namespace hetc
