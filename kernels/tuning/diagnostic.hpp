// What is wrong with a .space file, and how it is shown: the place, the line and a caret.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hetc::tuning {

/// A stretch of a file's text; length 0 is a point.
struct TextPosition {
  unsigned offset = 0;
  unsigned length = 0;
};

struct Note {
  TextPosition place;
  std::string message;
};

/// Messages are in lower case and have no full stop.
struct Diagnostic {
  TextPosition place;
  std::string message;
  std::vector<Note> notes;
};

/// "FILE:LINE:COLUMN: error: MESSAGE", the line, a caret below it; then the notes in the same form.
std::string render(const std::string &file, std::string_view text, const Diagnostic &diagnostic);

/// The number of the line at an offset, from 1.
unsigned lineAt(std::string_view text, unsigned offset);

} // namespace hetc::tuning
