// input(A : name): a generator of hetc's, or a function of the file, which is looked at.
// RUN: %hetc --emit=ir --algorithm good %s | FileCheck %s
// RUN: not %hetc check --algorithm unknown %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not %hetc check --algorithm integers %s 2>&1 | FileCheck %s --check-prefix=INTEGERS
// RUN: not %hetc check --algorithm arguments %s 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not %hetc check --algorithm parameters %s 2>&1 | FileCheck %s --check-prefix=PARAMETERS
// RUN: not %hetc check --algorithm result %s 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not %hetc check --algorithm narrow %s 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not %hetc check --algorithm body %s 2>&1 | FileCheck %s --check-prefix=BODY
// RUN: not %hetc check --algorithm system %s 2>&1 | FileCheck %s --check-prefix=SYSTEM
#include <cstdint>
#include <cstdlib>
#include <tla/tla.hpp>

template <typename T> T band(long i, long j, std::uint64_t, double width) { return i - j < width ? T(1) : T(0); }
double plain(long i, long j, unsigned long seed) { return static_cast<double>(i + j + static_cast<long>(seed % 2)); }
int numbers(long i, long, std::uint64_t) { return static_cast<int>(i); }
template <typename T> T narrowed(int i, int j, std::uint64_t) { return T(i + j); }
template <typename T> T wrong(long i, long, std::uint64_t) { return T(i).foo(); }

// CHECK: Matrix<d> A(m, n) input(template band(2))
// CHECK: Matrix<d> B(m, n) input(extern plain)
// CHECK: Matrix<i> p(m, n) input(extern numbers)
// CHECK: Matrix<s> S(m, n) input(template band(-1.5))
// CHECK: LowerMatrix<d> L(n, n) input(hermitian(100))
#pragma tla algorithm input(A : band(2), B : plain, p : numbers, S : band(-1.5), L : hermitian(100))
template <typename T>
void good(tla::Matrix<T> A, tla::Matrix<T> B, tla::Matrix<int> p, tla::Matrix<float> S, tla::LowerMatrix<T> L) {}

// UNKNOWN: [[@LINE+1]]:33: error: no generator 'sdp'; known are random, spd, {{.*}} or zero, and functions of the file; did you mean 'spd'?
#pragma tla algorithm input(A : sdp)
template <typename T> void unknown(tla::LowerMatrix<T> A) {}

// INTEGERS: [[@LINE+1]]:33: error: no generator 'random' of matrices of int; known are zero or pivots, and functions of the file
#pragma tla algorithm input(p : random)
template <typename T> void integers(tla::Matrix<T> A, tla::Matrix<int> p) {}

// ARGUMENTS: [[@LINE+1]]:33: error: matern takes at most 3 arguments (range, smoothness, nugget)
#pragma tla algorithm input(A : matern(1, 2, 3, 4))
template <typename T> void arguments(tla::LowerMatrix<T> A) {}

// PARAMETERS: [[@LINE+2]]:33: error: 'band' makes 'A' if it is a function, or a template of one over T, of this kind: T band(long i, long j, std::uint64_t seed)
// PARAMETERS: 15:25: note: 'band' is declared here
#pragma tla algorithm input(A : band)
template <typename T> void parameters(tla::Matrix<T> A) {}

// RESULT: [[@LINE+1]]:33: error: 'plain' makes 'p' if it is a function, or a template of one over T, of this kind: int plain(long i, long j, std::uint64_t seed)
#pragma tla algorithm input(p : plain)
template <typename T> void result(tla::Matrix<T> A, tla::Matrix<int> p) {}

// An index beyond 2^31 would come to it as another.
// NARROW: [[@LINE+1]]:33: error: 'narrowed' makes 'A' if it is {{.*}}: T narrowed(long i, long j, std::uint64_t seed)
#pragma tla algorithm input(A : narrowed)
template <typename T> void narrow(tla::Matrix<T> A) {}

// What is wrong inside is said there, not by the compiler of what is generated.
// BODY: generators.tla:19:73: error: member reference base type 'double' is not a structure or union
#pragma tla algorithm input(A : wrong)
template <typename T> void body(tla::Matrix<T> A) {}

// SYSTEM: [[@LINE+1]]:33: error: no generator 'drand48'; known are
#pragma tla algorithm input(A : drand48)
template <typename T> void system(tla::Matrix<T> A) {}

// MEND: Spell the generator as the message suggests.
// MEND: Take `zero` or `pivots`, or a function of your own.
// MEND: Drop the arguments that are too many.
// MEND: Give the function the parameters in the message: `long`, `long`, `std::uint64_t`, then those of the generator.
// MEND: Let it return the matrix's element type.
// MEND: Take indices as `long`.
// MEND: It is C++: mend the function's body at the line.
// MEND: Define a function of your own, which may call it.
