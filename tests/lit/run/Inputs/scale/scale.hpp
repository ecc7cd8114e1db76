#pragma once
#include <tla/tla.hpp>

/// A = diag(d) * A, d a column of scale factors.
#pragma tla kernel flops(A.m() * A.n()) bound(memory)
template <typename T> void scaleRows(tla::ConstTile<T> d, tla::Tile<T> A);
