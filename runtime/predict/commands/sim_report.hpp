// What 'hetc sim' prints.
#pragma once

#include "runtime/host/problem/problem.hpp"

#include <tla/runtime/executor.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// Owners compute, and know beforehand what.
inline constexpr const char *staticPolicy = "static";

/// How a distribution was chosen by time.
struct OwnersByTime {
  int tried = 0;           ///< distributions that were simulated last
  std::string fewestBytes; ///< the one of them that sends least
  double saved = 0;        ///< part of that one's time by which the chosen one ends earlier
  double part = 1;         ///< size, as a part of each side, of the problem on which they were compared
};
/// "2dbc:8x2 is chosen by time among 5, 6.1% earlier than ...", without an end of line; the name is that of the chosen.
std::string choiceText(const std::string &name, const OwnersByTime &choice);

/// One run on so many nodes.
struct SimRecord {
  std::unique_ptr<Problem> problem; ///< problem on its tiles and distribution
  std::string generator;            ///< generatorName()
  std::string policy;               ///< staticPolicy, or a rival's name
  std::string machine;              ///< machine of a node
  int threads = 0;                  ///< computing threads of each node's host
  runtime::DeviceShares shares;
  std::optional<std::uint64_t> noiseSeed; ///< nothing: its cores are quiet
  std::vector<runtime::Statistics> nodes;
  double wallSeconds = 0;                  ///< time that the simulation took
  std::optional<OwnersByTime> byTime = {}; ///< nothing: the distribution was not chosen by time

  double seconds() const; ///< time of the slowest node
  double flops() const;   ///< the algorithm's nominal ones, else the tasks'
};

/// A line for each; of a single one also what its nodes have done.
std::string simTable(const std::vector<SimRecord> &records);
/// An object, or with `list` an array; the keys are in docs/json.md.
std::string simJson(const std::vector<SimRecord> &records, bool list);

} // namespace tla::host
