#pragma once
#include <tla/tla.hpp>

/// s = s + the sums of the rows of A; s is cleared first where `first` says so.
#pragma tla kernel flops(A.m() * A.n()) bound(memory) requires(s.m() == A.m()) writes(s if first == 1)
template <typename T> void addRowSums(int first, tla::ConstTile<T> A, tla::Tile<T> s);

/// Each row of A is divided by its sum. Returns i > 0 when the sum of row i, counted from 1, is zero.
#pragma tla kernel flops(A.m() * A.n()) bound(memory) requires(s.m() == A.m())
template <typename T> int divideRows(tla::ConstTile<T> s, tla::Tile<T> A);
