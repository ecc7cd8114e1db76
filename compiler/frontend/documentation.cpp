#include "compiler/frontend/documentation.hpp"

namespace hetc::frontend {

std::string documentationAbove(const clang::SourceManager &sources, clang::SourceLocation location) {
  const auto [file, offset] = sources.getDecomposedExpansionLoc(location);
  llvm::StringRef above = sources.getBufferData(file).take_front(offset);
  above = above.take_front(above.rfind('\n') + 1); // npos + 1 is 0
  std::string text;
  while (above.consume_back("\n")) {
    const std::size_t begin = above.rfind('\n') + 1;
    llvm::StringRef line = above.substr(begin).trim();
    if (!line.consume_front("///"))
      break;
    line.consume_front(" ");
    text = line.str() + (text.empty() ? "" : "\n" + text);
    above = above.take_front(begin);
  }
  return text;
}

} // namespace hetc::frontend
