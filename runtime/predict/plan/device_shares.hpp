// Who gets what on a node with accelerators, as the command line or measured rates say: the same for a run and its
// cost.
#pragma once

#include "runtime/host/problem/problem.hpp"
#include "runtime/predict/rates/device_rates.hpp"

#include <tla/kernels/table.hpp>

namespace tla::host {

/// Name and version of the bodies in use, and which of them hetc tune found: the same text, the same bits.
std::string hostKernelsText(const kernels::KernelStatus &status);

/// The back-end whose bodies are installed for a type, for people: "openblas kernels", or "openblas kernels, tuned
/// products" where products of tiles are computed by other ones.
std::string bodiesText(runtime::ElementType type);

/// The request for the devices' rates that this problem needs at its present tile size. `hostKernels`:
/// hostKernelsText().
RatesRequest ratesRequest(const Problem &problem, const Settings &settings, const std::string &hostKernels,
                          std::vector<runtime::AcceleratorProperties> devices);

/// Chooses the shares of the columns that the host and each accelerator get: by the weights of the settings where they
/// give some, with the accelerators' own rules for kernels, else by measured rates. `threads`: of the host.
runtime::DeviceShares chooseShares(const Problem &problem, const Settings &settings, const RatesRequest &request,
                                   const NodeRates &rates, int threads);

/// The shares on the grid of the settings, if they have one of several rows; measured weights become equal. Throws
/// UsageError for a grid of another number of devices, of devices that are not equal, or beside --tasks octal.
runtime::DeviceShares onGrid(runtime::DeviceShares shares, const Settings &settings,
                             const runtime::Algorithm &algorithm, int devices);

/// The problem's cut, of the width that rates give ([Song12] 3.2); as it is when --slice or --device-weights
/// say who gets what, or nothing is known.
Cut balanceCut(const Problem &problem, const Settings &settings, const RatesRequest &request, const NodeRates &rates,
               int threads);

/// "10:8:5", the host's first where it has columns: "host 3, 10:8:5"; on a grid "1:1:1:1 as 2x2". Of updates that are
/// dealt: "host 0.000, 0.435:0.348:0.217 of the updates". Behind that, if there are any, ", tasks in blocks of 2x3".
std::string sharesText(const runtime::DeviceShares &shares);

} // namespace tla::host
