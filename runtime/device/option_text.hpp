// The pieces of a device option, such as "emulated:2,mem=16M".
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tla::runtime::option {

/// The whole text as a number in [low, high].
template <typename Number> std::optional<Number> number(std::string_view text, Number low, Number high) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
    return std::nullopt;
  return value;
}

/// A number of bytes, or with K, M, G of KiB, MiB, GiB.
inline std::optional<std::size_t> byteSize(std::string_view text) {
  int shift = 0;
  if (const std::size_t unit = text.empty() ? std::string_view::npos : std::string_view("KMG").find(text.back());
      unit != std::string_view::npos) {
    shift = 10 * (static_cast<int>(unit) + 1);
    text.remove_suffix(1);
  }
  const auto value = number<double>(text, 0, std::ldexp(1.0, 46 - shift));
  return value && *value > 0 ? std::optional(static_cast<std::size_t>(std::ldexp(*value, shift))) : std::nullopt;
}

/// Returns the text before the separator; `text` becomes the rest behind it.
inline std::string_view cut(std::string_view &text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return first;
}

} // namespace tla::runtime::option
