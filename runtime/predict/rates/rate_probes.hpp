// Kernels as tasks whose speed can be measured alone: on a core and on an accelerator.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <string>
#include <vector>

namespace tla::host {

/// One kernel on full tiles. Called as often as one likes on tiles that hold probeElement() at first: then nothing
/// overflows, and all factorizations succeed.
struct RateProbe {
  runtime::TaskClass taskClass;
  int outputs = 1;      ///< the first tiles, which it writes
  int tiles = 1;        ///< all that it names
  bool factors = false; ///< the last tile is blockReflectors x nb: the factors of QR's block reflectors
  bool pivots = false;  ///< the last output is a column of int; those before it are a panel
};

/// LAPACK's ib of the QR kernels that are measured.
inline constexpr int blockReflectors = 32;

/// The probes of `kernels`, short names, in their order; kernels without one are left out.
std::vector<RateProbe> probesOf(runtime::ElementType type, const std::vector<std::string> &kernels);

/// The probes of the kernels that take panels: on a panel of so many tiles, with the name that the kernel has in
/// probesOf().
std::vector<RateProbe> panelProbesOf(runtime::ElementType type, const std::vector<std::string> &kernels);

/// The probes of these and other kernels whose time on a core is not that of full tiles in proportion to the rows: on
/// panels as tall. Bodies of devices take other arguments.
std::vector<RateProbe> corePanelProbesOf(runtime::ElementType type);

/// The short names of all that there are probes for.
std::vector<std::string> probedKernels(runtime::ElementType type);

/// Element (i, j) of an nb x nb tile, real: ones on the diagonal, small elsewhere.
double probeElement(int i, int j, int nb);

} // namespace tla::host
