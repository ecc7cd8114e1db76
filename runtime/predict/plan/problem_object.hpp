// What JSON reports of problems have in common: how they begin, and how they tell of nodes and devices.
#pragma once

#include "runtime/host/problem/sizes.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace tla::host {

/// "algorithm", "type", and the sizes "m", "n" and "k", which are null where the algorithm has no such
/// size. `values` is null where the sizes are not known.
inline nlohmann::ordered_json problemObject(const runtime::Algorithm &algorithm, const runtime::Values *values) {
  nlohmann::ordered_json object;
  object["algorithm"] = algorithm.name;
  object["type"] = std::string(1, static_cast<char>(algorithm.type));
  for (const char *symbol : {"m", "n", "k"})
    object[symbol] = nullptr;
  if (values)
    for (const auto &[symbol, value] : usedSizes(algorithm, *values))
      object[std::string(1, symbol)] = value;
  return object;
}

/// "tasks", "flops", "messages", "bytes", "received", "received_bytes" of a node, counted (NodeCost) or run
/// (Statistics).
template <typename Node> nlohmann::ordered_json nodeObject(const Node &node) {
  return {{"tasks", node.tasks},
          {"flops", node.flops},
          {"messages", node.transfers.messages},
          {"bytes", node.transfers.bytes},
          {"received", node.transfers.received},
          {"received_bytes", node.transfers.receivedBytes}};
}

/// "copies_in", "bytes_in", "copies_out", "bytes_out", "copies_peer", "bytes_peer" of a device, likewise.
template <typename Device> void addCopies(nlohmann::ordered_json &object, const Device &device) {
  const auto add = [&object](const std::string &direction, const auto &copies) {
    object["copies_" + direction] = copies.copies;
    object["bytes_" + direction] = copies.bytes;
  };
  add("in", device.in);
  add("out", device.out);
  add("peer", device.peer);
}

} // namespace tla::host
