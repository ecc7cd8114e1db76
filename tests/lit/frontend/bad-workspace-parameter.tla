// RUN: not %hetc check %s 2>&1 | FileCheck %s --implicit-check-not=error:
#include <tla/tla.hpp>

// CHECK: [[@LINE+7]]:87: error: 'A2' is a matrix: its shape is its rows and columns
// CHECK: [[@LINE+7]]:47: error: the shape of 'A3' asks for sizes of a matrix; it is made of m, n, k and scalar parameters
// CHECK: [[@LINE+5]]:47: error: the shape of workspace 'W' is what its constructor takes: tile rows, tile columns, m, n of a tile; or m, n, nb
// CHECK: [[@LINE+4]]:77: error: no matrix has 'k' rows or columns
// CHECK: [[@LINE+3]]:102: error: 'jb' is not a variable or parameter here
// CHECK: [[@LINE+4]]:11: error: 'X' is a workspace: it has no input
// CHECK: [[@LINE+6]]:70: error: the shape of workspace 'Z' is not known; say it in '#pragma tla algorithm', as in shape(Z(A.mt(), A.nt(), ib, A.nb())) or shape(Z(A.m(), A.n(), A.nb()))
#pragma tla algorithm default(ib : 8) shape(  W(A.mt(), A.nt()), A(n, n), X(k, 1, 8), A2(n, n, 3), Y(jb, 1, 1), \
                                              A3(n, A.nb())) \
    input(X : random)
template <typename T>
void bad(tla::Matrix<T> A, tla::Matrix<T> A2, tla::Matrix<T> A3, int ib, tla::Workspace<T> W,
         tla::Workspace<T> X, tla::Workspace<T> Y, tla::Workspace<T> Z) {}

// MEND: Give a matrix two sizes: `A2(n, n)`.
// MEND: Use m, n or k, and say by `requires(k == A.nb())` that it is a tile's size.
// MEND: Give the workspace the sizes of its constructor.
// MEND: Use a size that a matrix of the algorithm has.
// MEND: Use a parameter of the algorithm, as `ib`.
// MEND: Drop the input: a workspace has no content when a run begins.
// MEND: Say the workspace's shape in the pragma.
