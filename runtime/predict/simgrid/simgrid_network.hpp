// A network of a platform that SimGrid knows: links that several nodes share, fat trees, dragonflies, tori.
#pragma once

#include "runtime/predict/network/network_model.hpp"
#include "runtime/virtual/virtual_time.hpp"

#include <simgrid/s4u.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tla::runtime {

/// The platform of one file, which SimGrid has once for the life of a process.
class SimGridPlatform {
public:
  /// Throws UsageError when SimGrid cannot read the file, when links change with time, which goes by SimGrid's clock,
  /// or when another file has been read before.
  static SimGridPlatform &of(const std::string &file);

  simgrid::s4u::Engine &engine() { return *engine_; }
  /// In the order of their names, numbers in them by value: node-2 before node-10. Throws UsageError when there are
  /// fewer than so many.
  std::vector<simgrid::s4u::Host *> hosts(int nodes) const;

  /// Throws UsageError when two of the first so many hosts have no route between them, or one that cannot be used.
  void requireRoutes(int nodes);
  /// Something that was given up, of which SimGrid may still speak.
  void keep(simgrid::s4u::CommPtr comm) { givenUp_.push_back(std::move(comm)); }

private:
  explicit SimGridPlatform(const std::string &file);

  const std::string file_;
  simgrid::s4u::Engine *engine_; ///< never ended: SimGrid has one
  std::vector<simgrid::s4u::Host *> hosts_;
  std::vector<simgrid::s4u::CommPtr> givenUp_;
  std::string failure_; ///< fault of the file; SimGrid reads one
  int routed_ = 0;      ///< number of hosts with routes between them
};

/// Node i is the platform's host number i. All that is under way shares the links on its route fairly (max-min, the
/// model CM02 of SimGrid without latencies), and is there the route's latency after its bytes have passed; speeds of
/// hosts are not looked at. One lives at a time.
class SimGridNetwork final : public NetworkModel, private VirtualTime::Outside {
public:
  /// Throws UsageError: a file that SimGrid cannot read, fewer hosts than nodes, hosts without a route.
  SimGridNetwork(VirtualTime &time, const std::string &file, int nodes);
  ~SimGridNetwork() override;
  SimGridNetwork(const SimGridNetwork &) = delete;
  SimGridNetwork &operator=(const SimGridNetwork &) = delete;

  double latency(int from, int to) const override { return latencies_[static_cast<std::size_t>(from) * nodes_ + to]; }
  void carry(int from, int to, double bytes, VirtualTime::Listener &listener, std::uint64_t token) override;

private:
  struct Flow {
    simgrid::s4u::CommPtr comm;
    VirtualTime::Listener *listener;
    std::uint64_t token;
    int owner;
    double latency; ///< from when its bytes have passed to when they are there
  };

  bool busy() const override { return !flows_.empty(); }
  double goOn(double until) override;
  bool enter() override;
  void reach(double when);

  VirtualTime &time_;
  const int nodes_;
  SimGridPlatform &platform_;
  const std::vector<simgrid::s4u::Host *> hosts_;
  std::vector<double> latencies_;       ///< nodes x nodes
  double origin_;                       ///< SimGrid's clock at this one's 0
  std::map<std::uint64_t, Flow> flows_; ///< under way, by number: what ends at one time is told in this order
  std::uint64_t started_ = 0;
  std::set<simgrid::s4u::Activity *> done_; ///< SimGrid stops when there is one
};

} // namespace tla::runtime
