// Eigenvalues and eigenvectors of a Hermitian matrix on tiles: all runs of algorithms/heev.tla, and what it needs of a
// caller's arrays.
#pragma once

#include "lapack/tiles.hpp"

#include <memory>
#include <new>

namespace tla::lapack {

/// One triangle of a caller's column-major array. A's diagonal is real, whatever its imaginary parts are said to be.
template <typename T> struct HermitianArray {
  Uplo uplo;
  T *a;
  long n, lda;
};

/// Memory for n x n elements whose values are not set: std::vector would write them all first. Throws std::bad_alloc.
template <typename T> class SquareBuffer {
public:
  explicit SquareBuffer(long n) : memory_(static_cast<T *>(::operator new(sizeof(T) * n * n))) {}
  T *data() const { return memory_.get(); }

private:
  struct Free {
    void operator()(T *memory) const { ::operator delete(memory); }
  };
  std::unique_ptr<T, Free> memory_;
};

/// Writes A's lower triangle to a column-major array of columns n elements apart: the conjugate transpose of an upper
/// one. The rest of `lower` is left as it is.
template <typename T> void copyLower(const HermitianArray<T> &A, T *lower);
/// The way back: `lower` becomes the triangle that A has.
template <typename T> void copyFromLower(const T *lower, const HermitianArray<T> &A);

/// False when a NaN or an infinity is in A's triangle.
template <typename T> bool isFinite(const HermitianArray<T> &A);

/// The eigenvalues from number `first` to number `last`, counted from 1 in ascending order.
struct EigenRange {
  long first, last;
  long count() const { return last - first + 1; }
};

/// The order of tiles for a problem of this size, which is the width of the band between the two reductions: the second
/// reduction is the slower the wider the band is, the first one and all products the faster.
int eigenTile(long n);

/// Throws NotStarted where the memory for a run does not suffice, before anything is computed: with little of it a run
/// would end half-way.
template <typename T> void requireEigenMemory(long n, bool vectors, bool copies);

/// Writes range.count() eigenvalues to w. A is overwritten when its triangle is the lower one; of an upper one a copy
/// is. Returns info: > 0 when an eigenvalue was not found.
template <typename T>
int eigenvalues(Tiles &tiles, const HermitianArray<T> &A, const EigenRange &range, RealType<T> *w);

/// Writes the eigenvectors to the n x range.count() array z, too, which may be A's.
template <typename T>
int eigenvectors(Tiles &tiles, const HermitianArray<T> &A, const EigenRange &range, RealType<T> *w, T *z, long ldz);

} // namespace tla::lapack
