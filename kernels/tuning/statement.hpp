// A .space file as a list of statements whose names are not resolved yet: what the grammar makes and resolve.cpp reads.
// Private.
#pragma once

#include "dsl/annotations/annotation.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hetc::tuning {

struct Word {
  std::string text;
  unsigned offset = 0;
};

struct Statement {
  Word keyword; ///< kernel, param, iter, let, default, hard, soft or correctness
  Word name;
  std::vector<annotations::Expr> values; ///< the value, the range's first or the list
  std::optional<annotations::Expr> to, step;
  bool isList = false;
};

/// Words that cannot be names.
bool isReserved(std::string_view word);

std::variant<std::vector<Statement>, annotations::SyntaxError> parseStatements(std::string_view text);

} // namespace hetc::tuning
