// How much of a product each element of a node does, for programs that deal updates (Algorithm::isDealt).
#pragma once

#include "runtime/predict/plan/device_shares.hpp"
#include "runtime/predict/rates/element_bounds.hpp"

#include <tla/runtime/task_map.hpp>

#include <memory>

namespace tla::host {

/// So that all elements end at one time, cores first: F by (9), (10) of [Ballard11], in proportion to 1 / delta; of a
/// product with a vector by (6), (7): 1 / xi. An element
/// with an infinite gamma does nothing.
std::shared_ptr<const TaskMap> dealBy(const std::vector<Element> &elements, const Problem &problem);

/// By the weights of the shares, as they are.
std::shared_ptr<const TaskMap> dealBy(const runtime::DeviceShares &shares,
                                      const std::vector<runtime::AcceleratorProperties> &devices,
                                      runtime::ElementType type);

/// By weights where the settings give some or rates are not known, else by the measured rates of gemm, and those of the
/// devices' links and their memory. The host takes part where the shares give it columns. Null: the program deals
/// nothing.
std::shared_ptr<const TaskMap> chooseTaskMap(const Problem &problem, const Settings &settings,
                                             const RatesRequest &request, const NodeRates &rates, int threads,
                                             const runtime::DeviceShares &shares);

} // namespace tla::host
