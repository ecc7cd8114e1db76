// What a file says, as a message may repeat it.
#pragma once

#include <string>
#include <string_view>

namespace tla::host {

/// At most 60 bytes of the text; bytes that a terminal might obey, or not show, as "\x1b".
inline std::string printable(std::string_view text) {
  constexpr std::size_t most = 60;
  constexpr char digits[] = "0123456789abcdef";
  std::string result;
  for (const char c : text.substr(0, most))
    if (c >= ' ' && c <= '~')
      result += c;
    else
      result += std::string("\\x") + digits[static_cast<unsigned char>(c) >> 4] + digits[c & 15];
  return text.size() > most ? result + "..." : result;
}

} // namespace tla::host
