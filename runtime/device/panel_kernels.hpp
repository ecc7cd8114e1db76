// Which kernels are panels, which are several kernels of a device, and which of a device's launches take several tasks;
// whom a device is to prefer.
#pragma once

#include "runtime/device/accelerator.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

namespace tla::runtime {

/// Whether a kernel is one of those that factor or invert a tile or a panel, or choose its pivots: many small steps,
/// one after the other.
inline bool isPanelKernel(std::string_view kernel) {
  static constexpr std::string_view kernels[] = {"potrf",
                                                 "trtri",
                                                 "lauum",
                                                 "hetrf_nopiv",
                                                 "getrf",
                                                 "getrf_nopiv",
                                                 "geqrf",
                                                 "larft",
                                                 "geqrt",
                                                 "tsqrt",
                                                 "ttqrt",
                                                 "tournamentSelect",
                                                 "tournamentMatch",
                                                 "tournamentPivots",
                                                 "requireNonsingular"};
  return std::find(std::begin(kernels), std::end(kernels), kernel) != std::end(kernels);
}

/// Whether idle threads of the host help with a kernel, if it is long (kernels/crew.hpp).
inline bool letsOthersHelp(std::string_view kernel) { return kernel == "getrf" || kernel == "geqrf"; }

/// Whether a task is one product of tiles and nothing else, whoever has a body for it.
inline bool isProductOfTiles(const TaskClass &taskClass) {
  return !taskClass.userKernel && taskClass.kernel == std::string_view("gemm");
}

/// Whether one launch takes such a task of this size, elements of a type (LAPACK's letter), with others.
inline bool isTakenTogether(const Together &together, char type, const TaskSize &size) {
  if (together.tasks <= 1 || !together.products)
    return false;
  const double real = type == 'c' || type == 'z' ? 4 : 1; // operations in one of the type
  const double depth = size.operations / (2 * real * std::max(1.0, static_cast<double>(size.rows) * size.columns));
  return together.products(type, size.rows, size.columns, static_cast<int>(std::lround(depth)));
}

/// Whether a device does a kernel in several steps, each of which fills a part of it only: behind the blocks of
/// products that fill all of it, each of them would wait.
inline bool isChainKernel(std::string_view kernel) { return kernel == "trsm" || kernel == "trmm" || kernel == "laswp"; }

/// The priority of a kernel, 0, 1 or 2, on a device that knows priorities. A panel is many small kernels, one after the
/// other, and others wait for it: none of them is to wait for the blocks of the products around it. So is a chain, for
/// which others may or may not wait.
inline int urgencyOf(std::string_view kernel, Standing standing) {
  if (isPanelKernel(kernel))
    return 2;
  return (isChainKernel(kernel) ? standing != Standing::Behind : standing == Standing::Before) ? 1 : 0;
}

} // namespace tla::runtime
