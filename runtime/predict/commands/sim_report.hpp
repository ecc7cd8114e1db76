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
  double wallSeconds = 0; ///< time that the simulation took

  double seconds() const; ///< time of the slowest node
  double flops() const;   ///< the algorithm's nominal ones, else the tasks'
};

/// A line for each; of a single one also what its nodes have done.
std::string simTable(const std::vector<SimRecord> &records);
/// An object, or with `list` an array; the keys are in docs/json.md.
std::string simJson(const std::vector<SimRecord> &records, bool list);

} // namespace tla::host
