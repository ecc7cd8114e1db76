// Small matrices for the parameters of an algorithm, and how far those of two runs are apart.
#pragma once

#include "runtime/validation/small_calls.hpp"

#include <complex>
#include <optional>
#include <string>
#include <vector>

namespace tla::runtime::validation {

/// All of an algorithm's matrices for one call: the same elements in whatever tiles.
class Sample {
public:
  /// Tiles are cut as the call says, if `cut` and the parameter says so.
  Sample(const Algorithm &algorithm, const SmallCall &call, bool cut);

  /// False where the algorithm asks for matrices of negative sizes.
  bool exists() const { return exists_; }
  std::size_t elements() const;
  Arguments arguments() const { return {pointers_.data(), scalars_}; }
  Storage &storage(std::size_t matrix) const { return *storages_[matrix]; }
  std::size_t count() const { return storages_.size(); }

private:
  const ScalarValue *scalars_;
  bool exists_ = true;
  std::vector<StorageRef> storages_;
  std::vector<Storage *> pointers_;
};

/// Calls f with a value of the type.
template <typename F> auto withType(ElementType type, F &&f) {
  switch (type) {
  case ElementType::S:
    return f(float());
  case ElementType::C:
    return f(std::complex<float>());
  case ElementType::Z:
    return f(std::complex<double>());
  case ElementType::I:
    return f(int());
  case ElementType::D:
    break;
  }
  return f(double());
}

template <typename T> T &element(const Storage &storage, long i, long j) {
  const int row = static_cast<int>(i / storage.mb()), column = static_cast<int>(j / storage.nb());
  return static_cast<T *>(storage.tile(row, column))[i % storage.mb() + j % storage.nb() * storage.ld(row)];
}

/// Whether the matrix has the element: of a triangular one those of its triangle.
inline bool hasElement(const Storage &storage, long i, long j) {
  if (!storage.stores(static_cast<int>(i / storage.mb()), static_cast<int>(j / storage.nb())))
    return false;
  return storage.shape() == Shape::General || (storage.shape() == Shape::Lower ? i >= j : i <= j);
}

bool isFinite(const Storage &storage, ElementType type);

/// The largest absolute value, without NaN.
double largest(const Storage &storage, ElementType type);

struct Deviation {
  long row, column;
  std::string value, expected;
};

/// The first element that is apart by more than rounding, in relation to values of the size `scale`.
std::optional<Deviation> deviation(const Storage &actual, const Storage &expected, ElementType type, double scale);

/// How far elements are apart at most, infinitely where one is a number and the other none.
double distance(const Storage &actual, const Storage &expected, ElementType type);

} // namespace tla::runtime::validation
