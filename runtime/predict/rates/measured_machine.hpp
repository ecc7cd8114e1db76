// This machine as numbers: what a run on it would take, by the rates that were measured.
#pragma once

#include "runtime/predict/machine/virtual_node.hpp"
#include "runtime/predict/rates/rates.hpp"

#include <tla/runtime/algorithm.hpp>

#include <vector>

namespace tla::host {

inline constexpr double coreBandwidth =
    4e9; ///< bytes per second of one core while all compute, where none was measured

/// A machine for runs in virtual time, with the devices of the rates, in their order.
///
/// A task takes what its kernel takes on full tiles with as many operations; of panels, what it takes on full tiles as
/// wide, in proportion to the operations: a long one takes longer, and is no faster for it. What an accelerator needs
/// for one task alone, above what it needs for each of several, is latency, in which others run ([Song12] 3.2: small
/// tiles leave it idle).
///
/// Kernels of which no rate is known are estimated: by gemm's rate, 0.7 of it, or 0.4 for panels; what is bound by
/// memory by the bytes of its main output, three times. Copies go as one tile does, in both directions at once, and all
/// devices have ways of their own; between devices as fast as from the host.
runtime::VirtualHardware measuredMachine(const NodeRates &rates,
                                         const std::vector<runtime::AcceleratorProperties> &devices,
                                         runtime::ElementType type);

/// The rates of kernels on a core that were measured according to the profile; empty: it has none.
UnitRates measuredCore(const runtime::MachineProfile &profile, runtime::ElementType type);

/// The machine of a profile (hardwareOf()), with its measured kernels in the place of modelled ones.
runtime::VirtualHardware profileMachine(const runtime::VirtualOptions &machine, runtime::ElementType type);

/// Whether gemm's rate is known of the cores and of all devices: without it nothing can be said of a run.
bool canBeSimulated(const NodeRates &rates, const std::vector<runtime::AcceleratorProperties> &devices);

} // namespace tla::host
