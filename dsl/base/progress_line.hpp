// What lines that show progress are made of.
#pragma once

#include <string>
#include <vector>

namespace tla {

/// "[#####-----]": `part` of `width` characters.
std::string progressBar(double part, int width);
/// ", 12 s left"; empty where a guess says nothing.
std::string timeLeft(double seconds);
/// The first line that leaves the last column free, or the beginning of the last line.
std::string fittingLine(const std::vector<std::string> &lines, int columns);
/// The width, in columns, of the terminal at standard error.
int terminalColumns();

} // namespace tla
