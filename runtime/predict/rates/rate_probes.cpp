#include "runtime/predict/rates/rate_probes.hpp"

#include "runtime/host/base/element_type.hpp"
#include "runtime/predict/rates/rates.hpp"

#include <tla/kernels/kernels.hpp>

namespace tla::host {
namespace {
using runtime::TaskView;

/// Numerator / Denominator * nb^3 multiplications and additions.
template <typename T, int Numerator, int Denominator = 1> double flops(const TaskView &task) {
  const double nb = task.tile<T>(0).n();
  return (isComplex<T> ? 4.0 : 1.0) * Numerator / Denominator * nb * nb * nb;
}

template <typename T> struct Probes {
  static Tile<T> tile(const TaskView &task, int number) { return task.tile<T>(number); }

  static int gemm(const TaskView &t) {
    tla::gemm<T>(Op::NoTrans, Op::ConjTrans, T(-1), tile(t, 1), tile(t, 2), T(1), tile(t, 0));
    return 0;
  }
  static int herk(const TaskView &t) {
    tla::herk<T>(Uplo::Lower, Op::NoTrans, RealType<T>(-1), tile(t, 1), RealType<T>(1), tile(t, 0));
    return 0;
  }
  static int trsm(const TaskView &t) {
    tla::trsm<T>(Side::Right, Uplo::Lower, Op::ConjTrans, Diag::NonUnit, T(1), tile(t, 1), tile(t, 0));
    return 0;
  }
  static int potrf(const TaskView &t) { return tla::potrf<T>(Uplo::Lower, tile(t, 0)); }
  static int trtri(const TaskView &t) { return tla::trtri<T>(Uplo::Lower, Diag::NonUnit, tile(t, 0)); }
  static int lauum(const TaskView &t) {
    tla::lauum<T>(Uplo::Lower, tile(t, 0));
    return 0;
  }
  static int getrf(const TaskView &t) { return tla::getrf_nopiv<T>(tile(t, 0)); }
  static int hetrf(const TaskView &t) { return tla::hetrf_nopiv<T>(tile(t, 0)); }
  using Panel = runtime::TaskPanel<T>;
  template <int Tiles> static int getrfPanel(const TaskView &t) {
    return tla::getrf<T>(0, Panel(t, 0, Tiles), t.tile<int>(Tiles));
  }
  template <int Tiles> static int geqrf(const TaskView &t) {
    tla::geqrf<T>(Panel(t, 0, Tiles), tile(t, Tiles), tile(t, Tiles + 1));
    return 0;
  }
  static int larft(const TaskView &t) {
    tla::larft<T>(Panel(t, 1, 1), tile(t, 2), tile(t, 0));
    return 0;
  }
  static int larfb(const TaskView &t) {
    tla::larfb<T>(Op::ConjTrans, Panel(t, 1, 1), tile(t, 2), Panel(t, 0, 1));
    return 0;
  }
  static int geqrt(const TaskView &t) {
    tla::geqrt<T>(blockReflectors, tile(t, 0), tile(t, 1));
    return 0;
  }
  static int tsqrt(const TaskView &t) {
    tla::tsqrt<T>(blockReflectors, tile(t, 0), tile(t, 1), tile(t, 2));
    return 0;
  }
  static int unmqr(const TaskView &t) {
    tla::unmqr<T>(Op::ConjTrans, blockReflectors, tile(t, 1), tile(t, 2), tile(t, 0));
    return 0;
  }
  static int tsmqr(const TaskView &t) {
    tla::tsmqr<T>(Op::ConjTrans, blockReflectors, tile(t, 0), tile(t, 1), tile(t, 2), tile(t, 3));
    return 0;
  }

  // Tiles 0 .. Tiles - 1 are the panel C, the next ones the vectors, the last one is their factor.
  template <int Tiles> static int larfbPanel(const TaskView &t) {
    tla::larfb<T>(Op::ConjTrans, Panel(t, Tiles, Tiles), tile(t, 2 * Tiles), Panel(t, 0, Tiles));
    return 0;
  }
  template <int Tiles> static int larftPanel(const TaskView &t) {
    tla::larft<T>(Panel(t, 1, Tiles), tile(t, Tiles + 1), tile(t, 0));
    return 0;
  }
  /// The first rows of the panel, each with one that is not near; LAPACK counts from 1.
  template <int Tiles> static int laswpPanel(const TaskView &t) {
    constexpr int prime = 7919;
    const int nb = tile(t, 0).n();
    std::vector<int> pivots(nb);
    for (int i = 0; i < nb; ++i)
      pivots[i] = 1 + i + i * prime % (Tiles * nb - i);
    tla::laswp<T>(0, Tile<int>(pivots.data(), nb, 1, nb), 1, Panel(t, 0, Tiles));
    return 0;
  }

  static std::vector<RateProbe> all() {
    constexpr const char *here = "measured rates";
    return {{{"gemm", here, gemm, flops<T, 2>}, 1, 3},
            {{"herk", here, herk, flops<T, 1>}, 1, 2},
            {{"trsm", here, trsm, flops<T, 1>}, 1, 2},
            {{"potrf", here, potrf, flops<T, 1, 3>}, 1, 1},
            {{"trtri", here, trtri, flops<T, 1, 3>}, 1, 1},
            {{"lauum", here, lauum, flops<T, 1, 3>}, 1, 1},
            {{"getrf_nopiv", here, getrf, flops<T, 2, 3>}, 1, 1},
            {{"hetrf_nopiv", here, hetrf, flops<T, 1, 3>}, 1, 1},
            {{"getrf", here, getrfPanel<1>, flops<T, 2, 3>}, 2, 2, false, true},
            {{"geqrf", here, geqrf<1>, flops<T, 4, 3>}, 3, 3},
            {{"larft", here, larft, flops<T, 1>}, 1, 3},
            {{"larfb", here, larfb, flops<T, 2>}, 1, 3},
            {{"geqrt", here, geqrt, flops<T, 4, 3>}, 2, 2, true},
            {{"tsqrt", here, tsqrt, flops<T, 2>}, 3, 3, true},
            {{"unmqr", here, unmqr, flops<T, 2>}, 1, 3, true},
            {{"tsmqr", here, tsmqr, flops<T, 4>}, 2, 4, true}};
  }
  static std::vector<RateProbe> ofPanels() {
    constexpr const char *here = "measured rates of panels";
    constexpr int tiles = UnitRates::tallPanel;
    return {{{"getrf", here, getrfPanel<tiles>, flops<T, 3 * tiles - 1, 3>}, tiles + 1, tiles + 1, false, true},
            {{"geqrf", here, geqrf<tiles>, flops<T, 6 * tiles - 2, 3>}, tiles + 2, tiles + 2}};
  }
  static std::vector<RateProbe> ofCorePanels() {
    constexpr const char *here = "measured rates of panels";
    constexpr int tiles = UnitRates::tallPanel;
    std::vector<RateProbe> probes = ofPanels();
    probes.push_back({{"larfb", here, larfbPanel<tiles>, flops<T, 4 * tiles - 2>}, tiles, 2 * tiles + 1});
    probes.push_back({{"larft", here, larftPanel<tiles>, flops<T, tiles>}, 1, tiles + 2});
    probes.push_back({{"laswp", here, laswpPanel<tiles>, flops<T, 0>}, tiles, tiles});
    return probes;
  }
};

} // namespace

static std::vector<RateProbe> allProbes(ElementType type) {
  return withNumberType(type, [](auto zero) { return Probes<decltype(zero)>::all(); });
}

std::vector<std::string> probedKernels(ElementType type) {
  std::vector<std::string> kernels;
  for (const RateProbe &probe : allProbes(type))
    kernels.emplace_back(probe.taskClass.kernel);
  return kernels;
}

static std::vector<RateProbe> selected(const std::vector<RateProbe> &all, const std::vector<std::string> &kernels) {
  std::vector<RateProbe> probes;
  for (const std::string &kernel : kernels)
    for (const RateProbe &probe : all)
      if (probe.taskClass.kernel == kernel)
        probes.push_back(probe);
  return probes;
}

std::vector<RateProbe> probesOf(ElementType type, const std::vector<std::string> &kernels) {
  return selected(allProbes(type), kernels);
}

std::vector<RateProbe> panelProbesOf(ElementType type, const std::vector<std::string> &kernels) {
  return withNumberType(type, [&](auto zero) { return selected(Probes<decltype(zero)>::ofPanels(), kernels); });
}

std::vector<RateProbe> corePanelProbesOf(ElementType type) {
  return withNumberType(type, [](auto zero) { return Probes<decltype(zero)>::ofCorePanels(); });
}

double probeElement(int i, int j, int nb) {
  if (i == j)
    return 1;
  return ((i * 37 + j * 101) % 199 - 99) / (400.0 * nb); // sums of a row below 1 / 4
}

} // namespace tla::host
