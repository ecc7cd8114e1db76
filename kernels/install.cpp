// Chooses the back-end once per process and fills the tables.
#include "kernels/blas_pin.hpp"
#include "kernels/initial_table.hpp"
#include "kernels/loader.hpp"
#include "kernels/module.hpp"
#include "kernels/vectors/isa.hpp"
#include "kernels/winners.hpp"

#include <cstdlib>
#include <mutex>
#include <stdexcept>

namespace tla::kernels {

namespace {
constexpr char reference[] = "reference", openblas[] = "openblas", tuned[] = "tuned", automatic[] = "auto";

Tables tables() {
  return {&kernelTable<float>(), &kernelTable<double>(), &kernelTable<std::complex<float>>(),
          &kernelTable<std::complex<double>>(), threadCrew};
}

KernelStatus installReference() {
  const Tables all = tables();
  *all.s = initialTable<float>();
  *all.d = initialTable<double>();
  *all.c = initialTable<std::complex<float>>();
  *all.z = initialTable<std::complex<double>>();
  return {reference, "loops in C++", {}};
}

struct Module {
  const char *backEnd, *file, *advice;
};
constexpr Module openblasModule{openblas, "libtla_openblas.so",
                                "it is built when libopenblas-pthread-dev is installed"};
constexpr Module tunedModule{tuned, "libtla_tuned.so", "it comes with hetc and needs no other library"};

/// Loads the module first: when that throws, the tables are as they were.
KernelStatus installModule(const Module &module, Process process) {
  const InstallFunction install = loadModule(module.file, module.advice, process);
  const ModuleReport report = install(tables());
  if (!report.installed)
    throw std::runtime_error(report.text);
  return {module.backEnd, report.text, report.threads};
}

/// Whether our own products of tiles were measured faster than OpenBLAS's, for every type, on CPUs like this one.
bool prefersTunedProducts() { return vectors::supports(vectors::Isa::Avx512); }

template <typename T> void takeProducts(const KernelTable<T> &from, KernelTable<T> &to) {
  to.gemm = from.gemm;
  to.gemmt = from.gemmt;
  to.symm = from.symm;
  to.hemm = from.hemm;
  to.syrk = from.syrk;
  to.herk = from.herk;
}

/// Installs hetc's own products, or all own bodies if `all`: factorizations and solves are made of small products, for
/// which OpenBLAS was measured faster.
std::string installTunedBodies(Process process, bool all) {
  const Tables inUse = tables();
  auto s = *inUse.s;
  auto d = *inUse.d;
  auto c = *inUse.c;
  auto z = *inUse.z;
  const ModuleReport report =
      loadModule(tunedModule.file, tunedModule.advice, process)({&s, &d, &c, &z, inUse.crewOfThread});
  const auto take = [all](const auto &from, auto &to) {
    if (all)
      to = from;
    else
      takeProducts(from, to);
  };
  take(s, *inUse.s);
  take(d, *inUse.d);
  take(c, *inUse.c);
  take(z, *inUse.z);
  return std::string(all ? "; its kernels are for older CPUs, so bodies are tuned (" : "; products of tiles: tuned (") +
         report.text + ")";
}

/// "Prescott" of "OpenBLAS 0.3.21 ..., core type Prescott, small-matrix kernels".
std::string coreTypeOf(const std::string &detail) {
  const std::string before = "core type ";
  const std::size_t begin = detail.find(before);
  return begin == std::string::npos
             ? ""
             : detail.substr(begin + before.size(), detail.find(',', begin) - begin - before.size());
}

/// Not where somebody has asked for that core type: then there is a warning (weakPinWarning).
bool isOpenBlasOutdated(const std::string &detail) {
  const char *const pinned = std::getenv("OPENBLAS_CORETYPE");
  return !(pinned && *pinned) && isOutdated(coreTypeOf(detail), vectorLevel());
}

KernelStatus installBest(Process process) {
  std::string passedOver;
  try {
    KernelStatus status = installModule(openblasModule, process);
    try {
      if (const bool all = isOpenBlasOutdated(status.detail); all || prefersTunedProducts())
        status.detail += installTunedBodies(process, all);
    } catch (const std::runtime_error &error) {
      status.detail += std::string("; tuned not used: ") + error.what();
    }
    return status;
  } catch (const std::runtime_error &error) {
    passedOver = std::string("; openblas not used: ") + error.what();
  }
  KernelStatus status;
  try {
    status = installModule(tunedModule, process);
  } catch (const std::runtime_error &error) {
    status = installReference();
    passedOver += std::string("; tuned not used: ") + error.what();
  }
  status.detail += passedOver;
  return status;
}

KernelStatus install(const std::string &preference, Process process) {
  if (preference == automatic) {
    KernelStatus status = installBest(process);
    status.winners = installWinners(tables());
    status.untuned = status.backEnd != reference && !isTuned();
    return status;
  }
  if (preference == reference)
    return installReference();
  if (preference != openblas && preference != tuned)
    throw std::runtime_error("unknown kernels '" + preference + "'; use auto, reference, openblas or tuned");
  try {
    return installModule(preference == openblas ? openblasModule : tunedModule, process);
  } catch (const std::runtime_error &error) {
    throw std::runtime_error("cannot use the " + preference + " kernels: " + error.what() +
                             "; the reference kernels need nothing (HETC_KERNELS=reference)");
  }
}
} // namespace

KernelStatus installKernels(const std::string &preference, Process process) {
  static std::mutex mutex;
  static std::string &installed = *new std::string; // neither is deleted: there may be calls when the process ends
  static KernelStatus &status = *new KernelStatus;
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
