// The IR's text as tokens.
#pragma once

#include "tests/ir_text/parse.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hetc::ir {

struct Token {
  enum class Kind { Identifier, Number, String, Punctuator, End };
  Kind kind = Kind::End;
  std::string text; ///< text of the token; for a string its content, escapes resolved
  unsigned line = 1, column = 1;
};

/// Ends with exactly one End token. Blanks and comments ("// ..." to the end of the line) are dropped.
std::variant<std::vector<Token>, ParseError> tokenize(std::string_view text);

} // namespace hetc::ir
