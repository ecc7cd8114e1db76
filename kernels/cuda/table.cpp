#include "kernels/cuda/table.hpp"

#include "kernels/cuda/bodies.hpp"

#include <cstdlib>
#include <string>

namespace tla::kernels::cuda {

/// The table of the bodies for this device; it has none for hetrf_nopiv, the tournament's kernels, and the interchanges
/// of several panels and of grids of nodes.
template <typename T> static constexpr KernelTable<T> makeTable() {
  KernelTable<T> table{};
#define TLA_BODY(kernel) table.kernel = {&cuda::kernel<T>, "cuda"};
  TLA_BODY(gemm)
  TLA_BODY(gemmt)
  TLA_BODY(symm)
  TLA_BODY(hemm)
  TLA_BODY(syrk)
  TLA_BODY(herk)
  TLA_BODY(trsm)
  TLA_BODY(trmm)
  TLA_BODY(scal)
  TLA_BODY(lascl)
  TLA_BODY(omatcopy)
  TLA_BODY(laset)
  TLA_BODY(potrf)
  TLA_BODY(trtri)
  TLA_BODY(lauum)
  TLA_BODY(scaleByPivots)
  TLA_BODY(requireNonsingular)
  TLA_BODY(getrf)
  TLA_BODY(getrf_nopiv)
  TLA_BODY(laswp)
  TLA_BODY(geqrf)
  TLA_BODY(larft)
  TLA_BODY(larfb)
  TLA_BODY(copyUnitLower)
  TLA_BODY(geqrt)
  TLA_BODY(unmqr)
  TLA_BODY(tsqrt)
  TLA_BODY(tsmqr)
  TLA_BODY(ttqrt)
  TLA_BODY(ttmqr)
#undef TLA_BODY
  return table;
}

template <typename T> static constexpr KernelTable<T> table = makeTable<T>();

template <typename T> const KernelTable<T> &cudaTable() { return table<T>; }

template const KernelTable<float> &cudaTable();
template const KernelTable<double> &cudaTable();
template const KernelTable<std::complex<float>> &cudaTable();
template const KernelTable<std::complex<double>> &cudaTable();

bool hasKernel(std::string_view name) {
  bool found = false;
  visitKernels(table<double>,
               [&](const char *kernel, const char *backEnd) { found = found || (backEnd && name == kernel); });
  return found;
}

bool panelsAreOurs() {
  const char *const said = std::getenv("HETC_CUDA_PANELS");
  const std::string whose = said && *said ? said : "own";
  if (whose != "own" && whose != "cusolver")
    throw CudaError("HETC_CUDA_PANELS is '" + whose + "'; it is own or cusolver");
  return whose == "own";
}

} // namespace tla::kernels::cuda
