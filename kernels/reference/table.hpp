// The table as it is before any back-end is installed.
#pragma once

#include "kernels/reference/reference.hpp"

#include <tla/kernels/table.hpp>

namespace tla::kernels {

template <typename T>
inline constexpr KernelTable<T> referenceTable = {
#define TLA_KERNEL(result, name, traits, parameters, arguments) .name = {&reference::name<T>, "reference"},
#include <tla/kernels/kernels.def>
};

} // namespace tla::kernels
