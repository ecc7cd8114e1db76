#include "compiler/codegen/load.hpp"

#include "compiler/codegen/backend.hpp"
#include "compiler/codegen/link.hpp"
#include "compiler/process/files.hpp"

#include <dlfcn.h>

#include <llvm/Support/raw_ostream.h>
#include <utility>

namespace hetc::codegen {

LoadedCode LoadedCode::compile(const std::string &text, const std::string &name) {
  const auto compiled = compileText(text, name, OutputKind::Object, {});
  if (!compiled)
    return LoadedCode(nullptr);
  const process::TemporaryFile object("hetc-load", ".o"), library("hetc-load", ".so");
  if (!object || !library || !object.write(compiled->bytes))
    return LoadedCode(nullptr);
  const LinkOutcome linked = link({{object.path()}}, LinkKind::SharedLibrary, library.path());
  llvm::errs() << linked.messages;
  if (!linked.ok)
    return LoadedCode(nullptr);
  void *handle = dlopen(library.path().c_str(), RTLD_NOW | RTLD_LOCAL); // needs the file only until here
  if (!handle)
    llvm::errs() << "hetc: " << dlerror() << "\n";
  return LoadedCode(handle);
}

LoadedCode::LoadedCode(LoadedCode &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

LoadedCode::~LoadedCode() {
  if (handle_)
    dlclose(handle_);
}

void *LoadedCode::address(const char *name) const { return dlsym(handle_, name); }

} // namespace hetc::codegen
