// gemm of our own: the loops around the micro-kernel.
//
// Where an operand can be read in place without harm, it is: the strips of a tile that fits in the level-2 cache feed
// the micro-kernel nearly as fast as packed ones do, and packing costs time in every product.
#pragma once

#include "kernels/recursive/blocks.hpp"
#include "kernels/reference/rank_k.hpp"
#include "kernels/reference/scratch.hpp"
#include "kernels/tuned/pack.hpp"

#include <array>
#include <optional>

namespace tla::kernels::tuned {

using recursive::evenBlock;
using reference::Scratch;

/// A block of an operand, as strips for the micro-kernel. `size` elements across, in strips of `width`; the last may be
/// narrower.
template <typename T> struct Strips {
  using Real = RealType<T>;

  const T *data;    ///< of strip 0
  long between;     ///< elements from one strip to the next
  Strip<Real> form; ///< step and stride of all strips but the last
  Strip<Real> last;
  int width, size, lastWidth;

  int count() const { return (size + width - 1) / width; }
  bool isLast(int s) const { return (s + 1) * width >= size; }
  Strip<Real> operator[](int s) const {
    return isLast(s) ? last : Strip<Real>{reinterpret_cast<const Real *>(data + s * between), form.step, form.stride};
  }
};

template <typename T, GemmConfiguration g> class Gemm {
  using Real = RealType<T>;
  static constexpr int inVector = Vector<Real, g.isa>::lanes / parts<T>; // elements
  static constexpr int mr = g.vectors * inVector, nr = g.columns / parts<T>;
  static constexpr int narrow = std::max(nr / 2, 1); // of the last strip of op(B), where it suffices
  static_assert(inVector >= 1 && g.columns % parts<T> == 0 && narrow * 2 * parts<T> >= g.columns);

public:
  /// C = alpha op(A) op(B) + beta C, or that triangle of it; nothing is empty, and alpha is not 0.
  static void run(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C,
                  std::optional<Uplo> triangle = {}) {
    const int m = C.m(), n = C.n(), k = opA == Op::NoTrans ? A.n() : A.m();
    const int mb = evenBlock(m, scaled<T>(g.mc), mr), nb = evenBlock(n, scaled<T>(g.nc), nr);
    const int kb = evenBlock(k, g.kc, 8);
    const Source<T> rows = rowsOf(opA, A), columns = columnsOf(opB, B);
    const bool packA = opA != Op::NoTrans || !isReadable(rows, std::min(k, kb), n / nr);
    const bool packB = !isReadable(columns, opB == Op::NoTrans ? n : std::min(k, kb), m / mr);
    std::optional<Scratch<T>> memoryA, memoryB; // also for a last strip that is not whole
    if (packA || m % inVector != 0)
      memoryA.emplace((packA ? std::min(mb, m) + mr : mr) * std::min(kb, k), 1);
    if (packB || n % nr != 0)
      memoryB.emplace((packB ? std::min(nb, n) + nr : nr) * std::min(kb, k), 1);
    T *const packedA = memoryA ? memoryA->tile().data() : nullptr;
    T *const packedB = memoryB ? memoryB->tile().data() : nullptr;
    for (int j = 0; j < n; j += nb)
      for (int l = 0; l < k; l += kb) {
        const int depth = std::min(kb, k - l), width = std::min(nb, n - j);
        const Strips<T> b = stripsOfB(columns.from(j, l), width, depth, packB, packedB);
        for (int i = 0; i < m; i += mb) {
          const int height = std::min(mb, m - i);
          const Strips<T> a = stripsOfA(opA, rows.from(i, l), height, depth, packA, packedA);
          multiply(depth, a, b, {alpha, l ? T(1) : beta, opB == Op::ConjTrans, &C(i, j), C.ld(), height, width},
                   {triangle, i, j});
        }
      }
  }

private:
  /// From one update to the next: real numbers in op(A) and op(B), elements in C.
  struct Advance {
    long a, b, c;
  };
  /// `count` updates of the same shape.
  using Kernel = void (*)(int count, int k, Strip<Real> a, Strip<Real> b, Update<T> update, const Advance &advance);
  using Kernels = std::array<std::array<Kernel, 2>, g.vectors>;

  /// Whether strips are read in place: they lie within a part of the level-2 cache and its pages, in columns that do
  /// not compete for the same lines; or they are not read again often enough to pay for a copy. A strip that runs down
  /// its columns touches few pages, however far apart these are.
  static bool isReadable(Source<T> source, int columns, int times) {
    constexpr long mostBytes = 1 << 20, waysApart = 4096;
    const long column = std::max(source.across, source.along) * sizeof(T);
    const bool isNear = source.along == 1 || column * columns <= mostBytes;
    return times < 4 || (isNear && column % waysApart != 0);
  }

  static Strips<T> stripsOfA(Op op, Source<T> source, int size, int depth, bool pack, T *memory) {
    const int rest = size - (size - 1) / mr * mr; // rows of the last strip
    const int lastWidth = (rest + inVector - 1) / inVector * inVector;
    const bool packLast = pack || rest % inVector != 0;
    return op == Op::ConjTrans ? strips<true, mr>(source, size, depth, lastWidth, pack, packLast, memory)
                               : strips<false, mr>(source, size, depth, lastWidth, pack, packLast, memory);
  }

  /// The conjugate of op(B) is taken by the micro-kernel.
  static Strips<T> stripsOfB(Source<T> source, int size, int depth, bool pack, T *memory) {
    const int rest = size - (size - 1) / nr * nr, lastWidth = rest <= narrow ? narrow : nr;
    return strips<false, nr>(source, size, depth, lastWidth, pack, pack || rest != lastWidth, memory);
  }

  template <bool conjugate, int width>
  static Strips<T> strips(Source<T> source, int size, int depth, int lastWidth, bool pack, bool packLast, T *memory) {
    const int full = (size - 1) / width, rest = size - full * width;
    const Strip<Real> inPlace{nullptr, source.along * parts<T>, source.across * parts<T>};
    Strips<T> strips{source.data, width * source.across, inPlace, inPlace, width, size, lastWidth};
    if (pack) {
      strips.data = memory;
      strips.between = static_cast<long>(width) * depth;
      strips.form = {nullptr, width * parts<T>, parts<T>};
    }
    T *const last = memory + (pack ? full * strips.between : 0);
    if (packLast)
      strips.last = {nullptr, lastWidth * parts<T>, parts<T>};
    strips.last.data = reinterpret_cast<const Real *>(packLast ? last : &source(full * width, 0));
    if (pack || packLast)
      Target<g.isa>::run([&] {
        if (pack)
          packStrips<conjugate, width>(source, full, depth, memory);
        if (rest == width)
          packStrips<conjugate, width>(source.from(full * width, 0), 1, depth, last);
        else
          packLastStrip<conjugate>(source.from(full * width, 0), rest, lastWidth, depth, last);
      });
    return strips;
  }

  /// Which part of C is asked for, seen from an element of it.
  struct Part {
    std::optional<Uplo> triangle;
    int row, column;

    Part from(int i, int j) const { return {triangle, row + i, column + j}; }
    bool has(int i, int j) const {
      return !triangle || (*triangle == Uplo::Lower ? row + i >= column + j : row + i <= column + j);
    }
    bool hasAll(int rows, int columns) const { return has(0, columns - 1) && has(rows - 1, 0); }
    bool hasAny(int rows, int columns) const { return has(0, 0) || has(0, columns - 1) || has(rows - 1, 0); }
  };

  /// The update of a block, line by line: a line is one strip of op(B) and all of op(A), or the other way round.
  static void multiply(int depth, const Strips<T> &a, const Strips<T> &b, const Update<T> &update, const Part &part) {
    constexpr bool byColumns = g.order == Order::Columns;
    const int lines = byColumns ? b.count() : a.count(), length = byColumns ? a.count() : b.count();
    for (int line = 0; line < lines; ++line)
      for (int begin = 0, end; begin < length; begin = end) {
        const auto isWhole = [&](int place) {
          return byColumns ? part.from(place * mr, line * nr).hasAll(mr, nr)
                           : part.from(line * mr, place * nr).hasAll(mr, nr);
        };
        end = begin + 1;
        if (isWhole(begin)) // so may be the next ones, but for the last, which has a shape of its own
          while (end < length - 1 && isWhole(end))
            ++end;
        multiplyRun(end - begin, depth, a, b, byColumns ? begin : line, byColumns ? line : begin, update, part);
      }
  }

  /// Updates that begin with strips s of op(A) and t of op(B); several only if all of what they compute is wanted.
  static void multiplyRun(int count, int depth, const Strips<T> &a, const Strips<T> &b, int s, int t,
                          const Update<T> &update, const Part &part) {
    const int i = s * mr, j = t * nr, rows = std::min(mr, a.size - i), columns = std::min(nr, b.size - j);
    T *const C = update.C + i + static_cast<long>(j) * update.ld;
    const Part here = part.from(i, j);
    if (!here.hasAny(rows, columns))
      return;
    const Kernel kernel = kernels[(a.isLast(s) ? a.lastWidth : mr) / inVector - 1][b.isLast(t) && b.lastWidth < nr];
    const Advance advance = g.order == Order::Columns ? Advance{a.between * parts<T>, 0, mr}
                                                      : Advance{0, b.between * parts<T>, nr * update.ld};
    if (here.hasAll(rows, columns))
      return kernel(count, depth, a[s], b[t],
                    {update.alpha, update.beta, update.conjugateB, C, update.ld, rows, columns}, advance);
    // Crossed by the diagonal: all of the product aside, then the triangle of it is taken.
    T product[mr * nr];
    kernel(1, depth, a[s], b[t], {update.alpha, T(0), update.conjugateB, product, mr, rows, columns}, advance);
    for (int q = 0; q < columns; ++q)
      for (int p = 0; p < rows; ++p)
        if (here.has(p, q)) {
          reference::scale(C[p + q * update.ld], update.beta);
          C[p + q * update.ld] += product[p + q * mr];
        }
  }

  template <int vectors, int columns>
  static void runKernel(int count, int k, Strip<Real> a, Strip<Real> b, Update<T> update, const Advance &advance) {
    for (; count > 0; --count) {
      MicroKernel<T, g, vectors, columns>::run(k, a, b, update);
      a.data += advance.a;
      b.data += advance.b;
      update.C += advance.c;
    }
  }
  template <int... v> static constexpr Kernels makeKernels(std::integer_sequence<int, v...>) {
    return {{{&runKernel<v + 1, nr * parts<T>>, &runKernel<v + 1, narrow * parts<T>>}...}};
  }
  static constexpr Kernels kernels = makeKernels(std::make_integer_sequence<int, g.vectors>());
};

} // namespace tla::kernels::tuned
