// A candidate of cpu_gemm.space: one configuration of our own gemm. hetc tune puts the namespace `candidate` before it.
#include "kernels/reference/scal.hpp"
#include "kernels/tuned/gemm.hpp"

namespace {
using namespace tla;
using candidate::T;

constexpr kernels::tuned::Isa isa = candidate::vector_bytes == 64   ? kernels::tuned::Isa::Avx512
                                    : candidate::vector_bytes == 32 ? kernels::tuned::Isa::Avx2
                                                                    : kernels::tuned::Isa::Portable;
constexpr kernels::tuned::GemmConfiguration configuration = {.isa = isa,
                                                             .vectors = candidate::vectors,
                                                             .columns = candidate::columns,
                                                             .unroll = candidate::unroll,
                                                             .prefetch = candidate::prefetch,
                                                             .order =
                                                                 static_cast<kernels::tuned::Order>(candidate::order),
                                                             .mc = candidate::mc,
                                                             .kc = candidate::kc,
                                                             .nc = candidate::nc};
} // namespace

extern "C" void hetc_candidate(Op opA, Op opB, T alpha, ConstTile<T> A, ConstTile<T> B, T beta, Tile<T> C) {
  if (C.m() == 0 || C.n() == 0)
    return;
  if (alpha == T(0) || (opA == Op::NoTrans ? A.n() : A.m()) == 0)
    reference::scal(beta, C);
  else
    kernels::tuned::Gemm<T, configuration>::run(opA, opB, alpha, A, B, beta, C);
}
