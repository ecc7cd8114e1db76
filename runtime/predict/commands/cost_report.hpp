// What 'hetc cost' prints.
#pragma once

#include "runtime/predict/commands/machine_cost.hpp"
#include "runtime/predict/plan/cost_choice.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tla::host {

/// One distribution and what it costs.
struct CostRecord {
  Distribution distribution;
  std::string generator; ///< generatorName()
  runtime::Cost cost;
  runtime::TaskBlocks order = {};            ///< order of the tasks, on devices
  std::optional<MachineCost> machine = {};   ///< cost on the machine of --machine
  std::vector<std::size_t> deviceBytes = {}; ///< memory of each device of a node
};

/// One node of a run, generating alone (--fake-rank).
struct FakeRankRecord {
  Distribution distribution;
  std::string generator; ///< generatorName()
  int rank = 0;
  runtime::GenerationCost cost; ///< cost of generating alone: nobody takes the tasks
};

/// Tables: one distribution in full, or a line for each.
std::string costTable(const Problem &problem, const std::vector<CostRecord> &records);
/// An object, or with `list` an array; the keys are in docs/json.md.
std::string costJson(const Problem &problem, const std::vector<CostRecord> &records, bool list);
std::string fakeRankText(const FakeRankRecord &record);
std::string fakeRankJson(const FakeRankRecord &record);

} // namespace tla::host
