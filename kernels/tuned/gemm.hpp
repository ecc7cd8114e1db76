// gemm of our own: the loops around the micro-kernel.
//
// Where an operand can be read in place without harm, it is: the strips of a tile that fits in the level-2 cache feed
// the micro-kernel nearly as fast as packed ones do, and packing costs time in every product.
#pragma once

#include "kernels/recursive/blocks.hpp"
#include "kernels/reference/rank_k.hpp"
#include "kernels/reference/scratch.hpp"
#include "kernels/tuned/ahead.hpp"
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

  const T *data;    ///< data of strip 0
  long between;     ///< elements from one strip to the next
  Strip<Real> form; ///< step and stride of all strips but the last
  Strip<Real> last;
  int width, size, lastWidth;

  /// The memory of a strip of so many steps.
  FetchedRegion region(int s, int depth) const {
    const auto [data, step, stride] = (*this)[s];
    const int across = isLast(s) ? lastWidth : width;
    return stride == parts<T> ? FetchedRegion::of(data, across * parts<T>, step, depth)
                              : FetchedRegion::of(data, depth * parts<T>, stride, across);
  }
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
          const FetchedRegion next =
              i + mb < m ? regionOfRows(rows.from(i + mb, l), std::min(mb, m - i - mb), depth) : FetchedRegion();
          multiply(depth, a, b, {alpha, l ? T(1) : beta, opB == Op::ConjTrans, &C(i, j), C.ld(), height, width},
                   {triangle != Uplo::Upper, triangle != Uplo::Lower, i, j}, next);
        }
      }
  }

private:
  using Kernel = void (*)(int k, Strip<Real> a, Strip<Real> b, const Update<T> &update, Ahead ahead);
  using Kernels = std::array<std::array<Kernel, 2>, g.vectors>;

  static FetchedRegion regionOfRows(Source<T> rows, int height, int depth) {
    return rows.across == 1 ? FetchedRegion::of(rows.data, height, rows.along, depth)
                            : FetchedRegion::of(rows.data, depth, rows.across, height);
  }

  /// Whether strips are read in place: they lie within a part of the level-2 TLB's reach, in columns that do not
  /// compete for the same cache lines; or they are not read again often enough to pay for a copy. A strip that runs
  /// down its columns touches few pages, however far apart these are.
  static bool isReadable(Source<T> source, int columns, int times) {
    constexpr long mostBytes = 6 << 20, waysApart = 4096;
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

  /// The part of C that is asked for, seen from an element of it.
  struct Part {
    bool lower, upper; ///< whether the parts below and above the diagonal are asked for
    int row, column;

    bool isAll() const { return lower && upper; }
    bool has(int i, int j) const { return row + i > column + j ? lower : row + i == column + j || upper; }
    /// Whether all, or any, of a block whose first element is (i, j) is asked for.
    bool hasAll(int i, int j, int rows, int columns) const { return has(i, j + columns - 1) && has(i + rows - 1, j); }
    bool hasAny(int i, int j, int rows, int columns) const {
      return has(i, j) || has(i, j + columns - 1) || has(i + rows - 1, j);
    }
  };

  /// The update of a block, line by line: a line is one strip of op(B) and all of op(A), or the other way round. `next`
  /// is the block of op(A) after this one.
  static void multiply(int depth, const Strips<T> &a, const Strips<T> &b, const Update<T> &update, const Part &part,
                       const FetchedRegion &next) {
    constexpr bool byColumns = g.order == Order::Columns;
    const Strips<T> &across = byColumns ? b : a, &inLine = byColumns ? a : b;
    const int lines = across.count(), length = inLine.count();
    for (int line = 0; line < lines; ++line) {
      const FetchedRegion nextStrip = line + 1 < lines ? across.region(line + 1, depth) : FetchedRegion();
      for (int place = 0; place < length; ++place) {
        const int s = byColumns ? place : line, t = byColumns ? line : place;
        multiplyStrips(depth, a, b, s, t, update, part, aheadOf(nextStrip, next, line, place, length, depth));
      }
    }
  }
  /// The memory that the call for a place in a line prefetches: the next strip in the first calls of each line, and in
  /// the others, counted over all lines, the next block.
  static Ahead aheadOf(const FetchedRegion &strip, const FetchedRegion &block, int line, int place, int length,
                       int depth) {
    const int lines = std::max(1, depth / stepsPerLine), forStrip = (strip.lines() + lines - 1) / lines;
    if (place < forStrip)
      return strip.run(place * lines);
    const long first = (static_cast<long>(line) * (length - forStrip) + place - forStrip) * lines;
    return first < block.lines() ? block.run(static_cast<int>(first))
                                 : Ahead{reinterpret_cast<const char *>(&strip), 0};
  }

  static T &at(const Update<T> &update, int s, int t) {
    return update.C[s * mr + static_cast<long>(t) * nr * update.ld];
  }

  /// The update with strips s of op(A) and t of op(B).
  static void multiplyStrips(int depth, const Strips<T> &a, const Strips<T> &b, int s, int t, const Update<T> &update,
                             const Part &part, Ahead ahead) {
    const int rows = std::min(mr, a.size - s * mr), columns = std::min(nr, b.size - t * nr);
    if (!part.isAll() && !part.hasAll(s * mr, t * nr, rows, columns))
      return multiplyCrossed(depth, a, b, s, t, update, part, ahead);
    kernelOf(a, b, s, t)(depth, a[s], b[t],
                         {update.alpha, update.beta, update.conjugateB, &at(update, s, t), update.ld, rows, columns},
                         ahead);
  }

  /// Crossed by the diagonal: all of the product aside, then the triangle of it is taken.
  [[gnu::noinline]] static void multiplyCrossed(int depth, const Strips<T> &a, const Strips<T> &b, int s, int t,
                                                const Update<T> &update, const Part &part, Ahead ahead) {
    const int rows = std::min(mr, a.size - s * mr), columns = std::min(nr, b.size - t * nr);
    if (!part.hasAny(s * mr, t * nr, rows, columns))
      return;
    T product[mr * nr];
    kernelOf(a, b, s, t)(depth, a[s], b[t], {update.alpha, T(0), update.conjugateB, product, mr, rows, columns}, ahead);
    T *const C = &at(update, s, t);
    for (int q = 0; q < columns; ++q)
      for (int p = 0; p < rows; ++p)
        if (part.has(s * mr + p, t * nr + q)) {
          reference::scale(C[p + q * update.ld], update.beta);
          C[p + q * update.ld] += product[p + q * mr];
        }
  }

  static Kernel kernelOf(const Strips<T> &a, const Strips<T> &b, int s, int t) {
    return kernels[(a.isLast(s) ? a.lastWidth : mr) / inVector - 1][b.isLast(t) && b.lastWidth < nr];
  }

  template <int... v> static constexpr Kernels makeKernels(std::integer_sequence<int, v...>) {
    return {{{&MicroKernel<T, g, v + 1, nr * parts<T>>::run, &MicroKernel<T, g, v + 1, narrow * parts<T>>::run}...}};
  }
  static constexpr Kernels kernels = makeKernels(std::make_integer_sequence<int, g.vectors>());
};

} // namespace tla::kernels::tuned
