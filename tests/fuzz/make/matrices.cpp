// Matrices and workspaces of random programs: what they are, and who fills them.
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

} // namespace fuzz
