// What a transport loaded at run time exports: two functions.
#pragma once

#include "runtime/transport/transport.hpp"

#include "runtime/interfaces/launch.hpp"

namespace tla::runtime {

/// Makes the transport of this process, or throws tla::Error; called once. The caller deletes it.
using ConnectFunction = Transport *(*)(const ProcessLaunch &);

/// The exported C name of that function; the number grows with every change of Transport or ProcessLaunch.
inline constexpr char transportEntry[] = "tlaConnect3";

/// Makes a transport among the ranks of a communicator of the host's, by its Fortran handle, or throws tla::Error.
using JoinFunction = Transport *(*)(int communicator);
inline constexpr char transportJoinEntry[] = "tlaJoin1";

} // namespace tla::runtime
