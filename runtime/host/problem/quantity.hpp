// Numbers with a unit, as options have them.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace tla::host {

struct Unit {
  std::string_view name;
  double size;
};

/// "1.5us" by one of these units, the longer names first. Nothing: it is no positive number with such a unit.
std::optional<double> quantity(const std::string &text, std::initializer_list<Unit> units);

/// The value of --memory, "64G", "64GiB", "64GB" (10^9), in bytes: the unit must be there. Throws UsageError.
double memoryOfNode(const std::string &text);

} // namespace tla::host
