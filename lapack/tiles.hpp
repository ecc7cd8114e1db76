// A LAPACK call's arrays as matrices of tiles, and the runs over them.
#pragma once

#include "lapack/lease.hpp"

#include <initializer_list>
#include <stdexcept>
#include <vector>

namespace tla::lapack {

using Scalars = std::vector<runtime::ScalarValue>;

/// Nothing was computed and no argument was touched: the next library can still do the call.
class NotStarted : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Because of the numbers in a matrix, which LAPACK's own routines treat alike all the way down: none of their parts is
/// to come onto tiles.
class LeftToLapack : public NotStarted {
  using NotStarted::NotStarted;
};

/// Says so and ends the process: LAPACK has no way to report it.
[[noreturn]] void endHalfWay(const char *name, const char *reason);

/// The means of one call: an executor and a tile size. The arrays stay where they are, columns lda apart. Sizes and
/// leading dimensions are below 2^31 (see perform()), elements need not be.
class Tiles {
public:
  Tiles(const Lease &lease, int nb) : executor_(lease.executor()), nb_(nb) {}

  int nb() const { return nb_; }
  int threads() const { return executor_.threads(); }
  /// The arguments may have changed: nobody else can do the call any more.
  bool hasRun() const { return hasRun_; }

  template <typename T> StorageRef general(const T *array, long m, long n, long lda) const {
    return window(const_cast<T *>(array), m, n, lda, sizeof(T), Shape::General);
  }
  /// One triangle of a square array; the other is not referenced.
  template <typename T> StorageRef triangle(Uplo uplo, const T *array, long n, long lda) const {
    return window(const_cast<T *>(array), n, n, lda, sizeof(T), uplo == Uplo::Lower ? Shape::Lower : Shape::Upper);
  }

  /// Matrices and scalars in the order of the algorithm's description; scalars that are not given have their defaults.
  /// Returns LAPACK's info. Throws NotStarted, from the first run of a call only; ends the process when the call fails
  /// half-way, as for want of memory.
  int run(const runtime::Algorithm &algorithm, std::initializer_list<StorageRef> matrices, const Scalars &scalars = {});

private:
  StorageRef window(void *array, long m, long n, long lda, std::size_t elementBytes, Shape shape) const;

  runtime::Executor &executor_;
  int nb_;
  bool hasRun_ = false;
};

} // namespace tla::lapack
