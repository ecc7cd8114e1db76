// The split rules of the standard kernels (tla/split.hpp). `hetc --split` reads them before the user's file. Kernels without
// one run on gathered tiles: those that factor a whole panel or tile with pivots (getrf, geqrf, tournaments), ttqrt, larft
// and hetrf_nopiv.
#pragma once

#include <tla/kernels/split/blas.tla>
#include <tla/kernels/split/lu.tla>
#include <tla/kernels/split/qr.tla>
#include <tla/kernels/split/triangular.tla>
