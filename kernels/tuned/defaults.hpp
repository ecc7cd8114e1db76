// The configurations that are compiled in: the best found for each instruction set by measuring, of all types one.
#pragma once

#include "kernels/tuned/configuration.hpp"

namespace tla::kernels::tuned {

template <Isa isa> inline constexpr GemmConfiguration defaultConfiguration{};

/// 16 registers: 12 accumulators.
template <>
inline constexpr GemmConfiguration defaultConfiguration<Isa::Avx2>{.isa = Isa::Avx2, .vectors = 3, .columns = 4};

/// 32 registers: 24 accumulators. Measured on Zen 5: a deep block of k, so that C is read and written seldom; a block of
/// op(A) in half of the level-2 cache and one of op(B) in a small part of level 3, which others use, too.
template <>
inline constexpr GemmConfiguration defaultConfiguration<Isa::Avx512>{
    .isa = Isa::Avx512, .vectors = 3, .columns = 8, .unroll = 4, .mc = 120, .kc = 512, .nc = 1024};

} // namespace tla::kernels::tuned
