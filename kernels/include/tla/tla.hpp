// Everything a .tla file sees: matrices, tiles, the standard kernels, and LAPACK's names for their options.
// Kept light on purpose: no heavy standard header, so that a cold hetc run spends its time elsewhere.
#pragma once

#include <tla/kernels/kernels.hpp>
#include <tla/matrix.hpp>

// A .tla file reads like a textbook, so the enumerators need no prefix there.
using enum tla::Op;
using enum tla::Uplo;
using enum tla::Diag;
using enum tla::Side;
using tla::min, tla::max;
using tla::Op, tla::Uplo, tla::Diag, tla::Side;
