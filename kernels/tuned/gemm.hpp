// gemm of our own: the loops around the micro-kernel.
//
// Where an operand can be read in place without harm, it is: the strips of a tile that fits in the level-2 cache feed
// the micro-kernel as fast as packed ones do, and packing a tile of 256 costs a tenth of its product.
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
    const Scratch<T> memoryA((packA ? std::min(mb, m) + mr : mr) * std::min(kb, k), 1);
    const Scratch<T> memoryB((packB ? std::min(nb, n) + nr : nr) * std::min(kb, k), 1);
    for (int j = 0; j < n; j += nb)
      for (int l = 0; l < k; l += kb) {
        const int depth = std::min(kb, k - l), width = std::min(nb, n - j);
        const Strips<T> b = stripsOfB(columns.from(j, l), width, depth, packB, memoryB.tile().data());
        for (int i = 0; i < m; i += mb) {
          const int height = std::min(mb, m - i);
          const Strips<T> a = stripsOfA(opA, rows.from(i, l), height, depth, packA, memoryA.tile().data());
          multiply(depth, a, b, {alpha, l ? T(1) : beta, opB == Op::ConjTrans, &C(i, j), C.ld(), height, width},
                   {triangle, i, j});
        }
      }
  }

private:
  using Kernel = void (*)(int k, const Strip<Real> &a, const Strip<Real> &b, const Update<T> &update);
  using Kernels = std::array<std::array<Kernel, 2>, g.vectors>;

  /// Whether strips are read in place: they lie within a part of the level-2 cache and its pages, in columns that do
  /// not compete for the same lines; or they are not read again often enough to pay for a copy.
  static bool isReadable(Source<T> source, int columns, int times) {
    constexpr long mostBytes = 1 << 20, waysApart = 4096;
    const long column = std::max(source.across, source.along) * sizeof(T);
    return times < 4 || (column * columns <= mostBytes && column % waysApart != 0);
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
        for (int s = 0; s < full && pack; ++s)
          packStrip<conjugate, width>(source.from(s * width, 0), depth, memory + s * strips.between);
        packLastStrip<conjugate>(source.from(full * width, 0), rest, lastWidth, depth, last);
      });
    return strips;
  }

  /// Which part of C is asked for, and where in C a block begins.
  struct Part {
    std::optional<Uplo> triangle;
    int row, column;

    bool has(int i, int j) const {
      return !triangle || (*triangle == Uplo::Lower ? row + i >= column + j : row + i <= column + j);
    }
    /// Whether it has all, or any, of the elements that `update` is for.
    bool hasAll(const Update<T> &u) const { return has(0, u.columns - 1) && has(u.rows - 1, 0); }
    bool hasAny(const Update<T> &u) const { return has(0, 0) || has(0, u.columns - 1) || has(u.rows - 1, 0); }
  };

  /// The update of a block, strip by strip.
  static void multiply(int depth, const Strips<T> &a, const Strips<T> &b, const Update<T> &update, const Part &part) {
    const auto multiplyStrips = [&](int s, int t) {
      const int i = s * mr, j = t * nr;
      Update<T> here = update;
      here.C += i + static_cast<long>(j) * update.ld;
      here.rows = std::min(mr, a.size - i);
      here.columns = std::min(nr, b.size - j);
      const int vectors = (a.isLast(s) ? a.lastWidth : mr) / inVector;
      const bool isNarrow = b.isLast(t) && b.lastWidth < nr;
      const Kernel kernel = kernels[vectors - 1][isNarrow];
      const Part partHere{part.triangle, part.row + i, part.column + j};
      if (partHere.hasAll(here))
        kernel(depth, a[s], b[t], here);
      else if (partHere.hasAny(here))
        multiplyAside(kernel, depth, a[s], b[t], here, partHere);
    };
    const int rows = a.count(), columns = b.count();
    if constexpr (g.order == Order::Columns) {
      for (int t = 0; t < columns; ++t)
        for (int s = 0; s < rows; ++s)
          multiplyStrips(s, t);
    } else {
      for (int s = 0; s < rows; ++s)
        for (int t = 0; t < columns; ++t)
          multiplyStrips(s, t);
    }
  }

  /// The update of what is crossed by the diagonal: all of the product, then the triangle of it is taken.
  static void multiplyAside(Kernel kernel, int depth, const Strip<Real> &a, const Strip<Real> &b,
                            const Update<T> &update, const Part &part) {
    T product[mr * nr];
    kernel(depth, a, b, {update.alpha, T(0), update.conjugateB, product, mr, update.rows, update.columns});
    for (int j = 0; j < update.columns; ++j)
      for (int i = 0; i < update.rows; ++i)
        if (part.has(i, j)) {
          T &element = update.C[i + j * update.ld];
          reference::scale(element, update.beta);
          element += product[i + j * mr];
        }
  }

  template <int vectors, int columns>
  static void runKernel(int k, const Strip<Real> &a, const Strip<Real> &b, const Update<T> &update) {
    Target<g.isa>::run([&] { MicroKernel<T, g, vectors, columns>::run(k, a, b, update); });
  }
  template <int... v> static constexpr Kernels makeKernels(std::integer_sequence<int, v...>) {
    return {{{&runKernel<v + 1, nr * parts<T>>, &runKernel<v + 1, narrow * parts<T>>}...}};
  }
  static constexpr Kernels kernels = makeKernels(std::make_integer_sequence<int, g.vectors>());
};

} // namespace tla::kernels::tuned
