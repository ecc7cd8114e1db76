#include "runtime/transport/local/local_transport.hpp"

#include <tla/runtime/error.hpp>

namespace tla::runtime {

void LocalTransport::send(const VersionKey &, const void *, std::size_t, int destination, std::function<void()>) {
  throw Error("the local transport has no rank " + std::to_string(destination) + " to send to");
}

} // namespace tla::runtime
