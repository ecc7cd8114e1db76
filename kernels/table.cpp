// The tables, filled with the reference bodies, and the kernels of kernels.hpp as calls through them.
#include "tla/kernels/table.hpp"

#include "kernels/reference_table.hpp"

namespace tla::kernels {

namespace {
template <typename T> constinit KernelTable<T> table = referenceTable<T>;
/// Null: the process-wide one.
template <typename T> constinit thread_local const KernelTable<T> *threadTable = nullptr;
template <typename T> const KernelTable<T> &tableInUse() { return threadTable<T> ? *threadTable<T> : table<T>; }
} // namespace

template <typename T> KernelTable<T> &kernelTable() { return table<T>; }

template <typename T> ThreadKernels<T>::ThreadKernels(const KernelTable<T> &table) { threadTable<T> = &table; }
template <typename T> ThreadKernels<T>::~ThreadKernels() { threadTable<T> = nullptr; }

template class ThreadKernels<float>;
template class ThreadKernels<double>;
template class ThreadKernels<std::complex<float>>;
template class ThreadKernels<std::complex<double>>;

template KernelTable<float> &kernelTable();
template KernelTable<double> &kernelTable();
template KernelTable<std::complex<float>> &kernelTable();
template KernelTable<std::complex<double>> &kernelTable();

} // namespace tla::kernels

namespace tla {
#define TLA_KERNEL(result, name, parameters, arguments)                                                                \
  template <typename T> result name parameters { return kernels::tableInUse<T>().name.body arguments; }
#include <tla/kernels/kernels.def>
} // namespace tla

#include "kernels/instantiate.hpp" // after the definitions
