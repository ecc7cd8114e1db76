#include "dsl/base/text.hpp"
#include "runtime/host/problem/problem.hpp"
#include "runtime/host/ranks/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
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

  void inspect(const Block &block) {
    if (block.type == ElementType::I)
      return;
    withNumberType(block.type, [&](auto zero) {
      using T = decltype(zero);
      requireFinite<T>(block);
      if (matrix_.hermitian)
        requireHermitian<T>(block);
    });
  }
  /// The elements of a tile that the matrix does not have.
  void requireZeros(int i, int j) {
    if (matrix_.parameter->type == ElementType::I)
      return requireZerosOf<int>(i, j);
    withNumberType(matrix_.parameter->type, [&](auto zero) { requireZerosOf<decltype(zero)>(i, j); });
  }
  void rethrow(Ranks &ranks) const { objections_.rethrow(ranks); }

private:
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

  template <typename T> void requireFinite(const Block &block) {
    for (int j = 0; j < block.n; ++j)
      for (int i = 0; i < block.m; ++i)
        if (const T value = static_cast<const T *>(block.elements)[i + static_cast<long>(j) * block.ld];
            !isFinite(value)) {
          if (!referenced(block.row + i, block.column + j))
            continue;
          raiseNonFinite(block.row + i, block.column + j, widen(value));
          return;
        }
  }

  /// LAPACK does not look at the other triangle, so neither do we.
  bool referenced(long row, long column) const {
    const Shape shape = matrix_.parameter->shape;
    return shape == Shape::General || (shape == Shape::Lower ? row >= column : row <= column);
  }

  /// The triangle that is read can tell two things that contradict: a diagonal that is not real, and elements whose
  /// mirror images, as the file's banner has them, are not their conjugates.
  template <typename T> void requireHermitian(const Block &block) {
    for (int j = 0; j < block.n; ++j)
      for (int i = 0; i < block.m; ++i) {
        const long row = block.row + i, column = block.column + j;
        const std::complex<double> value =
            widen(static_cast<const T *>(block.elements)[i + static_cast<long>(j) * block.ld]);
        if (!referenced(row, column) || isHermitian(row, column, value))
          continue;
        objections_.raise(row, column, element(row, column) + " = " + formatNumber(value) + whyNot(row == column));
        return;
      }
  }
  bool isHermitian(long row, long column, std::complex<double> value) const {
    using Mirror = FileShape::Mirror;
    const Mirror mirror = matrix_.file->shape().mirror;
    if (row == column || mirror == Mirror::Equal)
      return value.imag() == 0;
    return mirror != Mirror::Negative || value.real() == 0;
  }
  std::string whyNot(bool diagonal) const {
    const std::string where = " (" + matrix_.file->path() + ")";
    if (diagonal)
      return ": the diagonal of a Hermitian matrix is real" + where;
    const char *const banner =
        matrix_.file->shape().mirror == FileShape::Mirror::Equal ? "symmetric" : "skew-symmetric";
    return std::string(" in a file that says '") + banner + "': not " +
           (isComplexType(matrix_.parameter->type) ? "Hermitian" : "symmetric") + where;
  }

  void raiseNonFinite(long row, long column, std::complex<double> value) {
    objections_.raise(row, column,
                      element(row, column) + " is " + formatNumber(value) + " (" + matrix_.file->path() + ")");
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
      pollInterruption();
      if (!isOther && !storage.stores(i, j) && matrix.placement->owns(storage, i, j))
        inspector.requireZeros(i, j);
    }
}

/// Calls visit(block) for blocks of columns of the tile, one after the other, which take some milliseconds each; ends
/// when the process is asked to.
static void forEachStrip(const Block &tile, const std::function<void(const Block &)> &visit) {
  constexpr int most = 1 << 20; // elements
  const int width = std::max(1, most / std::max(1, tile.m));
  const std::size_t bytes = elementBytes(tile.type);
  for (int first = 0; first < tile.n && !interruptionWanted; first += width) {
    Block block = tile;
    block.elements = static_cast<char *>(tile.elements) + static_cast<std::size_t>(first) * tile.ld * bytes;
    block.column += first;
    block.n = std::min(width, tile.n - first);
    visit(block);
  }
}

void fillMatrices(Problem &problem, const Team &team) {
  for (ProblemMatrix &matrix : problem.matrices) {
    Storage &storage = **matrix.storage;
    FileInspector inspector(matrix);
    forEachTile(team.executor, storage, [&](int i, int j) {
      const Block tile{matrix.parameter->type,
                       storage.tile(i, j),
                       static_cast<long>(i) * storage.mb(),
                       static_cast<long>(j) * storage.nb(),
                       storage.tileRows(i),
                       storage.tileCols(j),
                       storage.ld(i)};
      forEachStrip(tile, [&](const Block &block) {
        matrix.source->fill(block);
        if (matrix.file)
          inspector.inspect(block);
      });
    });
    pollInterruption(); // a tile may have been left half filled
    if (matrix.file) {
      requireZeros(problem, matrix, inspector);
      inspector.rethrow(team.ranks);
    }
  }
}

} // namespace tla::host
