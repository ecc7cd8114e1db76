#include "compiler/driver/link_errors.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/Path.h>

#include <set>

namespace hetc::driver {

namespace {

/// "scale<double>" of "void scale<double>(tla::Tile<double>)"; return types are there for templates only.
std::string nameOf(llvm::StringRef symbol) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < symbol.size(); ++i) {
    depth += symbol[i] == '<' ? 1 : symbol[i] == '>' ? -1 : 0;
    if (depth == 0 && symbol[i] == ' ')
      begin = i + 1;
    if (depth == 0 && symbol[i] == '(')
      return symbol.slice(begin, i).str();
  }
  return symbol.str();
}

/// The symbols that GNU ld calls undefined, demangled.
std::set<std::string> undefinedSymbols(llvm::StringRef messages) {
  std::set<std::string> symbols;
  const llvm::StringRef marker = "undefined reference to `";
  for (std::size_t at = messages.find(marker); at != llvm::StringRef::npos; at = messages.find(marker, at + 1)) {
    const llvm::StringRef line = messages.substr(at + marker.size()).split('\n').first;
    symbols.insert(line.rsplit('\'').first.str());
  }
  return symbols;
}

std::string explain(const std::string &name, const ir::Program &program) {
  const ir::Kernel *kernel = program.findKernel(llvm::StringRef(name).split('<').first.str());
  if (!kernel)
    return "hetc: '" + name + "' is used and not defined: give the file that does with --kernel FILE.cpp\n";
  const std::string header = kernel->location.file.empty() ? program.source : kernel->location.file;
  return "hetc: kernel '" + name + "' has no body: define it in " + llvm::sys::path::stem(header).str() +
         ".cpp beside the file that declares it, or give --kernel FILE.cpp\n";
}

} // namespace

std::string explainLinkFailure(const std::string &messages, const ir::Program &program) {
  std::string text;
  for (const std::string &symbol : undefinedSymbols(messages))
    text += explain(nameOf(symbol), program);
  return text.empty() ? messages : text;
}

} // namespace hetc::driver
