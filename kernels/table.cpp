// The tables, filled with the reference bodies, and the kernels of kernels.hpp as calls through them.
#include "tla/kernels/table.hpp"

#include "kernels/initial_table.hpp"
#include "kernels/reference/table.hpp"

#include <type_traits>
#include <utility>

namespace tla::kernels {

namespace {
template <typename T> constinit KernelTable<T> table = referenceTable<T>;

// Of the thread, as kernels are called by their own names and parameters, from the same generated code at all places.
// One load in front of each kernel: no call of the dynamic linker to find it, though this is in a shared library.
[[gnu::tls_model("initial-exec")]] constinit thread_local const AcceleratorTables *threadTables = nullptr;

template <typename T> const KernelTable<T> &tableOf(const AcceleratorTables &tables) {
  if constexpr (std::is_same_v<T, float>)
    return *tables.s;
  else if constexpr (std::is_same_v<T, double>)
    return *tables.d;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return *tables.c;
  else
    return *tables.z;
}

/// The table for a call of this thread.
template <typename T> const KernelTable<T> &tableInUse() { return threadTables ? tableOf<T>(*threadTables) : table<T>; }
} // namespace

const AcceleratorTables *setThreadTables(const AcceleratorTables *tables) {
  return std::exchange(threadTables, tables);
}

template <typename T> KernelTable<T> &kernelTable() { return table<T>; }

template KernelTable<float> &kernelTable();
template KernelTable<double> &kernelTable();
template KernelTable<std::complex<float>> &kernelTable();
template KernelTable<std::complex<double>> &kernelTable();

template <typename T> const KernelTable<T> &initialTable() { return referenceTable<T>; }

template const KernelTable<float> &initialTable();
template const KernelTable<double> &initialTable();
template const KernelTable<std::complex<float>> &initialTable();
template const KernelTable<std::complex<double>> &initialTable();

} // namespace tla::kernels

namespace tla {
#define TLA_KERNEL(result, name, traits, parameters, arguments)                                                        \
  template <typename T> result name parameters { return kernels::tableInUse<T>().name.body arguments; }
#include <tla/kernels/kernels.def>
} // namespace tla

#include "kernels/reference/instantiate.hpp" // after the definitions
