// The IR's text as a program, for tests: print(parse(print(p))) == print(p) (compiler/ir/text.hpp).
#pragma once

#include "compiler/ir/text.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace hetc::ir {

struct ParseError {
  unsigned line = 0, column = 0; ///< place in the IR text, from 1
  std::string message;           ///< lower case, no full stop
};
std::variant<Program, ParseError> parse(std::string_view text);
std::variant<ExprRef, ParseError> parseExpr(std::string_view text);

} // namespace hetc::ir
