#include "dsl/base/text.hpp"
#include "runtime/host/problem/problem.hpp"
#include "runtime/host/ranks/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <tuple>
#include <vector>

namespace tla::host {
namespace {

template <typename T> bool isFinite(T value) {
  if constexpr (isComplex<T>)
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  else
    return std::isfinite(value);
}
template <typename T> std::complex<double> widen(T value) { return std::complex<double>(value); }

/// Keeps the first objection in column-major order, whatever the order in which threads raise them.
class Objections {
public:
  void raise(long row, long column, const std::string &text) {
    const std::lock_guard lock(mutex_);
    if (std::tie(column, row) < std::tie(column_, row_))
      std::tie(column_, row_, text_) = std::tie(column, row, text);
  }
  /// The first of all ranks'.
  void rethrow(Ranks &ranks) const {
    std::string first;
    for (const std::string &text : ranks.exchange(text_.empty() ? "" : format("%020ld%020ld", column_, row_) + text_))
      if (!text.empty() && (first.empty() || text < first))
        first = text;
    if (!first.empty())
      throw UsageError(first.substr(40));
  }

private:
  std::mutex mutex_;
  long row_ = std::numeric_limits<long>::max(), column_ = row_;
  std::string text_;
};

/// Looks at the elements of a file as they come in.
class FileInspector {
public:
  explicit FileInspector(const ProblemMatrix &matrix) : matrix_(matrix) {}

  void inspect(const BlockRef &block) {
    if (block.type == ElementType::I)
      return;
    withNumberType(block.type, [&](auto zero) {
      using T = decltype(zero);
      requireFinite<T>(block);
      if (matrix_.hermitian && !matrix_.file->shape().hermitian)
        requireHermitian<T>(block);
    });
  }
  /// The elements of a tile that the matrix does not have, and of a Hermitian matrix those of its mirror image.
  void requireZero(int i, int j) {
    requireZeros(i, j);
    if (matrix_.hermitian && !matrix_.file->shape().hermitian && i != j)
      requireZeros(j, i);
  }
  void rethrow(Ranks &ranks) const { objections_.rethrow(ranks); }

private:
  void requireZeros(int i, int j) {
    if (matrix_.parameter->type == ElementType::I)
      return requireZerosOf<int>(i, j);
    withNumberType(matrix_.parameter->type, [&](auto zero) { requireZerosOf<decltype(zero)>(i, j); });
  }

  template <typename T> void requireZerosOf(int i, int j) {
    const Storage &storage = **matrix_.storage;
    const int m = storage.tileRows(i), n = storage.tileCols(j);
    const long row = static_cast<long>(i) * storage.mb(), column = static_cast<long>(j) * storage.nb();
    std::vector<T> elements(static_cast<std::size_t>(m) * n);
    matrix_.source->fill({matrix_.parameter->type, elements.data(), row, column, m, n, m});
    const auto found = std::ranges::find_if(elements, [](const T &value) { return value != T(0); });
    if (found == elements.end())
      return;
    const long number = found - elements.begin();
    objections_.raise(row + number % m, column + number / m,
                      element(row + number % m, column + number / m) + " is not zero in " + matrix_.file->path() +
                          ", but lies in tile " + matrix_.parameter->name + format("(%d, %d)", i, j) +
                          ", which --pattern leaves out");
  }

  template <typename T> void requireFinite(const BlockRef &block) {
    for (int j = 0; j < block.n; ++j)
      for (int i = 0; i < block.m; ++i)
        if (const T value = static_cast<const T *>(block.data)[i + static_cast<long>(j) * block.ld]; !isFinite(value)) {
          if (!referenced(block.row + i, block.column + j))
            continue;
          raiseNonFinite(block.row + i, block.column + j, widen(value));
          return;
        }
  }

  /// LAPACK does not look at the other triangle of a triangular factor, so neither do we.
  bool referenced(long row, long column) const {
    const Shape shape = matrix_.parameter->shape;
    return shape == Shape::General || matrix_.hermitian || (shape == Shape::Lower ? row >= column : row <= column);
  }

