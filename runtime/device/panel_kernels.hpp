// What the traits of kernels mean to a device: what it runs, which of its launches take several tasks, whom it prefers.
#pragma once

#include "runtime/device/accelerator.hpp"

#include <tla/kernels/traits.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace tla::runtime {

using kernels::hasTrait;
using kernels::Trait;

/// Whether a device that has a body for a kernel runs it at all: what is bound by memory stays on the host, but for the
/// interchanges of rows.
inline bool isWorthADevice(const TaskClass &taskClass) {
  return !taskClass.memoryBound || hasTrait(taskClass.kernel, Trait::Interchange);
}

/// Whether a task is one product of tiles and nothing else, whoever has a body for it.
inline bool isProductOfTiles(const TaskClass &taskClass) {
  return !taskClass.userKernel && hasTrait(taskClass.kernel, Trait::Product);
}

/// Whether one launch takes such a task of this size, elements of a type (LAPACK's letter), with others.
inline bool isTakenTogether(const Together &together, char type, const TaskSize &size) {
  if (together.tasks <= 1 || !together.products)
    return false;
  const double real = type == 'c' || type == 'z' ? 4 : 1; // operations in one of the type
  const double depth = size.operations / (2 * real * std::max(1.0, static_cast<double>(size.rows) * size.columns));
  return together.products(type, size.rows, size.columns, static_cast<int>(std::lround(depth)));
}

/// Returns the priority of a kernel, 0, 1 or 2, on a device that knows priorities. A panel is many small kernels, one
/// after the other, and others wait for it: none of them is to wait for the blocks of the products around it. So is a
/// chain, for which others may or may not wait.
inline int urgencyOf(std::string_view kernel, Standing standing) {
  if (hasTrait(kernel, Trait::Panel))
    return 2;
  return (hasTrait(kernel, Trait::Chain) ? standing != Standing::Behind : standing == Standing::Before) ? 1 : 0;
}

} // namespace tla::runtime
