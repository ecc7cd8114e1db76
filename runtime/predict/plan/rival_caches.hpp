// Tiles' places and ways in the simulation of a rival's policy.
#pragma once

#include "runtime/core/window/tile_table.hpp"
#include "runtime/interfaces/simulation.hpp"
#include "runtime/predict/plan/rivals.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace tla::host {

inline constexpr double never = std::numeric_limits<double>::infinity();
inline constexpr int atHost = 0; // places of a node: the host, then the devices
inline constexpr double latenciesOfMessage = 3;

/// The tiles that tasks name and the time that they take, beside the graph of their dependences.
struct Work {
  struct Use {
    std::uint32_t tile;
    bool read, written;
  };
  runtime::TaskGraph graph;
  std::vector<std::size_t> firstUse = {0}; ///< index of each task's first use, and the end of the last task's
  std::vector<Use> uses;
  std::vector<double> core;    ///< seconds, by task
  std::vector<double> device;  ///< seconds on a device, by task and device; `never` without a body
  std::vector<double> bytes;   ///< bytes of each tile
  std::vector<bool> isCallers; ///< by tile: it comes home
  std::vector<int> home;       ///< node, by tile
  std::vector<double> taskFlops;
};

/// Where tiles are, and how they get elsewhere. A place is a node's host or one of its devices.
class Caches {
public:
  Caches(const Work &work, const runtime::VirtualHardware &machine, int nodes,
         const runtime::MachineProfile::Network &network)
      : work_(work), machine_(machine), network_(network), nodes_(nodes),
        places_(1 + static_cast<int>(machine.devices.size())),
        valid_(work.bytes.size() * static_cast<std::size_t>(nodes_ * places_), never), busIn_(nodes), busOut_(nodes),
        in_(static_cast<std::size_t>(nodes_ * places_)), out_(in_.size()), portIn_(nodes), portOut_(nodes),
        counts_(in_.size()), transfers_(nodes) {
    for (std::size_t tile = 0; tile < work.bytes.size(); ++tile)
      at(tile, host(work.home[tile])) = 0;
  }

  int place(int node, int number) const { return node * places_ + number; }

  /// When the place has what the task reads, if that is begun now. With `commit` it is begun.
  double fetch(std::uint32_t task, int place, double now, bool commit) {
    double there = now;
    undo_.clear();
    keepsUndo_ = !commit;
    for (std::size_t use = work_.firstUse[task]; use < work_.firstUse[task + 1]; ++use)
      if (work_.uses[use].read)
        there = std::max(there, bring(work_.uses[use].tile, place, now));
    for (auto entry = undo_.rbegin(); entry != undo_.rend(); ++entry)
      *entry->first = entry->second;
    keepsUndo_ = false;
    undo_.clear();
    return there;
  }

  /// The task has run at the place until `end`: all other copies of what it wrote are old.
  void write(std::uint32_t task, int place, double end) {
    forEachWritten(task, [&](std::uint32_t tile) {
      for (int other = 0; other < nodes_ * places_; ++other)
        at(tile, other) = other == place ? end : never;
    });
  }

  /// When all that the task wrote has been brought home.
  double writeThrough(std::uint32_t task, double end) {
    double there = end;
    forEachWritten(task, [&](std::uint32_t tile) { there = std::max(there, bringHost(tile, work_.home[tile], end)); });
    return there;
  }

  /// When everything of the caller's is at home.
  double flush(double now) {
    double end = now;
    for (std::uint32_t tile = 0; tile < work_.bytes.size(); ++tile)
      if (work_.isCallers[tile])
        end = std::max(end, bringHost(tile, work_.home[tile], now));
    return end;
  }

  const runtime::DeviceCounts &counts(int place) const { return counts_[place]; }
  const runtime::TransferCounts &transfers(int node) const { return transfers_[node]; }

private:
  int host(int node) const { return node * places_ + atHost; }
  double &at(std::size_t tile, int place) { return valid_[tile * (nodes_ * places_) + place]; }

  void set(double &value, double changed) {
    if (keepsUndo_)
      undo_.emplace_back(&value, value);
    value = changed;
  }

