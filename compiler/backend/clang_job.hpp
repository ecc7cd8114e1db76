// What one compilation by Clang in this process is told, and what is noted of it. Only this folder includes it.
#pragma once

#include "compiler/backend/compile.hpp"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/PPCallbacks.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hetc::backend {

/// The source of a compilation: a text, which diagnostics call `name`, or, without one, the file of that name.
struct Source {
  const std::string *text;
  const std::string &name;
};

/// The driver's command line, less the name of what is compiled; `warnings`: it shows them.
std::vector<std::string> compileArguments(const CompileOptions &options, bool warnings);
/// The C strings of these, which live as long as `strings`.
std::vector<const char *> pointers(const std::vector<std::string> &strings);

/// The treatment of diagnostics.
enum class Messages { Shown, Dropped };

/// Tells the compiler to compile `source` by that command line; false after an error. `line` becomes that of the first
/// error in the source itself, or 0, when the compiler runs.
bool prepare(clang::CompilerInstance &compiler, const Source &source, std::vector<std::string> arguments,
             Messages messages, unsigned &line);

/// Adds to `absent` where each included file is searched in vain before it is found.
std::unique_ptr<clang::PPCallbacks> recordSearches(clang::Preprocessor &preprocessor, std::set<std::string> &absent);
/// Adds the files that the compiler has read, absolute.
void noteFiles(clang::CompilerInstance &compiler, const Source &source, std::set<std::string> &files);

/// The path from the root on, without "." and "..".
std::string absolute(llvm::StringRef name);

} // namespace hetc::backend
