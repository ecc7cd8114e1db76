// The kernel table: which body runs behind each kernel of kernels.hpp. The reference bodies are there from the start
// (constant initialization, nothing runs at load); installKernels() lets a back-end override them, entry by entry.
#pragma once

#include <complex>
#include <string>
#include <tla/kernels/kernels.hpp>

namespace tla::kernels {

/// One kernel of the table: the function called, and the name of the back-end it comes from ("reference",
/// "openblas", "tuned", ...; a string literal).
template <typename Function> struct KernelEntry {
  Function body;
  const char *name;
};

/// The body in use for each kernel, an entry of the kernel's name. To add a kernel: declare it in a header of this
/// folder, list it in kernels.def, write its reference body in kernels/reference; a back-end that does not know it
/// leaves the reference body in place.
template <typename T> struct KernelTable {
#define TLA_KERNEL(result, name, traits, parameters, arguments) KernelEntry<decltype(&tla::name<T>)> name;
#include <tla/kernels/kernels.def>
};

/// The process-wide table for T, one of float, double, std::complex<float>, std::complex<double>.
template <typename T> KernelTable<T> &kernelTable();

/// The tables of an accelerator.
struct AcceleratorTables {
  const KernelTable<float> *s;
  const KernelTable<double> *d;
  const KernelTable<std::complex<float>> *c;
  const KernelTable<std::complex<double>> *z;
};

/// From now on the calling thread's calls of kernels go to the bodies of these tables instead of the process-wide ones,
/// so that the thread that launches an accelerator's kernels runs the same generated code as the host's threads do;
/// null: to the latter again. Returns what it was before. The tables stay until then, and have no null entry that is
/// called.
const AcceleratorTables *setThreadTables(const AcceleratorTables *tables);

/// Calls visit(const char *kernel, const char *backEnd) for every entry, in the order of the list.
template <typename T, typename Visitor> void visitKernels(const KernelTable<T> &table, Visitor &&visit) {
#define TLA_KERNEL(result, kernel, traits, parameters, arguments) visit(#kernel, table.kernel.name);
#include <tla/kernels/kernels.def>
}

/// How many threads the back-end's BLAS takes for one call: a setting that everyone in the process shares who uses the
/// same BLAS. Null functions when the back-end has no such setting.
struct BlasThreads {
  int (*get)() = nullptr;
  void (*set)(int) = nullptr;
};

/// The result of installKernels().
struct KernelStatus {
  /// "reference", "openblas" or "tuned".
  std::string backEnd;
  /// The back-end's description of itself (version, core type); with "auto", also the reason why it was not used.
  std::string detail;
  BlasThreads blasThreads;
  /// With "auto", the bodies that hetc tune found on this machine and that are used in place of the back-end's, with a
  /// hash of each: "gemm d 5fa31e0b, gemm s 02c4a1d7". Empty: none.
  std::string winners = {};
  /// With "auto": hetc tune has never looked for faster bodies on this machine.
  bool untuned = false;
};

/// The owner of the process. Own: the kernels', so that their BLAS is loaded without threads and keeps to one thread
/// for good. Shared: somebody else's, who may use the same BLAS. Environment and threads are left as they are, and the
/// caller sets KernelStatus::blasThreads to 1 for as long as kernels run, since the parallelism is that of the tasks.
enum class Process { Own, Shared };

/// Fills the tables of all four types. `preference` is "reference", "openblas", "tuned" or "auto": OpenBLAS, with
/// products of tiles by our own bodies on CPUs where these were measured faster, and all bodies our own where OpenBLAS
/// takes the CPU for one without AVX2; without OpenBLAS our own; without both reference. The environment variable
/// HETC_KERNELS overrides it. Call before a run: safe from several threads, does nothing when the preference is the one
/// installed, but no kernel may be running when it changes. Throws std::runtime_error when the preference is unknown or
/// the back-end asked for cannot be loaded; the tables then stay as they were.
KernelStatus installKernels(const std::string &preference = "auto", Process process = Process::Own);

} // namespace tla::kernels
