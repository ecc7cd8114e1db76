#include "runtime/predict/simgrid/simgrid_network.hpp"

#include "dsl/base/streams.hpp"
#include "runtime/predict/network/platform_network.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <utility>

#include <sys/wait.h>
#include <unistd.h>

namespace tla::runtime {
namespace {

namespace s4u = simgrid::s4u;

/// SimGrid takes over signals; they are given back.
class KeptSignals {
public:
  KeptSignals() {
    for (std::size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], nullptr, &kept_[i]);
  }
  ~KeptSignals() {
    for (std::size_t i = 0; i < std::size(signals); ++i)
      sigaction(signals[i], &kept_[i], nullptr);
  }
  KeptSignals(const KeptSignals &) = delete;
  KeptSignals &operator=(const KeptSignals &) = delete;

private:
  static constexpr int signals[] = {SIGINT, SIGSEGV, SIGBUS, SIGABRT};
  struct sigaction kept_[std::size(signals)];
};

s4u::Engine *newEngine() {
  const KeptSignals signals;
  static char program[] = "hetc", quiet[] = "--log=root.threshold:critical";
  static char *arguments[] = {program, quiet, nullptr};
  static int count = 2;
  auto *const engine = new s4u::Engine(&count, arguments);
  // Fair shares of links, as of MPI over a fast network: no slow start, no acknowledgements that take room, no window
  // of TCP. A flow's share would be by one over its latency, so SimGrid knows of none. What is set here no file
  // changes.
  for (const char *setting : {"network/model:CM02", "network/latency-factor:0", "network/bandwidth-factor:1",
                              "network/weight-S:0", "network/crosstraffic:0", "network/TCP-gamma:0"})
    s4u::Engine::set_config(setting);
  return engine;
}

/// Digits by value.
bool naturallyBefore(const s4u::Host *first, const s4u::Host *second) {
  const std::string &a = first->get_name(), &b = second->get_name();
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  const auto numberEnd = [&](const std::string &text, std::size_t at) {
    return std::find_if_not(text.begin() + at, text.end(), digit) - text.begin();
  };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const std::size_t endA = numberEnd(a, i), endB = numberEnd(b, j);
      i = std::min(a.find_first_not_of('0', i), endA);
      j = std::min(b.find_first_not_of('0', j), endB);
      const int order = endA - i != endB - j ? (endA - i < endB - j ? -1 : 1) : a.compare(i, endA - i, b, j, endB - j);
      if (order)
        return order < 0;
      i = endA;
      j = endB;
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

double routeLatency(const s4u::Host *from, const s4u::Host *to) {
  std::vector<s4u::Link *> links;
  double latency = 0;
  from->route_to(to, links, &latency);
  const std::string route = "from " + from->get_name() + " to " + to->get_name();
  if (links.empty())
    throw UsageError(route + " there is no route");
  for (const s4u::Link *link : links)
    if (!link->is_on() || !(link->get_bandwidth() > 0) || !(link->get_latency() >= 0))
      throw UsageError("the link " + link->get_name() + ", " + route +
                       ", needs a bandwidth above 0 and a latency that is not below, and to be on");
  return latency;
}

/// Whether the file speaks of links that change with time: by SimGrid's clock, which goes on from run to run.
bool hasTraces(const std::string &file) {
  FileReader in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const char *name : {"state_file", "bandwidth_file", "latency_file", "availability_file", "<trace"})
    if (text.find(name) != std::string::npos)
      return true;
  return false;
}

/// SimGrid ends a process in which it finds a mistake while it looks for a route, so another one looks first.
void tryRoutes(const std::string &file, const std::vector<s4u::Host *> &hosts) {
  const pid_t child = fork();
  if (child < 0)
    throw Error("no process can be started that looks at the routes of " + file);
  if (child == 0) {
    for (const int number : {SIGSEGV, SIGBUS, SIGABRT})
      std::signal(number, SIG_DFL);
    if (!freopen("/dev/null", "w", stderr))
      _exit(1);
    for (const s4u::Host *from : hosts)
      for (const s4u::Host *to : hosts)
        try {
          if (from != to)
            routeLatency(from, to);
        } catch (const UsageError &) { // the caller finds it again, and says it
        }
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return; // who waits for no child knows no status
  if (status != 0)
    throw UsageError(file + ": not every two of the " + std::to_string(hosts.size()) +
                     " hosts that are nodes have a route between them, which SimGrid needs");
}

} // namespace

SimGridPlatform &SimGridPlatform::of(const std::string &file) {
  static SimGridPlatform *const platform = new SimGridPlatform(file); // SimGrid ends before what is static here
  if (!platform->failure_.empty())
    throw UsageError(platform->failure_);
  if (platform->file_ != file)
    throw UsageError("one platform of SimGrid at a time: " + platform->file_ + " has been read, and not " + file);
  return *platform;
}

SimGridPlatform::SimGridPlatform(const std::string &file) : file_(file), engine_(newEngine()) {
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !std::filesystem::is_regular_file(file, ignored)) {
    failure_ = file + " is no file that SimGrid could read";
    return;
  }
  if (hasTraces(file)) {
    failure_ =
        file +
        ": links and hosts that change with time (state_file, bandwidth_file, latency_file, trace) cannot be used";
    return;
  }
  try {
    engine_->load_platform(file);
  } catch (const std::exception &error) {
    const std::string what = error.what();
    failure_ = "SimGrid cannot read " + file + ": " + what.substr(0, what.find('\n'));
    return;
  }
  hosts_ = engine_->get_all_hosts();
  std::ranges::stable_sort(hosts_, naturallyBefore);
}

