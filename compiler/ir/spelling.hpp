// The keywords of the IR's text, one table per enumeration, for printer, parser and the verifier's messages.
#pragma once

#include "compiler/ir/program.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace hetc::ir {

inline constexpr std::array<std::string_view, 4> matrixKindNames{"Matrix", "LowerMatrix", "UpperMatrix", "Workspace"};
inline constexpr std::array<std::string_view, 3> accessNames{"read", "rw", "write"};
inline constexpr std::array<std::string_view, 3> regionNames{"full", "lower", "upper"};
inline constexpr std::array<std::string_view, 3> deviceNames{"any", "host", "gpu"};
inline constexpr std::array<std::string_view, 2> boundNames{"compute", "memory"};

template <typename Enum, std::size_t count>
std::string_view spelling(const std::array<std::string_view, count> &names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

template <typename Enum, std::size_t count>
std::optional<Enum> fromSpelling(const std::array<std::string_view, count> &names, std::string_view word) {
  for (std::size_t index = 0; index < count; ++index)
    if (names[index] == word)
      return static_cast<Enum>(index);
  return std::nullopt;
}

/// Index of the first tile a task writes: where it runs unless the user said at(...). 0 when there is none.
inline std::size_t defaultMainOutput(const Task &task) {
  for (std::size_t index = 0; index < task.arguments.size(); ++index) {
    const auto *tile = std::get_if<TileAccess>(&task.arguments[index]);
    if (tile && tile->access != Access::Read)
      return index;
  }
  return 0;
}

} // namespace hetc::ir