  /// Compares the block with the conjugate of its mirror image in the file, which nobody else looks at.
  template <typename T> void requireHermitian(const BlockRef &block) {
    std::vector<T> mirror(static_cast<std::size_t>(block.m) * block.n);
    matrix_.source->fill({block.type, mirror.data(), block.column, block.row, block.n, block.m, block.n});
    if (raiseNonFiniteMirror(block, mirror))
      return;
    double largest = 0;
    for (const T &element : mirror)
      largest = std::max(largest, std::abs(widen(element)));
    for (int j = 0; j < block.n; ++j)
      for (int i = 0; i < block.m; ++i) {
        const T a = static_cast<const T *>(block.data)[i + static_cast<long>(j) * block.ld];
        const T b = mirror[j + static_cast<std::size_t>(i) * block.n];
        if (nearlyEqual(a, conjugate(b), largest))
          continue;
        raiseAsymmetry(block.row + i, block.column + j, widen(a), widen(b));
        return;
      }
  }

  template <typename T> bool raiseNonFiniteMirror(const BlockRef &block, const std::vector<T> &mirror) {
    for (std::size_t p = 0; p < mirror.size(); ++p)
      if (!isFinite(mirror[p])) {
        raiseNonFinite(block.column + static_cast<long>(p % block.n), block.row + static_cast<long>(p / block.n),
                       widen(mirror[p]));
        return true;
      }
    return false;
  }

  /// Within 8 units of rounding of the coarser of the file's and our precision; or of n units of the largest element
  /// around, as those of a product A A^H are whose terms cancel.
  template <typename T> bool nearlyEqual(T a, T b, double largest) const {
    const double epsilon = matrix_.file->shape().singlePrecision
                               ? std::numeric_limits<float>::epsilon()
                               : static_cast<double>(std::numeric_limits<RealType<T>>::epsilon());
    const double difference = std::abs(widen(a) - widen(b));
    return difference <= epsilon * std::max(8 * std::max(std::abs(widen(a)), std::abs(widen(b))),
                                            static_cast<double>(matrix_.extent.rows) * largest);
  }

  void raiseNonFinite(long row, long column, std::complex<double> value) {
    objections_.raise(row, column,
                      element(row, column) + " is " + formatNumber(value) + " (" + matrix_.file->path() + ")");
  }

  void raiseAsymmetry(long row, long column, std::complex<double> value, std::complex<double> mirror) {
    const bool complexType = isComplexType(matrix_.parameter->type);
    std::string text = element(row, column) + " = " + formatNumber(value);
    if (row == column)
      text += ": the diagonal of a Hermitian matrix is real";
    else
      text += " but " + element(column, row) + " = " + formatNumber(mirror) + ": not " +
              (complexType ? "Hermitian" : "symmetric");
    objections_.raise(row, column, text + " (" + matrix_.file->path() + ")");
  }

  /// 1-based, as LAPACK's info counts.
  std::string element(long row, long column) const {
    return std::string(matrix_.parameter->name) + "(" + std::to_string(row + 1) + ", " + std::to_string(column + 1) +
           ")";
  }

  const ProblemMatrix &matrix_;
  Objections objections_;
};
} // namespace

/// Nothing of a file may be lost with tiles that are not there.
static void requireZeros(const Problem &problem, const ProblemMatrix &matrix, FileInspector &inspector) {
  const Storage &storage = **matrix.storage;
  if (!storage.hasPattern() || problem.patterns->path(*matrix.parameter) == matrix.file->path())
    return;
  const Shape shape = storage.shape();
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i) {
      const bool isOther = shape != Shape::General && (shape == Shape::Lower ? i < j : i > j);
      if (!isOther && !storage.stores(i, j) && matrix.placement->owns(storage, i, j))
        inspector.requireZero(i, j);
    }
}

void fillMatrices(Problem &problem, const Team &team) {
  for (ProblemMatrix &matrix : problem.matrices) {
    Storage &storage = **matrix.storage;
    FileInspector inspector(matrix);
    forEachTile(team.executor, storage, [&](int i, int j) {
      const BlockRef block{matrix.parameter->type,
                           storage.tile(i, j),
                           static_cast<long>(i) * storage.mb(),
                           static_cast<long>(j) * storage.nb(),
                           storage.tileRows(i),
                           storage.tileCols(j),
                           storage.ld(i)};
      matrix.source->fill(block);
      if (matrix.file)
        inspector.inspect(block);
    });
    if (matrix.file) {
      requireZeros(problem, matrix, inspector);
      inspector.rethrow(team.ranks);
    }
  }
}

} // namespace tla::host
