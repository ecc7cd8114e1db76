// The standard tile kernels, each declared once. T is float, double, or std::complex of either. The semantics, the
// arguments and `info` are those of the BLAS and LAPACK routine of the same name; sizes come from the tiles.
//
// flops(...) counts real operations as LAPACK Working Note 41 does for real types; for complex types the
// generated code multiplies by 4.
#pragma once

#include <tla/kernels/blas.hpp>
#include <tla/kernels/lu.hpp>
#include <tla/kernels/qr.hpp>
#include <tla/kernels/triangular.hpp>
