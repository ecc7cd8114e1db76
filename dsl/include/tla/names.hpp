// LAPACK's names for options without a prefix: a .tla file reads like a textbook. tla::NoTrans is the same.
#pragma once

#include <tla/matrix.hpp>

namespace tla {
using enum Op;
using enum Uplo;
using enum Diag;
using enum Side;
} // namespace tla

using enum tla::Op;
using enum tla::Uplo;
using enum tla::Diag;
using enum tla::Side;
using tla::min, tla::max;
using tla::Op, tla::Uplo, tla::Diag, tla::Side;
