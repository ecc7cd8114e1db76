// JSON of hetc's own files.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tla::bootstrap {

/// Discarded, as what is no JSON, when it is nested deeper than any of these files: to copy, compare and write it takes
/// a stack as deep, and space for as much indentation.
inline nlohmann::json parseShallow(const std::string &text) {
  constexpr int deepest = 16;
  bool shallow = true;
  const auto isShallow = [&](int depth, nlohmann::json::parse_event_t, const nlohmann::json &) {
    return shallow = shallow && depth <= deepest;
  };
  nlohmann::json content = nlohmann::json::parse(text, isShallow, /*allow_exceptions=*/false);
  return shallow ? content : nlohmann::json(nlohmann::json::value_t::discarded);
}

} // namespace tla::bootstrap
