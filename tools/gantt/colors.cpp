#include "tools/gantt/colors.hpp"

#include <array>

namespace hetc::gantt {

std::vector<std::string> kernelColors(const std::vector<std::string> &kernels) {
  static constexpr std::array palette = {"#4477aa", "#cc6677", "#228833", "#ddaa33", "#44aacc", "#aa4499",
                                         "#e08214", "#7768ae", "#117a65", "#a0522d", "#6b8e23", "#884444"};
  std::vector<std::string> colors;
  std::size_t next = 0;
  for (const std::string &kernel : kernels)
    colors.push_back(kernel == "copy" ? "#8a8f98" : kernel == "message" ? "#b59a6a" : palette[next++ % palette.size()]);
  return colors;
}

const char *colorOf(Cause cause) {
  static constexpr std::array<const char *, causes> colors = {"#d62728", "#ff8c7a", "#1f77b4", "#17becf", "#9467bd",
                                                              "#e377c2", "#8c564b", "#b8b81e", "#c4c8cc"};
  return colors[static_cast<int>(cause)];
}

} // namespace hetc::gantt
