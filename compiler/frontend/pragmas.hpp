// Collecting '#pragma tla' lines while Clang preprocesses. Private to the front end.
#pragma once

#include "dsl/annotations/annotation.hpp"

#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <string>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace hetc::frontend {

/// One pragma: its text, what it says, and the first token after it, which must begin what it annotates.
struct PragmaRecord {
  clang::SourceLocation begin;  ///< place of the '#'
  clang::SourceLocation text;   ///< place of the first character after 'tla'
  clang::SourceLocation target; ///< place of the next token; invalid at the end of the file
  annotations::Annotation annotation;

  /// Where character `offset` of the annotation's text stands.
  clang::SourceLocation at(unsigned offset) const { return text.getLocWithOffset(static_cast<int>(offset)); }
};

/// Registers a handler for '#pragma tla'. Records are appended to `records` in order of appearance; a pragma that
/// does not parse is reported with a caret inside it and dropped. Also makes '#pragma once' hold in the main file.
void collectPragmas(clang::Preprocessor &preprocessor, std::vector<PragmaRecord> &records);

} // namespace hetc::frontend
