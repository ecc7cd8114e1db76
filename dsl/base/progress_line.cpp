#include "dsl/base/progress_line.hpp"

#include "dsl/base/text.hpp"

#include <algorithm>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tla {

std::string timeLeft(double seconds) {
  constexpr double minute = 60, hour = 3600;
  if (seconds < 1.5 * minute)
    return format(", %.0f s left", seconds);
  if (seconds < 1.5 * hour)
    return format(", %.0f min left", seconds / minute);
  return seconds < 1000 * hour ? format(", %.1f h left", seconds / hour) : ""; // a guess that long says nothing
}

std::string progressBar(double part, int width) {
  const auto filled = static_cast<std::size_t>(part * width);
  return "[" + std::string(filled, '#') + std::string(static_cast<std::size_t>(width) - filled, '-') + "]";
}

std::string fittingLine(const std::vector<std::string> &lines, int columns) {
  const auto room = static_cast<std::size_t>(std::max(0, columns - 1));
  for (const std::string &line : lines)
    if (line.size() <= room)
      return line;
  return lines.back().substr(0, room);
}

int terminalColumns() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

} // namespace tla
