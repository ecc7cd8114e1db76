// The text of the micro-kernels for the instruction set TLA_ISA; included by micro_kernel.hpp alone, once for each.

namespace tla::kernels::tuned {

template <> struct MicroKernelFor<Isa::TLA_ISA> {
  template <typename T, GemmConfiguration g, int vectors, int columns> class Code;

  /// sum += x * y. On x86-64 an instruction that keeps the sum in its register, of which there are just enough:
  /// compilers use forms that move sums about, at the price of copies and spills; and always the same one: they fuse
  /// products and sums in one place and not in another.
  template <typename Real, typename V> [[gnu::always_inline]] static inline void addProduct(V &sum, V x, V y) {
#if defined(__x86_64__)
    constexpr bool hasFma = vectorBytes(Isa::TLA_ISA) > 16;
    if constexpr (hasFma && sizeof(Real) == 8)
      asm("vfmadd231pd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
    else if constexpr (hasFma)
      asm("vfmadd231ps %2, %1, %0" : "+v"(sum) : "v"(x), "v"(y));
    else
#endif
      sum += x * y;
  }
};

/// `vectors` and `columns` are at most those of the configuration.
template <typename T, GemmConfiguration g, int vectors, int columns> class MicroKernelFor<Isa::TLA_ISA>::Code {
  using Real = RealType<T>;
  static constexpr int lanes = Vector<Real, g.isa>::lanes;
  using V = typename Vector<Real, g.isa>::Type;
  using InMemory = typename Vector<Real, g.isa>::InMemory;

public:
  /// Additions go in the order of l, one product at a time, whatever the shape: where an element lies in C, and how
  /// the operands are packed, does not change its bits.
  [[gnu::noinline]] static void run(int k, Strip<Real> a, Strip<Real> b, const Update<T> &update, Ahead ahead) {
    constexpr int longEnough = 64; // for what is prefetched to arrive meanwhile
    if (k >= longEnough)
      prefetchC(update);
    V sum[columns][vectors] = {};
    int l = 0;
    for (; l + g.unroll <= k; l += g.unroll) {
#pragma GCC unroll 16
      for (int u = 0; u < g.unroll; ++u) {
        if (u % stepsPerLine == 0) {
          __builtin_prefetch(ahead.data, 0, 2); // to the level-2 cache: level 1 is for what this call reads
          ahead.data += ahead.step;
        }
        addStep(a, b, sum);
      }
    }
    for (; l < k; ++l)
      addStep(a, b, sum);
    if (update.rows != vectors * lanes / parts<T> || update.columns != columns / parts<T>)
      store<false, Beta::Any>(sum, update);
    else if (update.beta == T(1))
      store<true, Beta::One>(sum, update);
    else
      store<true, Beta::Any>(sum, update);
  }

private:
  /// Beyond an edge of C, too: a prefetch of what is not there does nothing.
  [[gnu::always_inline]] static inline void prefetchC(const Update<T> &update) {
#pragma GCC unroll 32
    for (int j = 0; j < columns / parts<T>; ++j)
#pragma GCC unroll 16
      for (int i = 0; i < vectors; ++i)
        __builtin_prefetch(reinterpret_cast<const char *>(update.C + j * update.ld) + i * vectorBytes(g.isa), 1);
  }

  [[gnu::always_inline]] static inline void addStep(Strip<Real> &a, Strip<Real> &b, V (&sum)[columns][vectors]) {
    // Keeps loads in their step: moved ahead across steps they would need more registers than there are.
    asm volatile("" : "+r"(a.data), "+r"(b.data));
    V x[vectors];
#pragma GCC unroll 16
    for (int i = 0; i < vectors; ++i)
      x[i] = *reinterpret_cast<const InMemory *>(a.data + i * lanes);
    if constexpr (g.prefetch > 0) {
#pragma GCC unroll 16
      for (int i = 0; i < vectors; ++i)
        __builtin_prefetch(a.data + g.prefetch * a.step + i * lanes);
    }
#pragma GCC unroll 32
    for (int j = 0; j < columns; ++j) {
      const V y = inAllLanes(b.data[j / parts<T> * b.stride + j % parts<T>]);
#pragma GCC unroll 16
      for (int i = 0; i < vectors; ++i)
        addProduct<Real>(sum[j][i], x[i], y);
    }
    a.data += a.step;
    b.data += b.step;
  }

  enum class Beta { One, Any };

  template <bool full, Beta beta>
  [[gnu::always_inline]] static inline void store(V (&sum)[columns][vectors], const Update<T> &to) {
#pragma GCC unroll 32
    for (int j = 0; j < columns / parts<T>; ++j) {
      if (!full && j >= to.columns)
        break;
      Real *const column = reinterpret_cast<Real *>(to.C + j * to.ld);
#pragma GCC unroll 16
      for (int i = 0; i < vectors; ++i)
        if constexpr (full)
          storeVector<beta>(product(sum, i, j, to.conjugateB), to, column + i * lanes);
        else
          storePart(product(sum, i, j, to.conjugateB), to, column + i * lanes, to.rows * parts<T> - i * lanes);
    }
  }

  /// Vector i of column j of op(A) op(B).
  [[gnu::always_inline]] static inline V product(V (&sum)[columns][vectors], int i, int j, bool conjugateB) {
    if constexpr (!isComplex<T>)
      return sum[j][i];
    else
      return sum[2 * j][i] + timesI(sum[2 * j + 1][i]) * (conjugateB ? Real(-1) : Real(1));
  }

  /// i x, for a vector of complex numbers.
  [[gnu::always_inline]] static inline V timesI(V x) { return timesI(x, std::make_index_sequence<lanes>()); }
  template <std::size_t... lane> [[gnu::always_inline]] static inline V timesI(V x, std::index_sequence<lane...>) {
    return __builtin_shufflevector(x, x, (lane ^ 1)...) * V{(lane % 2 ? Real(1) : Real(-1))...};
  }

  /// x += factor y.
  [[gnu::always_inline]] static inline void addTimes(V &x, T factor, V y) {
    if constexpr (!isComplex<T>) {
      addProduct<Real>(x, y, inAllLanes(factor));
    } else {
      addProduct<Real>(x, y, inAllLanes(factor.real()));
      addProduct<Real>(x, timesI(y), inAllLanes(factor.imag()));
    }
  }
  [[gnu::always_inline]] static inline V inAllLanes(Real x) { return x - V{}; }

  template <Beta beta> [[gnu::always_inline]] static inline void storeVector(V product, const Update<T> &to, Real *c) {
    InMemory &element = *reinterpret_cast<InMemory *>(c);
    V result = {};
    if (beta == Beta::One || to.beta == T(1))
      result = element;
    else if (to.beta != T(0))
      addTimes(result, to.beta, element);
    addTimes(result, to.alpha, product);
    element = result;
  }

  /// The first `count` numbers of a vector, by way of a copy of them.
  [[gnu::always_inline]] static inline void storePart(V product, const Update<T> &to, Real *c, int count) {
    if (count <= 0)
      return;
    if (count >= lanes)
      return storeVector<Beta::Any>(product, to, c);
    V copy = {};
    Real *const part = reinterpret_cast<Real *>(&copy);
    for (int lane = 0; lane < count && to.beta != T(0); ++lane)
      part[lane] = c[lane];
    storeVector<Beta::Any>(product, to, part);
    for (int lane = 0; lane < count; ++lane)
      c[lane] = part[lane];
  }
};

} // namespace tla::kernels::tuned
