// The configurations that are compiled in: the best found for each instruction set by measuring, of all types one.
#pragma once

#include "kernels/tuned/configuration.hpp"

namespace tla::kernels::tuned {

template <Isa isa> inline constexpr GemmConfiguration defaultConfiguration{};

/// 16 registers: 12 accumulators.
template <>
inline constexpr GemmConfiguration defaultConfiguration<Isa::Avx2>{.isa = Isa::Avx2, .vectors = 3, .columns = 4};

/// 32 registers: 24 accumulators. Measured on Zen 5: a deep block of k, so that C is read and written seldom; two
/// blocks of op(A), this and the next, in the level-2 cache; one of op(B) in a part of level 3, which others use, too.
template <>
inline constexpr GemmConfiguration defaultConfiguration<Isa::Avx512>{
    .isa = Isa::Avx512, .vectors = 3, .columns = 8, .unroll = 4, .mc = 96, .kc = 512, .nc = 2040};

} // namespace tla::kernels::tuned
