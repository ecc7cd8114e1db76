// The module libtla_openblas.so: overrides the kernel tables with bodies over OpenBLAS.
#include "kernels/module.hpp"
#include "kernels/openblas/products.hpp"
#include "kernels/recursive/parts.hpp"
#include "kernels/recursive/table.hpp"

#include <cstdio>
#include <cstring>

namespace tla::kernels {

namespace {
/// The AVX-512 core types have small-matrix kernels for s and d since OpenBLAS 0.3.17 (its Changelog.txt).
bool offersSmallGemm(const char *config, const char *core) {
  int major = 0, minor = 0, patch = 0;
  if (std::sscanf(config, "OpenBLAS %d.%d.%d", &major, &minor, &patch) != 3)
    return false;
  const bool recent = major > 0 || minor > 3 || (minor == 3 && patch >= 17);
  return recent &&
         (!std::strcmp(core, "SkylakeX") || !std::strcmp(core, "Cooperlake") || !std::strcmp(core, "SapphireRapids"));
}
} // namespace

} // namespace tla::kernels

/// See ModuleReport and InstallFunction in kernels/module.hpp.
extern "C" __attribute__((visibility("default"))) tla::kernels::ModuleReport
tlaInstallKernels3(const tla::kernels::Tables &tables) {
  using namespace tla::kernels;
  static char text[512];
  const char *config = openblas_get_config(), *core = openblas_get_corename();
  if (openblas_get_parallel() != OPENBLAS_THREAD) {
    std::snprintf(text, sizeof text,
                  "%.200s is not built for pthreads, so it is not safe or not single-threaded when several threads "
                  "call it; install libopenblas0-pthread",
                  config);
    return {false, text, {}};
  }
  openblas::hasSmallGemm = offersSmallGemm(config, core);
  std::snprintf(text, sizeof text, "%.200s, core type %.100s%s", config, core,
                openblas::hasSmallGemm ? ", small-matrix kernels" : "");
  recursive::crewOfThread = tables.crewOfThread;
  recursive::setBodies(*tables.s, "openblas");
  recursive::setBodies(*tables.d, "openblas");
  recursive::setBodies(*tables.c, "openblas");
  recursive::setBodies(*tables.z, "openblas");
  return {true, text, {openblas_get_num_threads, openblas_set_num_threads}};
}
