// The transport of a run on one node: one rank, nobody to talk to.
#pragma once

#include "runtime/transport/transport.hpp"

namespace tla::runtime {

class LocalTransport final : public Transport {
public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  /// There is no destination: calling this is a mistake in the caller. Throws tla::Error.
  void send(const VersionKey &key, const void *data, std::size_t bytes, int destination,
            std::function<void()> sent) override;
  void onArrival(Arrival) override {}
  void onAbort(Abort) override {}
  void barrier() override {}
  void abort(const std::string &) override {}
};

} // namespace tla::runtime
