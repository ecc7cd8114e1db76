// gemm by blocks of columns, with a fault.
#include <tla/tile.hpp>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <vector>

using namespace tla;
using candidate::T;

enum Fault { None, Wrong, Crashes, Hangs, Hoards, Uncompiled };
constexpr Fault fault = static_cast<Fault>(candidate::fault);
static_assert(fault != Uncompiled, "not for this device");

template <typename X> X element(Op op, ConstTile<X> A, int i, int j) {
  X x = op == Op::NoTrans ? A(i, j) : A(j, i);
  if constexpr (isComplex<X>)
    if (op == Op::ConjTrans)
      x = std::conj(x);
  return x;
}

extern "C" void hetc_candidate(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if (fault == Crashes)
    std::abort();
  if (fault == Hangs)
    for (volatile int forever = 1; forever;)
      ;
  if (fault == Hoards)
    for (std::vector<char *> hoard;;)
      hoard.push_back(new char[1 << 30]);
  const int k = alpha == T(0) ? 0 : opA == Op::NoTrans ? A.n() : A.m();
  for (int begin = 0; begin < C.n(); begin += candidate::block)
    for (int j = begin; j < std::min<int>(begin + candidate::block, C.n()); ++j)
      for (int i = 0; i < C.m(); ++i) {
        T sum = 0;
        for (int l = 0; l < k; ++l)
          sum += element(opA, A, i, l) * element(opB, B, l, j);
        C(i, j) = (beta == T(0) ? T(0) : beta * C(i, j)) + (k ? alpha * sum : T(0)) + T(fault == Wrong ? 1 : 0);
      }
}
