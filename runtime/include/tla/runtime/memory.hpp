// How much memory there is, for callers of the runtime that take some of their own.
#pragma once

namespace tla::host {

/// Memory this process may still take, in bytes: the system's MemAvailable, or less under a cgroup limit (v1 or v2).
double availableBytes();

} // namespace tla::host
