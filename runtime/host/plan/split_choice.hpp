// The number of slices to compile a program for.
#pragma once

#include "runtime/device/choice/devices.hpp"

#include <tla/runtime/algorithm.hpp>

namespace tla::host {

/// What --split auto stands for on this machine: the slices that [Song12] 3.2 has (cutFor()) for gemm on tiles of nb,
/// by measured rates, which are taken first if they are not known; 1 without accelerators, and where the host's part of
/// a tile would be too narrow. `threads`: of the host, 0: all. No kernel may be running. Throws tla::Error when a
/// device cannot be opened.
int chooseSliceCount(const runtime::DeviceChoice &devices, runtime::ElementType type, int nb, int threads);

} // namespace tla::host
