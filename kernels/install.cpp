// Chooses the back-end once per process and fills the tables.
#include "kernels/loader.hpp"
#include "kernels/module.hpp"
#include "kernels/reference_table.hpp"
#include "kernels/winners.hpp"

#include <cstdlib>
#include <mutex>
#include <stdexcept>

namespace tla::kernels {

namespace {
constexpr char reference[] = "reference", openblas[] = "openblas", automatic[] = "auto";

Tables tables() {
  return {&kernelTable<float>(), &kernelTable<double>(), &kernelTable<std::complex<float>>(),
          &kernelTable<std::complex<double>>()};
}

KernelStatus installReference() {
  const Tables all = tables();
  *all.s = referenceTable<float>;
  *all.d = referenceTable<double>;
  *all.c = referenceTable<std::complex<float>>;
  *all.z = referenceTable<std::complex<double>>;
  return {reference, "loops in C++", {}};
}

/// Loads the module first: when that throws, the tables are as they were.
KernelStatus installOpenblas(Process process) {
  const InstallFunction install = loadModule("libtla_openblas.so", process);
  const ModuleReport report = install(tables());
  if (!report.installed)
    throw std::runtime_error(report.text);
  return {openblas, report.text, report.threads};
}

KernelStatus installBest(Process process) {
  try {
    return installOpenblas(process);
  } catch (const std::runtime_error &error) {
    KernelStatus status = installReference();
    status.detail += std::string("; openblas not used: ") + error.what();
    return status;
  }
}

KernelStatus install(const std::string &preference, Process process) {
  if (preference == automatic) {
    const KernelStatus status = installBest(process);
    installWinners(tables());
    return status;
  }
  if (preference == reference)
    return installReference();
  if (preference != openblas)
    throw std::runtime_error("unknown kernels '" + preference + "'; use auto, reference or openblas");
  try {
    return installOpenblas(process);
  } catch (const std::runtime_error &error) {
    throw std::runtime_error(std::string("cannot use the openblas kernels: ") + error.what() +
                             "; the reference kernels need nothing (HETC_KERNELS=reference)");
  }
}
} // namespace

KernelStatus installKernels(const std::string &preference, Process process) {
  static std::mutex mutex;
  static std::string installed;
  static KernelStatus status;
  const char *override = std::getenv("HETC_KERNELS");
  const std::string choice = override && *override ? override : preference;
  const std::lock_guard lock(mutex);
  if (choice != installed) {
    status = install(choice, process);
    installed = choice;
  }
  if (process == Process::Own && status.blasThreads.set)
    status.blasThreads.set(1);
  return status;
}

} // namespace tla::kernels
