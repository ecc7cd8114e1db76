// Matrices and workspaces of random programs: what they are, and who fills and reads them.
#include "tests/fuzz/make/program_maker.hpp"

namespace fuzz {

void ProgramMaker::declareMatrices() {
  const auto matrix = [&](const char *text, MatrixKind kind, char rows, char cols, const char *element = "T") {
    Matrix added;
    added.name = text;
    added.kind = kind;
    added.element = element;
    added.rows = rows;
    added.cols = cols;
    added.sizes = {name(std::string(1, rows)), name(std::string(1, cols))};
    added.regions = random_.chance(30);
    program_.matrices.push_back(added);
  };
  matrix("A", MatrixKind::General, 'm', 'n');
  if (random_.chance(70))
    matrix("B", MatrixKind::General, 'n', random_.one({'k', 'm'}));
  if (random_.chance(35))
    matrix("X", MatrixKind::General, 'n', 'n');
  if (random_.chance(25))
    matrix("E", MatrixKind::General, 'm', 'n');
  if (random_.chance(45))
    matrix("L", MatrixKind::Lower, 'n', 'n');
  if (random_.chance(25))
    matrix("U", MatrixKind::Upper, 'm', 'm');
  if (random_.chance(35)) {
    matrix("F", MatrixKind::General, 'm', 'n', "float");
    matrix("G", MatrixKind::General, random_.one({'m', 'n', 'n'}), 'n', "float");
  }
}

void ProgramMaker::declareWorkspaces() {
  const Expression mt = extent("A", "mt"), nt = extent("A", "nt"), nb = extent("A", "nb");
  const auto workspace = [&](const char *text, char rows, char cols, std::vector<Expression> sizes, bool own,
                             const char *element = "T") {
    Matrix added;
    added.name = text;
    added.kind = MatrixKind::Workspace;
    added.element = element;
    added.rows = rows;
    added.cols = cols;
    added.sizes = std::move(sizes);
    added.own = own;
    added.whole = added.sizes.size() == 3;
    added.filled = true;
    program_.matrices.push_back(added);
  };
  bool whole = false;
  workspace("W", 'm', '2', {mt, number(2), nb, nb}, true);
  workspace("N", 'm', '1', {mt, number(1), nb, number(1)}, true, "int");
  if (random_.chance(35))
    workspace("S", 'm', 'n', workspaceSizes('m', 'n', whole), false);
  if (random_.chance(45)) {
    const char cols = random_.one({'m', 'n'});
    workspace("V", 'n', cols, workspaceSizes('n', cols, whole), true);
  }
  if (random_.chance(25)) // a division in a size
    workspace("P", 'h', 'n', {binary(Operator::Divide, binary(Operator::Add, mt, number(1)), number(2)), nt, nb, nb},
              true);
  if (random_.chance(30)) { // for one task after the other
    workspace("R", 'm', '1', {mt, number(1), nb, nb}, true);
    program_.matrices.back().filled = false;
  }
  if (random_.chance(40)) { // factors of reflectors
    workspace("H", 'm', 'n', {mt, nt, name("ib"), nb}, random_.chance(50));
    program_.matrices.back().filled = false;
  }
}

/// Declares the counter that ends a loop.
void ProgramMaker::declareCounter() {
  Matrix added;
  added.name = "K";
  added.kind = MatrixKind::Workspace;
  added.element = random_.one({"int", "float"});
  added.rows = added.cols = '1';
  const Expression nb = extent("A", "nb");
  added.sizes = {number(1), number(1), random_.chance(60) ? number(1) : nb, random_.chance(60) ? number(1) : nb};
  added.own = added.filled = added.counter = true;
  added.whole = false;
  program_.matrices.push_back(added);
}

/// With the tiles of a matrix of that shape: cut as A is, or all tiles of one size.
std::vector<Expression> ProgramMaker::workspaceSizes(char rows, char cols, bool &whole) {
  const auto ofA = [](char size, const char *tiles) {
    return extent("A", std::string(size == 'm' ? "m" : "n") + tiles);
  };
  whole = random_.chance(60);
  if (whole)
    return {ofA(rows, ""), ofA(cols, ""), extent("A", "nb")};
  const Expression nb = extent("A", "nb");
  switch (random_.below(4)) {
  case 0:
    return {ofA(rows, "t"), ofA(cols, "t"), number(3), nb};
  case 1:
    return {ofA(rows, "t"), ofA(cols, "t"), nb, nb};
  case 2:
    return {ofA(rows, "t"), ofA(cols, "t"), binary(Operator::Divide, binary(Operator::Add, nb, number(1)), number(2)),
            nb};
  default:
    return {ofA(rows, "t"), ofA(cols, "t"), nb, binary(Operator::Add, name("shift"), number(1))};
  }
}

/// Writes the workspaces that every task may read as a whole before anything else.
void ProgramMaker::fillWorkspaces() {
  for (const Matrix &matrix : program_.matrices) {
    if (!matrix.filled)
      continue;
    const Expression i = name(matrix.name + "_i"), j = name(matrix.name + "_j");
    const auto tile = tileArgument(matrix, i, j, Access::Overwrite);
    const auto loop = [&](const Expression &variable, const Expression &end, Statement inner) {
      Statement statement;
      statement.kind = Statement::Kind::Loop;
      statement.variable = variable.text;
      statement.first = number(0);
      statement.condition = binary(Operator::Less, variable, end);
      statement.stepSign = "+=";
      statement.step = number(1);
      statement.body.push_back(std::move(inner));
      return statement;
    };
    Statement task =
        matrix.element == "int" ? makeTask("clear", {tile}) : makeTask("fill", {scaled(matrix.element, "0.25"), tile});
    program_.body.push_back(loop(j, extentOf(matrix, false), loop(i, extentOf(matrix, true), std::move(task))));
  }
}

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
