#include "runtime/host/check/products.hpp"

#include <algorithm>

namespace tla::host {
namespace {
constexpr int stripColumns = 32; // a strip of a tile stays in the level-2 cache

/// The sum of conj(a_i) b_i, or of a_i b_i, in partial sums so that it runs at the speed of memory.
template <bool conjugated, typename Value> Value dot(const Value *a, const Value *b, int length) {
  const auto factor = [](Value value) { return conjugated ? conjugate(value) : value; };
  Value sums[4] = {};
  int i = 0;
  for (; i + 4 <= length; i += 4)
    for (int s = 0; s < 4; ++s)
      sums[s] += factor(a[i + s]) * b[i + s];
  for (; i < length; ++i)
    sums[0] += factor(a[i]) * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// y += A x for `columns` columns of A, four at a time: that many fewer passes over y.
template <typename Value> void addColumns(const Value *a, int rows, int columns, const Value *x, Value *y) {
  const long next = rows;
  int c = 0;
  for (; c + 4 <= columns; c += 4, a += 4 * next)
    for (int i = 0; i < rows; ++i)
      y[i] += (a[i] * x[c] + a[i + next] * x[c + 1]) + (a[i + 2 * next] * x[c + 2] + a[i + 3 * next] * x[c + 3]);
  for (; c < columns; ++c, a += next)
    for (int i = 0; i < rows; ++i)
      y[i] += a[i] * x[c];
}

/// Emits tile pairs so that neighbouring steps touch different blocks and run in parallel. For a mirrored matrix,
/// round r holds the pairs with i + j = r (mod mt), in which every block occurs once.
template <typename Emit> void listSteps(int mt, int nt, Form form, const Emit &emit) {
  if (form == Form::Plain) {
    for (int j = 0; j < nt; ++j)
      for (int i = 0; i < mt; ++i)
        emit({i, j, i, i});
  } else if (form == Form::ConjTrans) {
    for (int i = 0; i < mt; ++i)
      for (int j = 0; j < nt; ++j)
        emit({i, j, j, j});
  } else {
    for (int r = 0; r < mt; ++r)
      for (int i = 0; i < mt; ++i)
        if (const int j = (r - i + mt) % mt; i >= j)
          emit({i, j, i, j});
  }
}
} // namespace

template <typename T>
Product<T>::Product(const Operand<T> &A, Form form, Vectors<Value> X, Sums sums)
    : A_(A), form_(form), X_(std::move(X)), Y_(form == Form::ConjTrans ? A.n() : A.m(), X_.count),
      sums_(sums == Sums::Wanted ? static_cast<std::size_t>(Y_.length) : 0) {}

template <typename T> void Product<T>::run(const Team &team) {
  const int blocks = form_ == Form::ConjTrans ? A_.nt() : A_.mt();
  forEachStep(
      team.executor, blocks,
      [&](const auto &emit) {
        listSteps(A_.mt(), A_.nt(), form_, [&](const BlockStep &step) {
          if (A_.isHere(step.i, step.j) && A_.nonZero(step.i, step.j) && !(sums_.empty() && meetsZeros(step.i, step.j)))
            emit(step);
        });
      },
      [&](int i, int j) { tile(i, j); });
  team.ranks.sum(Y_.values);
  if (!sums_.empty())
    team.ranks.sum(sums_);
}

template <typename T> bool Product<T>::meetsZeros(int i, int j) const {
  const auto zero = [&](int block, int length) {
    for (int v = 0; v < X_.count; ++v) {
      const Value *const x = X_.column(v) + static_cast<long>(block) * A_.nb();
      if (!std::all_of(x, x + length, [](Value value) { return value == Value(0); }))
        return false;
    }
    return true;
  };
  if (form_ == Form::Plain)
    return zero(j, A_.tileCols(j));
  return zero(i, A_.tileRows(i)) && (form_ == Form::ConjTrans || zero(j, A_.tileCols(j)));
}

template <typename T> void Product<T>::tile(int i, int j) {
  const bool plain = form_ != Form::ConjTrans;
  const bool transposed = form_ == Form::ConjTrans || (mirrored() && i != j);
  const int rows = A_.tileRows(i), columns = A_.tileCols(j);
  const long row = static_cast<long>(i) * A_.nb();
  std::vector<Value> strip;
  for (int first = 0; first < columns; first += stripColumns) {
    const int count = std::min(stripColumns, columns - first);
    const long col = static_cast<long>(j) * A_.nb() + first;
    A_.read(i, j, first, count, strip);
    if (absolute_)
      for (Value &element : strip)
        element = magnitude(element);
    for (int v = 0; v < X_.count; ++v) {
      if (plain)
        addColumns(strip.data(), rows, count, X_.column(v) + col, Y_.column(v) + row);
      for (int c = 0; transposed && c < count; ++c) {
        const Value *const a = strip.data() + static_cast<std::size_t>(c) * rows, *const x = X_.column(v) + row;
        Y_.column(v)[col + c] += form_ == Form::Symmetric ? dot<false>(a, x, rows) : dot<true>(a, x, rows);
      }
    }
    for (int c = 0; !sums_.empty() && c < count; ++c)
      addSums(strip.data() + static_cast<std::size_t>(c) * rows, rows, row, col + c, plain, transposed);
  }
}

template <typename T>
void Product<T>::addSums(const Value *a, int rows, long row, long col, bool plain, bool transposed) {
  Real sum = 0;
  for (int i = 0; i < rows; ++i) {
    const Real size = magnitude(a[i]);
    sum += size;
    if (plain)
      sums_[row + i] += size;
  }
  if (transposed)
    sums_[col] += sum;
}

template class Product<Fast<float>>;
template class Product<Fast<double>>;
template class Product<Fast<std::complex<float>>>;
template class Product<Fast<std::complex<double>>>;
template class Product<Wide<double>>;
template class Product<Wide<std::complex<double>>>;

} // namespace tla::host
