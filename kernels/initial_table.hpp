// The tables as they are before any back-end is installed, compiled in table.cpp with the bodies that they hold.
#pragma once

#include <tla/kernels/table.hpp>

namespace tla::kernels {

/// The table with the reference bodies, for each of the four element types.
template <typename T> const KernelTable<T> &initialTable();

} // namespace tla::kernels
