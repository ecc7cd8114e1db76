// Ways to make a program smaller. Each function makes the edit of that number, and returns false when there are not so
// many.
#pragma once

#include "tests/fuzz/program.hpp"

namespace fuzz {

/// Takes so many statements that follow each other out of a block.
bool removeRun(Program &program, int length, int number);
/// Puts the body of a loop, of its first iteration, or that of a condition in its place.
bool unwrap(Program &program, int number);
/// Takes a clause, a half, a view from a task.
bool dropClause(Program &program, int number);
/// Puts an operand, 0 or 1 in the place of an expression.
bool simplifyExpression(Program &program, int number);
/// Takes out algorithms that nobody calls and matrices that nobody names.
void tidy(Program &program);

} // namespace fuzz
