// Calls of an algorithm that are small enough to be tried in large numbers.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <string>
#include <vector>

namespace tla::runtime {

/// Sizes and scalars of one call.
struct SmallCall {
  Values values; ///< without scalars
  long nb = 0;
  Cut cut;
  std::vector<ScalarValue> scalars;
};

/// The calls to try, the smallest first: for the usual scalars all combinations of 0 .. 6 tiles in each dimension, the
/// last tiles full and not, and some of more than `period` tiles; then the same sizes, fewer the more there are, with
/// each other choice of scalars. Deterministic.
std::vector<SmallCall> smallCalls(const Algorithm &algorithm, int period);

/// "m = 5, n = 7, nb = 4, opA = 112"
std::string describe(const Algorithm &algorithm, const SmallCall &call);

/// The matrices of a call, without memory for their elements. Borrows the call.
class SmallMatrices {
public:
  SmallMatrices(const Algorithm &algorithm, const SmallCall &call);
  /// False where a size would be negative: nothing can be called then.
  bool exist() const { return exist_; }
  Arguments arguments() const { return {pointers_.data(), scalars_}; }

private:
  void add(const MatrixParameter &matrix, const Values &values, const SmallCall &call);

  std::vector<StorageRef> storages_;
  std::vector<Storage *> pointers_;
  const ScalarValue *scalars_;
  bool exist_ = true;
};

} // namespace tla::runtime
