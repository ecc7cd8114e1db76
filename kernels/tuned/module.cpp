// The module libtla_tuned.so: overrides the kernel tables with bodies of our own.
#include "kernels/module.hpp"
#include "kernels/recursive/parts.hpp"
#include "kernels/recursive/table.hpp"
#include "kernels/tuned/products.hpp"

/// See ModuleReport and InstallFunction in kernels/module.hpp.
extern "C" __attribute__((visibility("default"))) tla::kernels::ModuleReport
tlaInstallKernels3(const tla::kernels::Tables &tables) {
  using namespace tla::kernels;
  recursive::crewOfThread = tables.crewOfThread;
  recursive::setBodies(*tables.s, "tuned");
  recursive::setBodies(*tables.d, "tuned");
  recursive::setBodies(*tables.c, "tuned");
  recursive::setBodies(*tables.z, "tuned");
  switch (tuned::isaInUse) {
  case tuned::Isa::Avx512:
    return {true, "micro-kernels for AVX-512", {}};
  case tuned::Isa::Avx2:
    return {true, "micro-kernels for AVX2", {}};
  case tuned::Isa::Portable:
    break;
  }
  return {true, "micro-kernels for the baseline of this architecture", {}};
}
