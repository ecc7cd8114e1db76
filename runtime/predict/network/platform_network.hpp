// Networks of platforms that SimGrid knows, by the module libtla_simgrid.so.
#pragma once

#include "runtime/predict/network/network_model.hpp"

#include <memory>
#include <string>

namespace tla::runtime {

/// The network between so many hosts of a platform file (XML, of SimGrid's version 4.1): node i is the host number i in
/// the order of names, numbers in them by value. Throws UsageError when the file cannot be read, has too few hosts, or
/// lacks a route, and Error where the module is missing, with what to install.
std::unique_ptr<NetworkModel> platformNetwork(VirtualTime &time, const std::string &file, int nodes);

/// The function that the module exports under this name; the number grows with every change of NetworkModel or
/// VirtualTime.
using PlatformNetworkFunction = NetworkModel *(*)(VirtualTime &, const char *file, int nodes);
inline constexpr char platformNetworkEntry[] = "tlaPlatformNetwork2";

} // namespace tla::runtime
