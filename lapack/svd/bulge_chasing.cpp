#include "lapack/svd/bulge_chasing.hpp"

#include "dsl/base/thread.hpp"
#include "lapack/svd/reflector.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <system_error>
#include <thread>

namespace tla::lapack {

template <typename T>
BulgeChasing<T>::BulgeChasing(long n, long bandwidth, bool keepsP)
    : n_(n), bandwidth_(std::clamp(bandwidth, 1L, std::max(1L, n - 1))), stride_(3 * bandwidth_ - 1),
      band_(stride_ * n), vectors_(keepsP ? n * (n - 1) / 2 : 0), diagonal_(n), superdiagonal_(n - 1), done_(n) {}

template <typename T> void BulgeChasing<T>::load(const T *array, long lda) {
  Real largest = 0;
  std::fill(band_.begin(), band_.end(), T(0));
  for (long j = 0; j < n_; ++j)
    for (long i = std::max(0L, j - bandwidth_); i <= j; ++i) {
      *at(i, j) = array[i + j * lda];
      largest = std::max(largest, magnitudeOf(*at(i, j)));
    }
  if (largest == 0)
    return;
  exponent_ = std::ilogb(largest);
  for (T &element : band_)
    element = timesPowerOfTwo(element, -exponent_);
}

/// Eliminates the elements of a row behind `column`, the first of `length`, from the right: these columns have elements
/// in this row and all below it to the end of their diagonal block.
template <typename T> void BulgeChasing<T>::eliminateRow(long sweep, long row, long column, long length, T *v) {
  for (long j = 0; j < length; ++j)
    v[j] = conjugate(*at(row, column + j));
  const T tau = makeReflector(length, v);
  *at(row, column) = v[0];
  for (long j = 1; j < length; ++j)
    *at(row, column + j) = T(0);
  if (!vectors_.empty()) {
    T *const kept = vectors_.data() + firstOfP(sweep) + (column - sweep - 1);
    std::copy(v, v + length, kept);
    kept[0] = tau;
  }
  v[0] = T(1);
  reflectRight(v, tau, length, at(row + 1, column), stride_ - 1, column + length - row - 1);
}

/// Eliminates what lies below the diagonal in `column`, in a diagonal block of `length`, from the left: its rows go on
/// to a bandwidth behind the block.
template <typename T>
void BulgeChasing<T>::eliminateColumn(long column, long length, const RightHandSides &rightHandSides, T *v) {
  T *const x = at(column, column);
  std::copy(x, x + length, v);
  const T tau = makeReflector(length, v);
  x[0] = v[0];
  std::fill(x + 1, x + length, T(0));
  v[0] = T(1);
  const long behind = std::min(2 * bandwidth_, n_ - column) - 1;
  reflectLeft(v, conjugate(tau), length, at(column, column + 1), stride_ - 1, behind);
  if (rightHandSides.columns > 0)
    reflectLeft(v, conjugate(tau), length, rightHandSides.C + column, rightHandSides.ldc, rightHandSides.columns);
}

/// Sweep s makes row s bidiagonal. Its chunk 0 does that, and leaves a bulge behind the band, whose first row and then
/// column chunk 1 eliminates, and so on to the end: the rest of each bulge is the next sweep's, one row further down.
template <typename T> void BulgeChasing<T>::chase(long sweep, long chunk, const RightHandSides &rightHandSides, T *v) {
  const long column = sweep + 1 + chunk * bandwidth_, row = chunk == 0 ? sweep : column - bandwidth_;
  const long length = std::min(bandwidth_, n_ - column);
  eliminateRow(sweep, row, column, length, v);
  eliminateColumn(column, length, rightHandSides, v);
}

/// The sweeps of a group by one thread, each some chunks behind the one before it: what one has left in the cache the
/// next one takes up, and threads wait for each other once for many chunks.
template <typename T> void BulgeChasing<T>::work(const RightHandSides &rightHandSides, T *v) {
  for (long first; (first = nextSweep_.fetch_add(group_)) < n_ - 1;) {
    const long sweeps = std::min(group_, n_ - 1 - first);
    for (long step = 0; step < chunks(first) + distance * (sweeps - 1); ++step)
      for (long sweep = 0; sweep < sweeps; ++sweep) {
        const long chunk = step - distance * sweep;
        if (chunk < 0 || chunk >= chunks(first + sweep))
          continue;
        if (sweep == 0)
          waitForGroupBefore(first, chunk);
        chase(first + sweep, chunk, rightHandSides, v);
        if (sweep == sweeps - 1) {
          done_[first / group_].store(chunk + 1, std::memory_order_release);
          done_[first / group_].notify_one(); // the next group's thread
        }
      }
  }
}

template <typename T> void BulgeChasing<T>::waitForGroupBefore(long first, long chunk) const {
  if (first == 0)
    return;
  // Some 100 us, as a chunk takes ten; then the core is others': there may be fewer of them than threads.
  constexpr int looks = 200;
  const long wanted = std::min(chunk + distance, chunks(first - 1));
  const std::atomic<long> &done = done_[first / group_ - 1];
  long seen;
  for (int look = 0; (seen = done.load(std::memory_order_acquire)) < wanted; ++look)
    if (look < looks)
      std::this_thread::yield();
    else
      done.wait(seen, std::memory_order_acquire);
}

template <typename T> void BulgeChasing<T>::reduce(int threads, T *C, long columns, long ldc) {
  const RightHandSides rightHandSides{C, columns, ldc};
  T first = *at(0, 0); // made real by a reflector of length one
  const T tau = makeReflector(1, &first);
  const T one = 1;
  *at(0, 0) = first;
  reflectLeft(&one, conjugate(tau), 1, at(0, 1), stride_ - 1, std::min(bandwidth_, n_ - 1));
  reflectLeft(&one, conjugate(tau), 1, C, ldc, columns);

  const long useful = std::clamp(chunks(0) / (4 * distance), 1L, static_cast<long>(threads));
  group_ = useful == 1 ? largestGroup : std::clamp(chunks(0) / (2 * distance * (useful - 1)), 1L, largestGroup);
  std::vector<T> vectors(useful * bandwidth_);
  std::vector<Thread> others;
  others.reserve(useful);
  try {
    for (long thread = 1; thread < useful; ++thread)
      others.emplace_back([&, thread] { work(rightHandSides, vectors.data() + thread * bandwidth_); });
  } catch (const std::system_error &) { // there are no more: those that there are do all
  }
  work(rightHandSides, vectors.data());
  others.clear();

  for (long i = 0; i < n_; ++i)
    diagonal_[i] = std::scalbn(std::real(*at(i, i)), exponent_);
  for (long i = 0; i + 1 < n_; ++i)
    superdiagonal_[i] = std::scalbn(std::real(*at(i, i + 1)), exponent_);
}

template <typename T> void BulgeChasing<T>::applyP(int threads, T *C, long columns, long ldc) const {
  const long useful = std::clamp(columns / 4, 1L, static_cast<long>(threads)); // each has columns of its own
  std::vector<T> vectors(useful * bandwidth_);
  const auto work = [&](long part) {
    const long first = columns * part / useful, end = columns * (part + 1) / useful;
    T *const v = vectors.data() + part * bandwidth_;
    for (long sweep = n_ - 2; sweep >= 0; --sweep)
      for (long chunk = 0; chunk < chunks(sweep); ++chunk) { // in any order: they share no row of C
        const long row = sweep + 1 + chunk * bandwidth_, length = std::min(bandwidth_, n_ - row);
        const T *const kept = vectors_.data() + firstOfP(sweep) + chunk * bandwidth_;
        std::copy(kept, kept + length, v);
        v[0] = T(1);
        reflectLeft(v, kept[0], length, C + row + first * ldc, ldc, end - first);
      }
  };
  std::vector<Thread> others;
  others.reserve(useful);
  long part = 1;
  try {
    for (; part < useful; ++part)
      others.emplace_back([&work, part] { work(part); });
  } catch (const std::system_error &) { // there are no more: the rest is this thread's
  }
  work(0);
  for (; part < useful; ++part)
    work(part);
}

template class BulgeChasing<float>;
template class BulgeChasing<double>;
template class BulgeChasing<std::complex<float>>;
template class BulgeChasing<std::complex<double>>;

} // namespace tla::lapack