std::vector<s4u::Host *> SimGridPlatform::hosts(int nodes) const {
  if (static_cast<std::size_t>(nodes) > hosts_.size())
    throw UsageError(file_ + " has " + std::to_string(hosts_.size()) + " hosts, too few for " + std::to_string(nodes) +
                     " nodes");
  return {hosts_.begin(), hosts_.begin() + nodes};
}

void SimGridPlatform::requireRoutes(int nodes) {
  if (nodes <= routed_)
    return;
  tryRoutes(file_, hosts(nodes));
  routed_ = nodes;
}

SimGridNetwork::SimGridNetwork(VirtualTime &time, const std::string &file, int nodes)
    : time_(time), nodes_(nodes), platform_(SimGridPlatform::of(file)), hosts_(platform_.hosts(nodes)),
      latencies_(static_cast<std::size_t>(nodes) * nodes), origin_(s4u::Engine::get_clock() - time.now()) {
  platform_.requireRoutes(nodes);
  for (int from = 0; from < nodes; ++from)
    for (int to = 0; to < nodes; ++to)
      if (from != to)
        latencies_[static_cast<std::size_t>(from) * nodes + to] = routeLatency(hosts_[from], hosts_[to]);
  s4u::Activity::set_vetoed_activities(&done_);
  static const bool told = [] { // once: it cannot be taken back
    s4u::Comm::on_completion_cb([](const auto &activity) {
      if (auto *const done = s4u::Activity::get_vetoed_activities(); done && activity.template get_data<void>())
        done->insert(const_cast<s4u::Activity *>(static_cast<const s4u::Activity *>(&activity)));
    });
    return true;
  }();
  static_cast<void>(told);
  time_.follow(this);
}

SimGridNetwork::~SimGridNetwork() {
  time_.follow(nullptr);
  s4u::Activity::set_vetoed_activities(nullptr);
  for (auto &[number, flow] : flows_) {
    flow.comm->set_data(nullptr);
    flow.comm->cancel();
    platform_.keep(flow.comm);
  }
  platform_.engine().run_until(s4u::Engine::get_clock()); // until then what was given up takes its part of the links
}

void SimGridNetwork::carry(int from, int to, double bytes, VirtualTime::Listener &listener, std::uint64_t token) {
  if (from == to)
    return time_.in(0, listener, token);
  reach(time_.now());
  enter(); // what was done at this very moment
  auto comm = s4u::Comm::sendto_init(hosts_[from], hosts_[to]);
  // A flow of nothing would never end.
  comm->set_payload_size(static_cast<std::uint64_t>(std::max(bytes, 1.0)));
  comm->set_data(this);
  comm->start();
  done_.clear(); // SimGrid enters what it cannot start before both ends are set, too
  flows_.emplace(started_++, Flow{comm, &listener, token, time_.owner(), latency(from, to)});
}

/// SimGrid's clock, to that time of ours.
void SimGridNetwork::reach(double when) {
  // run_until() may stop some microseconds early.
  while (s4u::Engine::get_clock() < origin_ + when)
    platform_.engine().run_until(origin_ + when);
}

double SimGridNetwork::goOn(double until) {
  while (done_.empty() && s4u::Engine::get_clock() < origin_ + until) {
    platform_.engine().run_until(std::isinf(until) ? -1 : origin_ + until);
    if (std::isinf(until))
      break;
  }
  const double reached = s4u::Engine::get_clock() - origin_;
  return done_.empty() && !std::isinf(until) ? until : std::max(time_.now(), std::min(reached, until));
}

bool SimGridNetwork::enter() {
  if (done_.empty())
    return false;
  const int owner = time_.owner();
  for (auto flow = flows_.begin(); flow != flows_.end();) {
    if (!done_.contains(flow->second.comm.get())) {
      ++flow;
      continue;
    }
    time_.setOwner(flow->second.owner);
    // What SimGrid breaks off never comes; then all nodes wait, and say so.
    if (flow->second.comm->get_state() == s4u::Activity::State::FINISHED)
      time_.in(flow->second.latency, *flow->second.listener, flow->second.token);
    flow = flows_.erase(flow);
  }
  done_.clear();
  time_.setOwner(owner);
  return true;
}

} // namespace tla::runtime

extern "C" __attribute__((visibility("default"))) tla::runtime::NetworkModel *
tlaPlatformNetwork2(tla::runtime::VirtualTime &time, const char *file, int nodes) {
  return new tla::runtime::SimGridNetwork(time, file, nodes);
}
