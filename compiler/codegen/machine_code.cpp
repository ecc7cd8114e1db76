#include "compiler/codegen/machine_code.hpp"

#include "compiler/process/process.hpp"
#include "compiler/support/paths.hpp"

#include <llvm/BinaryFormat/Magic.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hetc::codegen {

namespace {

std::optional<backend::Compiled> noteFiles(std::optional<backend::Compiled> compiled, process::SourceFiles &files) {
  if (!compiled)
    return std::nullopt;
  files.add(std::move(compiled->dependencies), std::move(compiled->absent));
  if (!files.checkOutput())
    return std::nullopt;
  return compiled;
}

enum class FileKind { Text, Objects, SharedLibrary, ThinArchive, Other };

/// An archive that names its members, which change without it.
bool isThin(const std::string &archive) {
  const auto text = llvm::MemoryBuffer::getFile(archive);
  return text && (*text)->getBuffer().starts_with("!<thin>");
}

/// The kind of a file, by its content. A file that cannot be read counts as text: the compiler says why.
FileKind kindOf(const std::string &file) {
  llvm::file_magic magic;
  if (llvm::identify_magic(file, magic))
    return FileKind::Text;
  switch (magic) {
  case llvm::file_magic::unknown:
    return FileKind::Text;
  case llvm::file_magic::elf_relocatable:
    return FileKind::Objects;
  case llvm::file_magic::archive:
    return isThin(file) ? FileKind::ThinArchive : FileKind::Objects;
  case llvm::file_magic::elf_shared_object:
    return FileKind::SharedLibrary;
  default:
    return FileKind::Other;
  }
}

} // namespace

backend::LinkInputs Objects::inputs() const {
  backend::LinkInputs inputs{{}, libraries};
  for (const process::TemporaryFile &file : files)
    inputs.objects.push_back(file.path());
  inputs.objects.insert(inputs.objects.end(), others.begin(), others.end());
  return inputs;
}

/// Returns the author's statement of which the line with the error is made.
static std::string originOf(const backend::TextError &error, const ir::Program &program, const Generated &generated) {
  const auto version = std::ranges::find(generated.ofVersions, error.text, &Cxx::text);
  const Cxx &cxx = version == generated.ofVersions.end() ? generated.cxx : *version;
  const std::string place = cxx.placeOf(error.line);
  return place.empty() ? program.name + "<" + ir::cxxName(program.type) + ">" : "the statement at " + place;
}

std::optional<backend::Compiled> compileCode(const ir::Program &program, const Code &code, backend::OutputKind kind,
                                             const backend::CompileOptions &options, process::SourceFiles &files) {
  if (code.object && kind == backend::OutputKind::Object)
    return code.object;
  backend::TextError error;
  auto compiled = backend::compileText(code.generated.cxx.text, program.name + ".hetc.cpp", kind, options,
                                       code.generated.versions, &error);
  if (!compiled && error.line)
    process::reportOwnError("the C++ that it makes of " + originOf(error, program, code.generated) +
                            " does not compile (--emit=cpp shows it)");
  return noteFiles(std::move(compiled), files);
}

std::optional<Objects> storeObject(const backend::Compiled &compiled) {
  Objects objects;
  const process::TemporaryFile &file = objects.files.emplace_back("hetc", "o");
  if (!file || !file.write(compiled.bytes))
    return std::nullopt;
  return objects;
}

std::optional<Objects> addKernels(Objects objects, const std::vector<std::string> &sources,
                                  const backend::CompileOptions &options, process::SourceFiles &files) {
  for (const std::string &source : sources) {
    const FileKind kind = kindOf(source);
    if (kind == FileKind::ThinArchive) {
      llvm::errs() << "hetc: '" << source << "' is a thin archive, whose members change without it: give these\n";
      return std::nullopt;
    }
    if (kind == FileKind::Other) {
      llvm::errs() << "hetc: '" << source << "' is neither C++ nor an object file, an archive or a shared library\n";
      return std::nullopt;
    }
    if (kind != FileKind::Text) {
      auto &inputs = kind == FileKind::SharedLibrary ? objects.libraries : objects.others;
      inputs.push_back(process::absolutePath(source));
      files.add({inputs.back()});
      if (!files.checkOutput())
        return std::nullopt;
      continue;
    }
    const std::optional<backend::Compiled> compiled = noteFiles(backend::compileFile(source, options), files);
    std::optional<Objects> stored = compiled ? storeObject(*compiled) : std::nullopt;
    if (!stored)
      return std::nullopt;
    objects.files.push_back(std::move(stored->files.front()));
  }
  return objects;
}

std::vector<std::string> textsOf(const std::vector<std::string> &files) {
  std::vector<std::string> texts;
  std::ranges::copy_if(files, std::back_inserter(texts),
                       [](const std::string &file) { return kindOf(file) == FileKind::Text; });
  return texts;
}

std::set<std::string> findMissingBodies(const std::vector<std::string> &headers) {
  std::set<std::string> missing;
  for (const std::string &file : headers) {
    llvm::SmallString<256> source(file);
    llvm::sys::path::replace_extension(source, "cpp");
    if (!support::isOwnHeader(file) && !source.starts_with("/usr/") && !llvm::sys::fs::exists(source))
      missing.insert(source.str().str());
  }
  return missing;
}

} // namespace hetc::codegen
