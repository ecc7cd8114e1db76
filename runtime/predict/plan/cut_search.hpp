// The cut of a run, fine-tuned by trials once ([Song12] 3.2), remembered.
#pragma once

#include "runtime/predict/plan/cut_choice.hpp"
#include "runtime/predict/plan/plan_case.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tla::host {

/// `tiled`: the case's problem on the tiles that were chosen, with the cut that rates give (balanceCut()): where the
/// search starts. `shares` are those of these tiles.
///
/// The width with which cores and accelerators come nearest to being busy for the same time, found by searchCut() on
/// trials: the same algorithm on generated data, three tile columns for each accelerator, on devices without faults.
/// The search takes a quarter of the operations of the run itself, and about five seconds, at most; nothing where that
/// is not enough for three runs, where --slice or --device-weights say who gets what, without accelerators, and
/// when the answer is known: it is kept in tiles.json in hetc's cache directory, by algorithm, nb, slices, devices,
/// library versions, threads and processor. Otherwise the problem's cut. A trial that fails ends the search: the
/// problem's cut stays, nothing is remembered, and a remark of one line says which trial it was and why. No kernel may
/// be running.
Cut refineCut(const PlanCase &plan, const Problem &tiled, const runtime::DeviceShares &shares);

/// Everything that a search for the cut depends on, as text: its key in tiles.json.
std::string cutSearchKey(const PlanCase &plan, const Problem &tiled);

/// All that are known: the key without what makes it one of a cut, and the cut's text.
std::vector<std::pair<std::string, std::string>> rememberedCuts();

} // namespace tla::host
