// --resident: a call's matrices stay with the devices.
#pragma once

#include <tla/runtime/executor.hpp>

namespace tla::host {

/// The message when there are no devices.
inline constexpr const char *noDeviceForResidents =
    "--resident: there is no device with which matrices could stay; leave it out, or name one with --devices";

/// Makes the call's matrices resident; what they contain there comes later. Throws UsageError where there are no
/// devices, or they have not the memory.
void makeResident(runtime::Executor &executor, const runtime::Algorithm &algorithm,
                  const runtime::Arguments &arguments);

} // namespace tla::host
