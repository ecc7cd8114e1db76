// Several texts as one, of whatever bytes: "5:hello3:you".
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace tla::host {

inline void appendPart(std::string &packed, std::string_view part) {
  packed += std::to_string(part.size()) + ":";
  packed += part;
}

inline std::vector<std::string> partsOf(std::string_view packed) {
  std::vector<std::string> parts;
  while (!packed.empty()) {
    const std::size_t colon = packed.find(':');
    const auto size = std::strtoull(packed.data(), nullptr, 10);
    parts.emplace_back(packed.substr(colon + 1, size));
    packed.remove_prefix(colon + 1 + size);
  }
  return parts;
}

} // namespace tla::host