  /// When the tile is valid at the place.
  double bring(std::uint32_t tile, int place, double now) {
    const int node = place / places_, number = place % places_;
    if (number == atHost || at(tile, place) != never)
      return number == atHost ? bringHost(tile, node, now) : at(tile, place);
    const double begin = std::max(now, bringHost(tile, node, now));
    set(at(tile, place), copy(tile, begin, machine_.devices[number - 1].in, in_[place], busIn_[node]));
    count(place, &runtime::DeviceCounts::in, tile);
    return at(tile, place);
  }

  /// When it is valid on the node's host.
  double bringHost(std::uint32_t tile, int node, double now) {
    if (at(tile, host(node)) != never)
      return at(tile, host(node));
    const int from = nodeThatHas(tile, node);
    if (at(tile, host(from)) == never) {
      const int owner = deviceThatHas(tile, from);
      const double begin = std::max(now, at(tile, owner));
      set(at(tile, host(from)),
          copy(tile, begin, machine_.devices[owner % places_ - 1].out, out_[owner], busOut_[from]));
      count(owner, &runtime::DeviceCounts::out, tile);
    }
    if (from != node)
      set(at(tile, host(node)), send(tile, from, node, std::max(now, at(tile, host(from)))));
    return at(tile, host(node));
  }

  /// The node itself, the tile's home, or the first that has it.
  int nodeThatHas(std::uint32_t tile, int node) {
    for (const int candidate : {node, work_.home[tile]})
      if (at(tile, host(candidate)) != never || deviceThatHas(tile, candidate) >= 0)
        return candidate;
    int any = 0;
    while (at(tile, host(any)) == never && deviceThatHas(tile, any) < 0)
      ++any; // somebody has it
    return any;
  }

  int deviceThatHas(std::uint32_t tile, int node) {
    for (int number = 1; number < places_; ++number)
      if (at(tile, place(node, number)) != never)
        return place(node, number);
    return -1;
  }

  double copy(std::uint32_t tile, double begin, const runtime::VirtualLink &link, double &free, double &bus) {
    const double bytes = work_.bytes[tile];
    begin = std::max(begin, free);
    double end = begin + link.latency + bytes / link.bytesPerSecond;
    if (machine_.busBytesPerSecond > 0) {
      set(bus, std::max(bus, begin) + bytes / machine_.busBytesPerSecond);
      end = std::max(end, bus);
    }
    set(free, end);
    return end;
  }

  double send(std::uint32_t tile, int from, int to, double begin) {
    const double bytes = work_.bytes[tile], takes = bytes / network_.bandwidth;
    const double leaves = std::max(begin, portOut_[from]);
    set(portOut_[from], leaves + takes);
    set(portIn_[to], std::max(leaves, portIn_[to]) + takes);
    if (!keepsUndo_) {
      ++transfers_[from].messages;
      transfers_[from].bytes += static_cast<std::uint64_t>(bytes);
      ++transfers_[to].received;
      transfers_[to].receivedBytes += static_cast<std::uint64_t>(bytes);
    }
    return portIn_[to] + latenciesOfMessage * network_.latency;
  }

  void count(int place, runtime::CopyCounts runtime::DeviceCounts::*way, std::uint32_t tile) {
    if (keepsUndo_)
      return;
    runtime::CopyCounts &counts = counts_[place].*way;
    ++counts.copies;
    counts.bytes += static_cast<std::uint64_t>(work_.bytes[tile]);
  }

  template <typename Visit> void forEachWritten(std::uint32_t task, Visit &&visit) {
    for (std::size_t use = work_.firstUse[task]; use < work_.firstUse[task + 1]; ++use)
      if (work_.uses[use].written)
        visit(work_.uses[use].tile);
  }

  const Work &work_;
  const runtime::VirtualHardware &machine_;
  const runtime::MachineProfile::Network network_;
  const int nodes_, places_;  ///< places of a node
  std::vector<double> valid_; // by tile and place: from when on; never: it is not
  // When they are free, ways that copies and messages take one after the other: by node, by place, by node.
  std::vector<double> busIn_, busOut_, in_, out_, portIn_, portOut_;
  std::vector<runtime::DeviceCounts> counts_;      // by place
  std::vector<runtime::TransferCounts> transfers_; // by node
  bool keepsUndo_ = false;
  std::vector<std::pair<double *, double>> undo_;
};

} // namespace tla::host
