// Every type that a kernel's scalar may have, and every form of argument that the front end takes: the C++ compiles.
// RUN: %hetc check %s
// RUN: %hetc -c %s -o %t.o
// RUN: %hetc -c %s --type c -o %t.o
#include <tla/tla.hpp>

constexpr tla::Op byName = tla::ConjTrans;
constexpr int seven = 7;
enum Old { oldest = 3 };

#pragma tla kernel
template <typename T>
void integers(tla::Tile<T> A, int a, long b, long long c, short d, char e, signed char f, unsigned char g,
              unsigned short h, unsigned i, unsigned long j, bool l) {
  A(0, 0) = T(float(a + b + c + d + e + f + g + h + i + j + l));
}
#pragma tla kernel
template <typename T>
void reals(tla::Tile<T> A, float a, double b, T c, tla::RealType<T> d, const T &e, const int &f) {
  A(0, 0) = T(float(a + b)) + c + T(d) + e + T(float(f));
}
#pragma tla kernel
template <typename T>
void options(tla::Tile<T> A, tla::Op a, const tla::Uplo &b, tla::Diag c, tla::Side d) {
  A(0, 0) = T(float(int(a) + int(b) + int(c) + int(d)));
}
#pragma tla kernel requires(a * a >= 0)
template <typename T, typename I>
void deduced(tla::Tile<T> A, I a) {
  static_assert(__is_same(I, int));
  A(0, 0) = T(float(a));
}

#pragma tla algorithm shape(A(n, n)) input(A : zero) default(t : 3, alpha : 2)
template <typename T>
void forms(int t, tla::Op op, T alpha, tla::Matrix<T> A) {
  const int named = t * t;
  const tla::Op other = NoTrans;
  for (int k = 0; k < A.nt(); ++k) {
    #pragma tla task
    integers(A(k, k), k, k + 1, t * t, A.n() - k * A.nb(), min(k, t), max(k * t, 1), k % 7, k / 2, 'a', seven, k > t);
    #pragma tla task
    integers(A(k, k), int(NoTrans), int(op), int(byName), sizeof(int), oldest, 1u, +k, -k, !k, named, true);
    #pragma tla task
    integers(A(k, k), k ? t : 2, 2.5, 0x10, 1'000, k == t && t > 1, A.has(k, k), A(k, k).m(), static_cast<int>(k), k,
             t, A.p() == 1 || !t);
    #pragma tla task
    reals(A(k, k), k, t * k, T(k * A.nb()), 2, alpha, A.m() * A.m());
    #pragma tla task
    reals(A(k, k), 1.5f, 2.5, alpha * alpha, tla::RealType<T>(k) / 2, T(1) - alpha, k);
    #pragma tla task
    options(A(k, k), op, Lower, Unit, Left);
    #pragma tla task
    options(A(k, k), k > 1 ? Trans : op, k ? Upper : Lower, tla::Diag(131), tla::Side::Right);
    #pragma tla task
    options(A(k, k), byName, op == NoTrans ? Lower : Upper, static_cast<tla::Diag>(132), Left);
    #pragma tla task
    options(A(k, k), tla::Op(111), Lower, Unit, Left);
    #pragma tla task
    deduced(A(k, k), A.m() * A.n() + k * t);
    #pragma tla task
    deduced(A(k, k), k);
    #pragma tla task
    deduced(A(k, k), A.nt() - 1);
  }
}
