// The configurations that are compiled in: the best found for each instruction set by measuring, of all types one.
#pragma once

#include "kernels/tuned/configuration.hpp"

namespace tla::kernels::tuned {

template <Isa isa> inline constexpr GemmConfiguration defaultConfiguration{};

/// 16 registers: 12 accumulators.
template <>
inline constexpr GemmConfiguration defaultConfiguration<Isa::Avx2>{.isa = Isa::Avx2, .vectors = 3, .columns = 4};

/// 32 registers: 24 accumulators. Measured on Zen 5, where smaller blocks of op(A) suffer less from what else runs on
/// the core.
template <>
inline constexpr GemmConfiguration defaultConfiguration<Isa::Avx512>{
    .isa = Isa::Avx512, .vectors = 3, .columns = 8, .mc = 96};

} // namespace tla::kernels::tuned
