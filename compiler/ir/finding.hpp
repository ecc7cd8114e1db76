// What was said of a program, as data for editors and other tools. Files are named as the compiler was given them;
// lines and columns count from 1, columns in bytes; the end is behind the last byte.
#pragma once

#include "compiler/ir/diagnostic.hpp"

#include <string>
#include <vector>

namespace hetc::ir {

struct SourceRange {
  std::string file; ///< empty: about the program as a whole
  unsigned line = 0, column = 0, endLine = 0, endColumn = 0;
};

/// Text in the place of what stands there.
struct Fix {
  SourceRange region;
  std::string text;
};

struct Finding {
  Diagnostic::Severity severity = Diagnostic::Severity::Error;
  SourceRange region;
  std::string message;
  std::vector<Fix> fixes;
  std::vector<Finding> notes;
};

} // namespace hetc::ir
