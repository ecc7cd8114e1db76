// What a stage has to say to the user: a value with a source location. Only the front end's session shows it,
// through Clang's diagnostics engine, so that every stage's messages have carets, notes and fix-its.
#pragma once

#include "compiler/ir/expr.hpp"

#include <string>
#include <vector>

namespace hetc::ir {

/// The text of a note at the call of an algorithm in which something is wrong.
inline std::string calledHere(const std::string &algorithm) { return "in '" + algorithm + "', called here"; }

struct Diagnostic {
  enum class Severity { Note, Remark, Warning, Error };
  Severity severity = Severity::Error;
  Location location;   ///< line 0: about the file as a whole
  std::string message; ///< lower case, facts, no full stop
  std::vector<Diagnostic> notes;
};

} // namespace hetc::ir
