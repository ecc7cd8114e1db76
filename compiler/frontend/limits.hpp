// What bounds the recursion of Clang's parser, which has one of its own for brackets only: not for signs, casts, and
// conditions in conditions.
#pragma once

namespace clang {
class Preprocessor;
}

namespace hetc::frontend {

/// Tokens of a statement, with those around it up to where its block begins, and of the else branches before it.
inline constexpr unsigned maxStatementTokens = 1 << 14;

/// Enough for one level of recursion of the parser, and of what walks its trees, per token. Reserved, not used.
inline constexpr unsigned parserStackBytes = 256u << 20;

/// Makes a longer statement a fatal error, behind which no token comes.
void limitStatements(clang::Preprocessor &preprocessor);

} // namespace hetc::frontend
