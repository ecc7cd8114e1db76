// The tables as they are before any back-end is installed, compiled in table.cpp with the bodies that they hold.
#pragma once

#include <tla/kernels/table.hpp>

namespace tla::kernels {

/// For the four element types: the reference bodies.
template <typename T> const KernelTable<T> &initialTable();

} // namespace tla::kernels
