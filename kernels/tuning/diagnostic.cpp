#include "kernels/tuning/diagnostic.hpp"

#include <algorithm>

namespace hetc::tuning {

namespace {

std::string renderOne(const std::string &file, std::string_view text, TextPosition place, const std::string &severity,
                      const std::string &message) {
  const std::size_t offset = std::min<std::size_t>(place.offset, text.size());
  const std::size_t before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(text.find('\n', offset), text.size());
  const std::size_t column = offset - begin;
  const std::string_view line = text.substr(begin, end - begin - (end > begin && text[end - 1] == '\r'));
  std::string marks;
  for (const char c : text.substr(begin, column))
    marks += c == '\t' ? '\t' : ' '; // a tab is as wide below as above
  marks += '^';
  if (const std::size_t length = std::min<std::size_t>(place.length, end - offset); length > 1)
    marks.append(length - 1, '~');
  return file + ":" + std::to_string(lineAt(text, place.offset)) + ":" + std::to_string(column + 1) + ": " + severity +
         ": " + message + "\n" + std::string(line) + "\n" + marks + "\n";
}

} // namespace

unsigned lineAt(std::string_view text, unsigned offset) {
  const std::string_view before = text.substr(0, std::min<std::size_t>(offset, text.size()));
  return 1 + static_cast<unsigned>(std::ranges::count(before, '\n'));
}

std::string render(const std::string &file, std::string_view text, const Diagnostic &diagnostic) {
  std::string result = renderOne(file, text, diagnostic.place, "error", diagnostic.message);
  for (const Note &note : diagnostic.notes)
    result += renderOne(file, text, note.place, "note", note.message);
  return result;
}

} // namespace hetc::tuning
