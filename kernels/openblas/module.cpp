// The module libtla_openblas.so: overrides the kernel tables with bodies over OpenBLAS.
#include "kernels/module.hpp"
#include "kernels/openblas/nopiv.hpp"
#include "kernels/openblas/potrf.hpp"
#include "kernels/openblas/qr_panel.hpp"
#include "kernels/openblas/qr_tile.hpp"
#include "kernels/openblas/symm.hpp"
#include "kernels/openblas/tournament.hpp"
#include "kernels/openblas/triangular.hpp"
#include "kernels/reference_table.hpp"

#include <cstdio>
#include <cstring>

namespace tla::kernels {

namespace {
/// What is not named here keeps its reference body.
template <typename T> constexpr KernelTable<T> makeTable() {
  KernelTable<T> table = referenceTable<T>;
  table.potrf = {&openblas::potrf<T>, "openblas"};
  table.trsm = {&openblas::trsm<T>, "openblas"};
  table.syrk = {&openblas::syrk<T>, "openblas"};
  table.herk = {&openblas::herk<T>, "openblas"};
  table.gemm = {&openblas::gemm<T>, "openblas"};

  table.symm = {&openblas::symm<T>, "openblas"};
  table.hemm = {&openblas::hemm<T>, "openblas"};
  table.gemmt = {&openblas::gemmt<T>, "openblas"};
  table.trmm = {&openblas::trmm<T>, "openblas"};
  table.trtri = {&openblas::trtri<T>, "openblas"};
  table.lauum = {&openblas::lauum<T>, "openblas"};
  table.hetrf_nopiv = {&openblas::hetrf_nopiv<T>, "openblas"};

  table.getrf = {&openblas::getrf<T>, "openblas"};
  table.laswp = {&openblas::laswp<T>, "openblas"};
  table.geqrf = {&openblas::geqrf<T>, "openblas"};
  table.larft = {&openblas::larft<T>, "openblas"};
  table.larfb = {&openblas::larfb<T>, "openblas"};
  table.copyUnitLower = {&openblas::copyUnitLower<T>, "openblas"};
  table.geqrt = {&openblas::geqrt<T>, "openblas"};
  table.unmqr = {&openblas::unmqr<T>, "openblas"};
  table.tsqrt = {&openblas::tsqrt<T>, "openblas"};
  table.tsmqr = {&openblas::tsmqr<T>, "openblas"};
  table.ttqrt = {&openblas::ttqrt<T>, "openblas"};
  table.ttmqr = {&openblas::ttmqr<T>, "openblas"};
  table.getrf_nopiv = {&openblas::getrf_nopiv<T>, "openblas"};
  table.tournamentSelect = {&openblas::tournamentSelect<T>, "openblas"};
  table.tournamentMatch = {&openblas::tournamentMatch<T>, "openblas"};
  return table;
}
template <typename T> constexpr KernelTable<T> openblasTable = makeTable<T>();

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
tlaInstallKernels2(const tla::kernels::Tables &tables) {
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
  *tables.s = openblasTable<float>;
  *tables.d = openblasTable<double>;
  *tables.c = openblasTable<std::complex<float>>;
  *tables.z = openblasTable<std::complex<double>>;
  return {true, text, {openblas_get_num_threads, openblas_set_num_threads}};
}
