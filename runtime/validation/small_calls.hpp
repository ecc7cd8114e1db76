// Calls of an algorithm that are small enough to be tried in large numbers.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tla::runtime {

/// Sizes and scalars of one call.
struct SmallCall {
  Values values{}; ///< values without scalars
  long nb = 1;
  Cut cut{};
  std::vector<ScalarValue> scalars{};
  std::uint64_t seed = 0; ///< seed of the matrices
  bool sparse = false;    ///< not all of their tiles are there; which, the seed says
};

/// The most tiles in a dimension of the calls to try.
inline constexpr int mostTilesOfCalls = 33;

/// The calls to try, the smallest first: for the usual scalars all combinations of 0 .. 6 tiles in each dimension, the
/// last tiles full and not, and some of more than `period` tiles, up to a period of 16; then the same sizes, fewer the
/// more there are, with each other choice of scalars. Deterministic.
std::vector<SmallCall> smallCalls(const Algorithm &algorithm, int period);

/// Number `number` of a sequence that begins with no elements at all, single ones and whole tiles, and goes on with
/// sizes of up to four tiles, and scalars, at random.
SmallCall randomCall(const Algorithm &algorithm, int number);

/// "m = 5, n = 7, nb = 4 in slices of 1, 3, opA = Trans, alpha = 0.25"
std::string describe(const Algorithm &algorithm, const SmallCall &call);

/// A matrix of the call, without memory for its elements; nothing for sizes that make no sense.
std::optional<StorageRef> makeStorage(const MatrixParameter &matrix, const SmallCall &call, std::size_t elementBytes,
                                      Cut cut);

/// The matrices of a call, without memory for their elements. Borrows the call.
class SmallMatrices {
public:
  SmallMatrices(const Algorithm &algorithm, const SmallCall &call);
  /// False where the sizes of one make no sense: nothing can be called then.
  bool exist() const { return exist_; }
  Arguments arguments() const { return {pointers_.data(), scalars_}; }

private:
  std::vector<StorageRef> storages_;
  std::vector<Storage *> pointers_;
  const ScalarValue *scalars_;
  bool exist_ = true;
};

} // namespace tla::runtime
