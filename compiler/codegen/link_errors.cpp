#include "compiler/codegen/link_errors.hpp"

#include <llvm/ADT/StringRef.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/Object/Archive.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <optional>
#include <set>

namespace hetc::codegen {

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

/// "(tla::Tile<double>)" of "void scale<double>(tla::Tile<double>)".
std::string parametersOf(const std::string &symbol) {
  const std::string name = nameOf(symbol);
  return symbol.substr(symbol.find(name + "(") + name.size());
}

std::string templateOf(const std::string &name) { return llvm::StringRef(name).split('<').first.str(); }

/// Nothing where there is an error, which nobody is told.
template <typename T> std::optional<T> valueOf(llvm::Expected<T> expected) {
  if (expected)
    return std::move(*expected);
  llvm::consumeError(expected.takeError());
  return std::nullopt;
}

void addDefined(const llvm::object::ObjectFile &object, std::vector<std::string> &symbols) {
  for (const llvm::object::SymbolRef &symbol : object.symbols()) {
    const auto flags = valueOf(symbol.getFlags());
    const auto name = valueOf(symbol.getName());
    if (flags && name && !(*flags & llvm::object::SymbolRef::SF_Undefined))
      symbols.push_back(llvm::demangle(*name));
  }
}

void addDefined(const llvm::object::Archive &archive, std::vector<std::string> &symbols) {
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : archive.children(error))
    if (const auto member = valueOf(child.getAsBinary()))
      if (const auto *object = llvm::dyn_cast<llvm::object::ObjectFile>(member->get()))
        addDefined(*object, symbols);
  llvm::consumeError(std::move(error));
}

/// The symbols that the object files and archives define, demangled. Files that cannot be read define nothing.
std::vector<std::string> definedSymbols(const std::vector<std::string> &objects) {
  std::vector<std::string> symbols;
  for (const std::string &path : objects) {
    const auto file = valueOf(llvm::object::createBinary(path));
    if (!file)
      continue;
    if (const auto *object = llvm::dyn_cast<llvm::object::ObjectFile>(file->getBinary()))
      addDefined(*object, symbols);
    else if (const auto *archive = llvm::dyn_cast<llvm::object::Archive>(file->getBinary()))
      addDefined(*archive, symbols);
  }
  return symbols;
}

std::string explain(const std::string &symbol, const ir::Program &program, const std::vector<std::string> &defined) {
  const std::string name = nameOf(symbol);
  const ir::Kernel *kernel = program.findKernel(templateOf(name));
  if (!kernel)
    return "hetc: '" + name +
           "' is used and not defined: give the file that does with --kernel FILE.cpp, or its library with "
           "link(\"NAME\") behind '#pragma tla kernel'\n";
  const auto find = [&](auto &&matches) {
    const auto found = std::find_if(defined.begin(), defined.end(),
                                    [&](const std::string &candidate) { return matches(nameOf(candidate)); });
    return found == defined.end() ? nullptr : &*found;
  };
  if (const std::string *other = find([&](const std::string &candidate) { return candidate == name; }))
    return "hetc: kernel '" + name + "' is declared with the parameters " + parametersOf(symbol) +
           " and its body has " + parametersOf(*other) + ": they must be the same\n";
  if (const std::string *other =
          find([&](const std::string &candidate) { return templateOf(candidate) == kernel->name; }))
    return "hetc: kernel '" + name + "' has no body for this type, as it has for '" + nameOf(*other) +
           "': instantiate it there for " + parametersOf(symbol) + ", too\n";
  const std::string header = kernel->location.file.empty() ? program.source : kernel->location.file;
  return "hetc: kernel '" + name + "' has no body: define it in " + llvm::sys::path::stem(header).str() +
         ".cpp beside the file that declares it, or give --kernel FILE.cpp\n";
}

/// Lines about libraries that the linker does not find: "cannot find -lfoo: No such file or directory".
std::string explainMissingLibraries(llvm::StringRef messages) {
  std::string text;
  const llvm::StringRef marker = "cannot find -l";
  for (std::size_t at = messages.find(marker); at != llvm::StringRef::npos; at = messages.find(marker, at + 1)) {
    const std::string name =
        messages.substr(at + marker.size()).take_until([](char c) { return c == ':' || c == '\n'; }).str();
    text += "hetc: the linker finds no library '" + name + "', which a kernel links: install what has lib" + name +
            ".so, or give its path: link(\"/where/lib" + name + ".so\")\n";
  }
  return text;
}

} // namespace

std::string explainLinkFailure(const std::string &messages, const ir::Program &program,
                               const std::vector<std::string> &objects) {
  if (const std::string missing = explainMissingLibraries(messages); !missing.empty())
    return missing;
  const std::vector<std::string> defined = definedSymbols(objects);
  std::string text;
  for (const std::string &symbol : undefinedSymbols(messages))
    text += explain(symbol, program, defined);
  return text.empty() ? messages : text;
}

} // namespace hetc::codegen
