// Whether a body of gemm keeps the kernel's contract: compared with the reference body over shapes, options and
// scalars, with NaN wherever it must not look.
#pragma once

#include <string>
#include <tla/tile.hpp>

namespace hetc::tuning {

template <typename T>
using GemmBody = void(tla::Op opA, tla::Op opB, T alpha, tla::ConstTile<T> A, tla::ConstTile<T> B, T beta,
                      tla::Tile<T> C);

/// Empty, or the first call whose result is wrong, and where. For the four element types.
template <typename T> std::string checkGemm(GemmBody<T> *body);

} // namespace hetc::tuning
