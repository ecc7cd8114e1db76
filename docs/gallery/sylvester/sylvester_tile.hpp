#pragma once

#include <tla/tla.hpp>

/// One tile of the solution: A * X + X * B = C, upper triangular A and B, X over C. Returns 1 when an eigenvalue of A
/// is the negative of one of B.
#pragma tla kernel flops(A.m() * B.n() * (A.m() + B.n()))
template <typename T> int sylvesterTile(tla::ConstTile<T> A, tla::ConstTile<T> B, tla::Tile<T> C);
