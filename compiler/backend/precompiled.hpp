// The headers that all generated code includes, parsed once. What Clang writes after that it reads in a few
// milliseconds, where parsing takes two fifths of the time in which a small program is compiled.
#pragma once

#include "compiler/backend/compile.hpp"

#include <optional>
#include <set>
#include <string>

namespace hetc::backend {

/// A precompiled header, which Clang reads before a text.
struct Precompiled {
  std::string file;
  std::set<std::string> dependencies, absent; ///< files that it is made of, and places where none is, as in Compiled
};

/// Finds the precompiled header for generated code with these options: one that was made when hetc was built, else one
/// in the folder of compiled programs, where it is made if there is none or a header has changed. Returns nullopt, and
/// shows nothing, where options or environment variables may change what the headers mean, where none can be written,
/// and while another process makes it.
std::optional<Precompiled> precompiledHeaders(const CompileOptions &options);

/// Makes the one for programs without kernels of their own beside libtla, where all that hetc is built of still lies as
/// it did. Empty, or why it cannot be.
std::string precompileHeaders();

} // namespace hetc::backend
