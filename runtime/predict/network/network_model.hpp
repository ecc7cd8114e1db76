// How long bytes take between the nodes of a virtual cluster.
#pragma once

#include "runtime/virtual/virtual_time.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tla::runtime {

class NetworkModel {
public:
  virtual ~NetworkModel() = default;
  /// Seconds until a few bytes are there.
  virtual double latency(int from, int to) const = 0;
  /// Sends so many bytes from now on; the listener is told when all are there.
  virtual void carry(int from, int to, double bytes, VirtualTime::Listener &listener, std::uint64_t token) = 0;
};

/// A network that is nowhere narrower than at its ends: each node has a port in each direction, which carries one
/// message at a time, in the order in which they come to it.
class PortModel final : public NetworkModel {
public:
  /// Seconds, and bytes per second of a port.
  PortModel(VirtualTime &time, int nodes, double latency, double bandwidth)
      : time_(time), latency_(latency), bandwidth_(bandwidth), out_(nodes), in_(nodes) {}

  double latency(int from, int to) const override { return from == to ? 0 : latency_; }
  void carry(int from, int to, double bytes, VirtualTime::Listener &listener, std::uint64_t token) override {
    const double now = time_.now(), takes = from == to ? 0 : bytes / bandwidth_;
    const double leaves = std::max(now, out_[from]);
    out_[from] = leaves + takes;
    in_[to] = std::max(leaves, in_[to]) + takes;
    time_.in(in_[to] + latency(from, to) - now, listener, token);
  }

private:
  VirtualTime &time_;
  const double latency_, bandwidth_;
  std::vector<double> out_, in_; ///< when they are free
};

} // namespace tla::runtime
