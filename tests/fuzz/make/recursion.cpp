// An algorithm that calls itself on some of the tiles of its matrix.
#include "tests/fuzz/make/program_maker.hpp"

namespace fuzz {

namespace {

using Kind = Statement::Kind;

Expression tilesOf(bool rows) { return extent("M", rows ? "mt" : "nt"); }

Expression last(bool rows) { return binary(Operator::Subtract, tilesOf(rows), number(1)); }

Expression isMore(Expression value, long than) { return binary(Operator::Greater, std::move(value), number(than)); }

Statement branch(Expression condition, Block body, Block otherwise = {}) {
  Statement result;
  result.kind = Kind::If;
  result.condition = std::move(condition);
  result.body = std::move(body);
  result.otherwise = std::move(otherwise);
  return result;
}

Statement loop(const std::string &variable, bool rows, Statement body) {
  Statement result;
  result.kind = Kind::Loop;
  result.variable = variable;
  result.first = number(0);
  result.condition = binary(Operator::Less, name(variable), tilesOf(rows));
  result.stepSign = "+=";
  result.step = number(1);
  result.body.push_back(std::move(body));
  return result;
}

/// The scalar of a task: some number times factor, which is no larger.
Expression scale(Expression count) {
  const Expression part =
      binary(Operator::Multiply, binary(Operator::Remainder, std::move(count), number(5)), real("0.125"));
  return binary(Operator::Multiply, convert("T", part), name("factor"));
}

} // namespace

/// Returns where a matrix of two tiles or more is cut: behind the first of them and before the last.
Expression ProgramMaker::cut(bool rows) {
  const Expression all = tilesOf(rows);
  switch (random_.below(5)) {
  case 0:
    return number(1);
  case 1:
    return last(rows);
  case 2:
    return binary(Operator::Divide, binary(Operator::Add, all, number(1)), number(2));
  default:
    return binary(Operator::Divide, all, number(2));
  }
}

/// The call of itself for a part that is the first or second of its rows, or columns, or both.
Statement ProgramMaker::callOfPart(const std::string &callee, bool rows, bool cols, int part) {
  Argument matrix;
  matrix.kind = Argument::Kind::Matrix;
  matrix.matrix = "M";
  matrix.transposed = transposes_ && random_.chance(15);
  const auto range = [&](bool ofRows, bool isCut, bool second) {
    const Expression half = name(ofRows ? "top" : "left");
    matrix.tiles.push_back(isCut && second ? half : number(0));
    matrix.tiles.push_back(isCut && !second ? half : tilesOf(ofRows));
  };
  range(true, rows, part & 1);
  range(false, cols, part & 2);
  Statement call;
  call.kind = Kind::Call;
  call.callee = callee;
  const Expression c = random_.chance(70) ? binary(Operator::Add, name("c"), number(random_.between(1, 3))) : name("c");
  call.arguments = {matrix, valueArgument(c), valueArgument(name("factor"))};
  return call;
}

/// A task between the calls: one tile of the first part into one of the second, or one alone.
Statement ProgramMaker::taskBetween() {
  const Matrix M{"M", MatrixKind::General, "T", 'm', 'n', {}, false, false, true, false};
  const auto corner = [&](Access access) {
    return tileArgument(M, random_.chance(50) ? number(0) : last(true), random_.chance(50) ? number(0) : last(false),
                        access);
  };
  if (random_.chance(40))
    return makeTask("stir", {valueArgument(scale(name("c"))), corner(Access::Update)});
  return makeTask("pour", {valueArgument(scale(name("c"))), corner(Access::Read), corner(Access::Update)});
}

void ProgramMaker::declareRecursion() {
  const std::string self = program_.name + "_again";
  const unsigned kind = random_.below(4);
  const bool rows = kind != 1, cols = kind == 1 || kind == 3;
  Expression condition = binary(Operator::And, isMore(tilesOf(true), rows), isMore(tilesOf(false), cols));
  Block body;
  for (const bool ofRows : {true, false})
    if (ofRows ? rows : cols) {
      Statement half;
      half.kind = Kind::Local;
      half.type = "int";
      half.variable = ofRows ? "top" : "left";
      half.first = cut(ofRows);
      body.push_back(half);
    }
  std::vector<int> parts; // bit 0: the second of rows; bit 1: of columns
  for (int part = 0; part < 4; ++part)
    if ((rows || !(part & 1)) && (cols || !(part & 2)))
      parts.push_back(part);
  for (std::size_t left = parts.size(); left > 0; --left) {
    const std::size_t at = random_.below(static_cast<unsigned>(left));
    if (random_.chance(85)) // a part may be left as it is
      body.push_back(callOfPart(self, rows, cols, parts[at]));
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at));
    if (random_.chance(50))
      body.push_back(taskBetween());
  }
  const Matrix M{"M", MatrixKind::General, "T", 'm', 'n', {}, false, false, true, false};
  const Statement leaf = makeTask("stir", {valueArgument(scale(binary(Operator::Add, name("c"), name("row")))),
                                           tileArgument(M, name("row"), name("column"), Access::Update)});
  program_.callees.push_back({self,
                              {{"tla::Matrix<T>", "M"}, {"int", "c"}, {"T", "factor"}},
                              {branch(condition, body, {loop("column", false, loop("row", true, leaf))})}});
}

/// Calls it for a matrix, or for a part of one.
void ProgramMaker::addRecursion(Block &block, const Matrix &target) {
  Statement call;
  call.kind = Kind::Call;
  Argument matrix;
  matrix.kind = Argument::Kind::Matrix;
  matrix.matrix = target.name;
  matrix.transposed = transposes_ && random_.chance(30);
  if (random_.chance(50))
    addPart(target, matrix, call);
  call.callee = program_.callees.back().name;
  call.arguments = {matrix, valueArgument(integers_.empty() ? number(1) : name(random_.pick(integers_))),
                    valueArgument(name("factor"))};
  block.push_back(std::move(call));
  --budget_;
}

} // namespace fuzz
