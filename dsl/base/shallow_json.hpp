// JSON of hetc's own files.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tla {

/// Discarded, as what is no JSON, when it is nested deeper than any of these files: to copy, compare and write it takes
/// a stack as deep, and space for as much indentation.
template <typename Json = nlohmann::json> Json parseShallow(const std::string &text) {
  constexpr int deepest = 16;
  bool shallow = true;
  const auto isShallow = [&](int depth, typename Json::parse_event_t, const Json &) {
    return shallow = shallow && depth <= deepest;
  };
  Json content = Json::parse(text, isShallow, /*allow_exceptions=*/false);
  return shallow ? content : Json(Json::value_t::discarded);
}

} // namespace tla
