// The IR as text, and back. print(parse(print(p))) == print(p); the text is what --emit=ir shows.
#pragma once

#include "compiler/ir/program.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace hetc::ir {

std::string print(const Program &program);
/// "A(i, k).rows(0, 4)".
std::string print(const TileAccess &access);

struct ParseError {
  unsigned line = 0, column = 0; ///< in the IR text, from 1
  std::string message;           ///< lower case, no full stop
};
std::variant<Program, ParseError> parse(std::string_view text);
std::variant<ExprRef, ParseError> parseExpr(std::string_view text);

} // namespace hetc::ir
