// The tables, filled with the reference bodies, and the kernels of kernels.hpp as calls through them.
#include "tla/kernels/table.hpp"

#include "kernels/reference_table.hpp"

namespace tla::kernels {

namespace {
template <typename T> constinit KernelTable<T> table = referenceTable<T>;
} // namespace

template <typename T> KernelTable<T> &kernelTable() { return table<T>; }

template KernelTable<float> &kernelTable();
template KernelTable<double> &kernelTable();
template KernelTable<std::complex<float>> &kernelTable();
template KernelTable<std::complex<double>> &kernelTable();

} // namespace tla::kernels

namespace tla {
#define TLA_KERNEL(result, name, parameters, arguments)                                                                \
  template <typename T> result name parameters { return kernels::table<T>.name.body arguments; }
#include <tla/kernels/kernels.def>
} // namespace tla

#include "kernels/instantiate.hpp" // after the definitions
