// Workspaces that are not written: writes are left out, or an algorithm reads what an earlier call of it wrote.
#include "tests/fuzz/make/program_maker.hpp"

#include <algorithm>

namespace fuzz {

/// Leaves out writes of one workspace that is written as a whole before anything else.
void ProgramMaker::leaveOutWrites() {
  std::vector<const Matrix *> filled;
  for (const Matrix &matrix : program_.matrices)
    if (matrix.filled)
      filled.push_back(&matrix);
  std::size_t chosen = apart_.below(static_cast<unsigned>(filled.size()));
  while (filled[chosen]->counter || !filled[chosen]->own)
    chosen = (chosen + 1) % filled.size();
  spoil(program_.body[chosen].body[0].body[0], *filled[chosen]); // the loops are in the matrices' order
  readAll(*filled[chosen]);
}

/// The task that fills a tile: not for all of them, by a condition through which hetc does not see; or only a part of
/// each.
void ProgramMaker::spoil(Statement &task, const Matrix &matrix) {
  Argument &tile = task.arguments.back();
  const unsigned how = apart_.below(matrix.element == "T" ? 5 : 3);
  if (how <= 1) {
    Statement branch;
    branch.kind = Statement::Kind::If;
    const Expression product = binary(Operator::Multiply, binary(Operator::Add, tile.row, tile.column), name("shift"));
    const Expression affine = binary(Operator::Add, tile.row, tile.column);
    branch.condition = binary(Operator::Unequal, how == 0 ? binary(Operator::Remainder, product, number(3)) : affine,
                              number(apart_.between(0, 2)));
    branch.body = {task};
    task = std::move(branch);
  } else if (how == 2) {
    tile.view = apart_.one({"rows", "cols"});
    tile.viewFirst = number(0);
    tile.viewCount = number(1);
  } else {
    tile.half = apart_.one({"lower", "upper"});
    task = makeTask("laset", {scaled("T", "0.25"), scaled("T", "1.5"), tile});
  }
}

/// At the end, as a whole, or a part of it, by what reads and writes; mostly where a condition that always holds keeps
/// hetc from seeing it.
void ProgramMaker::readAll(const Matrix &matrix) {
  const Expression i = name(fresh("v")), j = name(fresh("v"));
  Argument tile = tileArgument(matrix, i, j, Access::Update);
  if (matrix.element == "T" && apart_.chance(50))
    tile.half = apart_.one({"lower", "upper"});
  Statement task = matrix.element == "int" ? makeTask("advance", {valueArgument(number(1)), tile})
                                           : makeTask("stir", {valueArgument(convert("T", number(1))), tile});
  if (apart_.chance(75)) {
    Statement branch;
    branch.kind = Statement::Kind::If;
    branch.condition = binary(Operator::GreaterEqual, binary(Operator::Multiply, i, name("shift")), number(0));
    branch.body = {std::move(task)};
    task = std::move(branch);
  }
  for (const auto &[variable, isRow] : {std::pair{i, true}, std::pair{j, false}}) {
    Statement loop;
    loop.kind = Statement::Kind::Loop;
    loop.variable = variable.text;
    loop.first = number(0);
    loop.condition = binary(Operator::Less, variable, extentOf(matrix, isRow));
    loop.stepSign = "+=";
    loop.step = number(1);
    loop.body.push_back(std::move(task));
    task = std::move(loop);
  }
  program_.body.push_back(std::move(task));
}

} // namespace fuzz
