// Workspaces that are not written: writes are left out, or an algorithm reads what an earlier call of it wrote.
#include "tests/fuzz/make/program_maker.hpp"

#include <algorithm>

namespace fuzz {

namespace {

Statement only(Expression condition, Statement statement) {
  Statement branch;
  branch.kind = Statement::Kind::If;
  branch.condition = std::move(condition);
  branch.body.push_back(std::move(statement));
  return branch;
}

bool isUntil(const Statement &statement) { return statement.kind == Statement::Kind::Until; }

} // namespace

/// Leaves out writes of one workspace that is written as a whole before anything else.
void ProgramMaker::leaveOutWrites() {
  std::vector<const Matrix *> filled;
  for (const Matrix &matrix : program_.matrices)
    if (matrix.filled)
      filled.push_back(&matrix);
  std::size_t chosen = apart_.below(static_cast<unsigned>(filled.size()));
  while (!filled[chosen]->own || (filled[chosen]->counter && apart_.chance(50)))
    chosen = (chosen + 1) % filled.size();
  spoil(program_.body[chosen].body[0].body[0], *filled[chosen]); // the loops are in the matrices' order
  if (!filled[chosen]->counter)                                  // the test reads it
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

/// Declares an algorithm with a workspace of its own. It fills that in every call, or in some alone, by a condition
/// through which hetc does not see, or does; or a part of it. Then it reads it.
void ProgramMaker::declareOwner() {
  const std::string name = program_.name + "_owner";
  Matrix workspace;
  workspace.name = "Y";
  workspace.kind = MatrixKind::Workspace;
  workspace.rows = workspace.cols = '1';
  workspace.sizes = {number(1), number(1), number(apart_.between(1, 3)), number(apart_.between(1, 3))};
  workspace.own = true;
  workspace.whole = false;
  workspace.owner = name;
  const Expression c = fuzz::name("c"), product = binary(Operator::Multiply, c, fuzz::name("s"));
  const auto tile = [&](Access access) { return tileArgument(workspace, number(0), number(0), access); };
  const Matrix M{"M", MatrixKind::General, "T", 'm', 'n', {}, false, false, true, false};
  Statement fill = makeTask("fill", {scaled("T", "0.25"), tile(Access::Overwrite)});
  switch (apart_.below(6)) {
  case 0:
  case 1:
    fill = only(
        binary(Operator::Unequal, binary(Operator::Remainder, product, number(3)), number(apart_.between(0, 2))), fill);
    break;
  case 2:
    fill = only(binary(Operator::Unequal, c, number(apart_.between(0, 2))), fill);
    break;
  case 3:
    fill = makeTask("laset", {scaled("T", "0.25"), scaled("T", "1.5"), tile(Access::Overwrite)});
    fill.arguments.back().half = apart_.one({"lower", "upper"});
    break;
  default: // right, which hetc does not see in every second
    if (apart_.chance(50))
      fill = only(binary(Operator::GreaterEqual, binary(Operator::Multiply, product, product), number(0)), fill);
  }
  Block body{fill};
  if (apart_.chance(30))
    body.push_back(makeTask("stir", {valueArgument(convert("T", number(1))), tile(Access::Update)}));
  body.push_back(makeTask("pour", {valueArgument(fuzz::name("factor")), tile(Access::Read),
                                   tileArgument(M, number(0), number(0), Access::Update)}));
  program_.matrices.push_back(workspace);
  program_.callees.push_back(
      {name, {{"tla::Matrix<T>", "M"}, {"int", "c"}, {"int", "s"}, {"T", "factor"}}, std::move(body)});
}

/// Calls it in a loop, mostly in the one that an element ends, before the test or behind it.
void ProgramMaker::callOwner() {
  declareOwner();
  std::vector<Statement *> loops;
  for (Statement &statement : program_.body)
    if (statement.kind == Statement::Kind::Loop && statement.step.kind == Operator::Number)
      loops.push_back(&statement);
  Statement *loop = loops[apart_.below(static_cast<unsigned>(loops.size()))];
  for (Statement *candidate : loops)
    if (std::ranges::any_of(candidate->body, isUntil) && apart_.chance(80))
      loop = candidate;
  Expression count = name(loop->variable);
  const std::string inner = fresh("v");
  const bool isNested = apart_.chance(30);
  if (isNested)
    count = binary(Operator::Add, count, name(inner));
  Statement call;
  call.kind = Statement::Kind::Call;
  call.callee = program_.callees.back().name;
  Argument matrix;
  matrix.kind = Argument::Kind::Matrix;
  matrix.matrix = "A";
  call.arguments = {matrix, valueArgument(count), valueArgument(name("shift")), valueArgument(name("factor"))};
  call = only(binary(Operator::And, binary(Operator::Greater, extent("A", "mt"), number(0)),
                     binary(Operator::Greater, extent("A", "nt"), number(0))),
              call);
  if (isNested) {
    Statement two;
    two.kind = Statement::Kind::Loop;
    two.variable = inner;
    two.first = number(0);
    two.condition = binary(Operator::Less, name(inner), number(2));
    two.stepSign = "+=";
    two.step = number(1);
    two.body.push_back(std::move(call));
    call = std::move(two);
  }
  Block &body = loop->body;
  body.insert(body.begin() + apart_.between(0, static_cast<int>(body.size())), std::move(call));
}

} // namespace fuzz
