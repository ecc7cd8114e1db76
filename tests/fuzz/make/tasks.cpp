// Tasks of the fuzz's own kernels (kernels.hpp), which take tiles of any sizes.
#include "tests/fuzz/make/program_maker.hpp"

#include <algorithm>

namespace fuzz {

std::vector<const Matrix *> ProgramMaker::indexable(bool generalOnly, const std::string &element, Access access) const {
  std::vector<const Matrix *> found;
  for (const Matrix &matrix : program_.matrices) {
    const bool general = matrix.kind == MatrixKind::General || matrix.kind == MatrixKind::Workspace;
    const bool readable = matrix.kind != MatrixKind::Workspace || matrix.filled;
    if (matrix.element == element && readable && (!matrix.counter || access == Access::Read) &&
        (general || !generalOnly) && hasIndex(matrix.rows) && hasIndex(matrix.cols))
      found.push_back(&matrix);
  }
  return found;
}

/// A tile of some matrix of T.
std::optional<Argument> ProgramMaker::tile(Access access, bool mayHalf) {
  const auto candidates = indexable(false);
  if (candidates.empty())
    return std::nullopt;
  return tileOf(*random_.pick(candidates), access, mayHalf);
}

std::optional<Argument> ProgramMaker::ofElement(const std::string &element, Access access) {
  const auto candidates = indexable(true, element, access);
  if (candidates.empty())
    return std::nullopt;
  return tileOf(*random_.pick(candidates), access, false);
}

Argument ProgramMaker::tileOf(const Matrix &matrix, Access access, bool mayHalf) {
  Expression i = index(matrix.rows), j = index(matrix.cols);
  const bool lower = matrix.kind == MatrixKind::Lower, upper = matrix.kind == MatrixKind::Upper;
  if (lower || upper) {
    if (random_.chance(40))
      j = i;
    const Expression larger = binary(Operator::Maximum, i, j), smaller = binary(Operator::Minimum, i, j);
    if (!(i == j)) {
      i = lower ? larger : smaller;
      j = lower ? smaller : larger;
    }
  }
  Argument tile = tileArgument(matrix, i, j, access);
  tile.transposed = transposes_ && random_.chance(25);
  if (matrix.regions && mayHalf && random_.chance(60))
    tile.half = random_.one({"lower", "upper"});
  else if (matrix.whole && matrix.kind == MatrixKind::General && matrix.element == "T" && !mayHalf &&
           random_.chance(20))
    addView(tile, matrix);
  return tile;
}

/// Some rows or columns.
void ProgramMaker::addView(Argument &tile, const Matrix &matrix) {
  const bool rows = random_.chance(50);
  tile.view = rows ? "rows" : "cols";
  const bool down = rows != tile.transposed; // of the tile as it lies in memory
  const Expression each = extent(matrix.name, down ? "mb" : "nb"), all = extent(matrix.name, down ? "m" : "n");
  const Expression before = binary(Operator::Multiply, down ? tile.row : tile.column, each);
  const Expression size = binary(Operator::Minimum, each, binary(Operator::Subtract, all, before));
  const Expression half = binary(Operator::Divide, size, number(2));
  switch (random_.below(4)) {
  case 0:
    tile.viewFirst = number(0);
    tile.viewCount = binary(Operator::Subtract, size, number(1));
    break;
  case 1:
    tile.viewFirst = binary(Operator::Divide, size, number(3));
    tile.viewCount = number(0);
    break;
  case 2:
    tile.viewFirst = number(0);
    tile.viewCount = number(1);
    break;
  default:
    tile.viewFirst = half;
    tile.viewCount = binary(Operator::Subtract, size, half);
  }
}

std::optional<Argument> ProgramMaker::panel(Access access) {
  std::vector<const Matrix *> candidates;
  for (const Matrix *matrix : indexable(true))
    if (matrix->rows != '1' && matrix->rows != '2')
      candidates.push_back(matrix);
  if (candidates.empty())
    return std::nullopt;
  const Matrix &matrix = *random_.pick(candidates);
  const Expression v = random_.pick(indicesOf(matrix.rows)), end = tiles(matrix.rows);
  Argument panel = tileArgument(matrix, v, index(matrix.cols), access);
  panel.kind = Argument::Kind::Panel;
  panel.rowEnd = end;
  if (periods_ && random_.chance(50))
    panel.rowStep = period();
  else if (random_.chance(15))
    panel.rowStep = number(random_.between(2, 3));
  if (access != Access::Read && random_.chance(95)) { // not empty: a task without an output is rare
    if (random_.chance(50))
      panel.rowEnd = binary(Operator::Add, v, number(1));
    if (random_.chance(30))
      panel.row = number(0);
    return panel;
  }
  switch (random_.below(5)) {
  case 0:
    panel.row = number(0);
    panel.rowEnd = v;
    break;
  case 1:
    panel.row = binary(Operator::Add, v, number(1));
    break;
  case 2: // a few
    panel.rowEnd = binary(Operator::Minimum, end, binary(Operator::Add, v, number(2)));
    break;
  case 3:
    panel.row = lowBound(matrix.rows, 0);
    panel.rowEnd = highBound(matrix.rows, 0);
    break;
  default:
    break;
  }
  return panel;
}

/// 0, another constant, or what a loop or a parameter decides: where it is 0 a tile is only written.
Expression ProgramMaker::perhapsZero() {
  const Expression zero = convert("T", random_.chance(50) ? number(0) : real("0.0"));
  if (random_.chance(25))
    return zero;
  if (integers_.empty() || random_.chance(15))
    return alpha();
  const Expression first = binary(Operator::Equal, name(random_.pick(integers_)), number(random_.between(0, 1)));
  return random_.chance(70) ? choose(first, zero, alpha()) : choose(first, alpha(), zero);
}

/// 1, or what a loop decides, or another number: where it is 1 a kernel may only add to a tile.
Expression ProgramMaker::perhapsOne() {
  const Expression one = convert("T", number(1));
  if (integers_.empty() || random_.chance(70))
    return random_.chance(90) ? one : alpha();
  const Expression first = binary(Operator::Equal, name(random_.pick(integers_)), number(random_.between(0, 1)));
  return random_.chance(70) ? choose(first, alpha(), one) : choose(first, one, alpha());
}

/// One, or what a loop decides.
Expression ProgramMaker::anyTriangle() {
  const Expression lower = name("Lower"), upper = name("Upper");
  if (integers_.empty() || random_.chance(80))
    return random_.chance(50) ? lower : upper;
  return choose(binary(Operator::Equal, name(random_.pick(integers_)), number(random_.between(0, 3))), lower, upper);
}

std::optional<Statement> ProgramMaker::taskCall() {
  const auto task = [](const char *kernel, std::vector<std::optional<Argument>> parts) -> std::optional<Statement> {
    std::vector<Argument> arguments;
    for (std::optional<Argument> &part : parts) {
      if (!part)
        return std::nullopt;
      arguments.push_back(std::move(*part));
    }
    return makeTask(kernel, std::move(arguments));
  };
  using enum Access;
  const auto a = [&] { return std::optional(valueArgument(alpha())); };
  switch (random_.below(20)) {
  case 19:
  case 18:
    return task("raise", {std::optional(valueArgument(anyTriangle())), std::optional(valueArgument(perhapsOne())),
                          tile(Read), tile(Update)});
  case 17:
  case 16:
    return task("increase", {std::optional(valueArgument(perhapsOne())), tile(Read), tile(Read), tile(Update)});
  case 15:
    return task("renew", {std::optional(valueArgument(perhapsZero())), tile(Read), tile(Update)});
  case 0:
    return task("place", {a(), tile(Read), tile(Overwrite)});
  case 1:
    return task("fill", {a(), tile(Overwrite)});
  case 2:
    return task("swapParts", {tile(Update), tile(Update)});
  case 3:
    return task("cascade", {a(), panel(Update), tile(Read)});
  case 4:
    return task("gather", {a(), panel(Read), tile(Update)});
  case 5:
  case 6:
    return task("pour", {a(), tile(Read, true), tile(Update, true)});
  case 7:
    return task("tally", {tile(Read), ofElement("int", Update)});
  case 8:
    return task("weigh", {ofElement("int", Read), tile(Update)});
  case 9:
    if (auto call = task("exchange", {panel(Update), panel(Update)});
        call && call->arguments[0].matrix != call->arguments[1].matrix)
      return call;
    return std::nullopt;
  case 10:
    return task("narrow", {tile(Read), ofElement("float", Update)});
  case 11:
    return task("widen", {a(), ofElement("float", Read), tile(Update)});
  case 12:
    return task("pour",
                {std::optional(valueArgument(alpha("float"))), ofElement("float", Read), ofElement("float", Update)});
  case 13:
    return task("stir", {a(), tile(Update, true)});
  default:
    return task("fold", {a(), tile(Read), tile(Read), tile(Update)});
  }
}

/// Whether the task writes a matrix of which it has another tile, or the same.
bool ProgramMaker::mayAlias(const Statement &task) {
  for (const Argument &written : task.arguments)
    for (const Argument &other : task.arguments)
      if (written.access != Access::Read && &written != &other && written.matrix == other.matrix)
        return true;
  return false;
}

void ProgramMaker::addTask(Block &block) {
  for (int attempt = 0; attempt < 8; ++attempt)
    if (auto call = taskCall(); call && (aliases_ || !mayAlias(*call))) {
      addClauses(*call);
      block.push_back(std::move(*call));
      --budget_;
      return;
    }
}

void ProgramMaker::addClauses(Statement &task) {
  if (random_.chance(15))
    task.priority.push_back(
        random_.chance(50) || integers_.empty() ? number(3) : unary(Operator::Negate, name(random_.pick(integers_))));
  if (random_.chance(15))
    task.device = random_.one({"host", "gpu", "any"});
  std::vector<int> written;
  for (std::size_t i = 0; i < task.arguments.size(); ++i)
    if (task.arguments[i].isTile() && task.arguments[i].access != Access::Read && task.arguments[i].half.empty())
      written.push_back(static_cast<int>(i));
  if (!written.empty() && random_.chance(written.size() > 1 ? 50 : 5))
    task.at = random_.pick(written);
}

/// Pairs, then pairs of pairs: a loop whose variable doubles.
void ProgramMaker::addTree(Block &block) {
  const auto candidates = indexable(true);
  std::vector<const Matrix *> found;
  std::copy_if(candidates.begin(), candidates.end(), std::back_inserter(found),
               [](const Matrix *matrix) { return matrix->rows == 'm' || matrix->rows == 'n'; });
  if (found.empty())
    return addTask(block);
  const Matrix &matrix = *random_.pick(found);
  const Expression d = name(fresh("d")), i = name(fresh("i")), end = tiles(matrix.rows), j = index(matrix.cols);
  const Expression other = binary(Operator::Add, i, d), factor = alpha();
  Statement inner = loopBetween(matrix.rows, number(0), end, [&](Block &body, const Expression &) {
    body.push_back(makeTask("pour", {valueArgument(factor), tileArgument(matrix, other, j, Access::Read),
                                     tileArgument(matrix, i, j, Access::Update)}));
  });
  inner.variable = i.text;
  inner.condition = binary(Operator::Less, other, end);
  inner.step = binary(Operator::Multiply, number(2), d);
  Statement outer = inner;
  outer.variable = d.text;
  outer.first = number(1);
  outer.condition = binary(Operator::Less, d, end);
  outer.stepSign = "*=";
  outer.step = number(2);
  outer.body = {std::move(inner)};
  block.push_back(std::move(outer));
}

/// A tile of a workspace that is written, read and released.
void ProgramMaker::addScratch(Block &block) {
  const Matrix *const R = program_.find("R");
  if (!R || !hasIndex('m'))
    return addTask(block);
  const Expression i = index('m');
  const auto from = tile(Access::Read), to = tile(Access::Update);
  if (random_.chance(50))
    block.push_back(makeTask(
        "renew", {valueArgument(convert("T", number(0))), *from, tileArgument(*R, i, number(0), Access::Update)}));
  else
    block.push_back(
        makeTask("place", {valueArgument(alpha()), *from, tileArgument(*R, i, number(0), Access::Overwrite)}));
  if (random_.chance(50))
    block.push_back(makeTask("stir", {valueArgument(alpha()), tileArgument(*R, i, number(0), Access::Update)}));
  Statement last = makeTask("pour", {valueArgument(alpha()), tileArgument(*R, i, number(0), Access::Read), *to});
  last.release = 1;
  block.push_back(std::move(last));
  budget_ -= 2;
}

/// Values of all kinds, for a kernel that uses each.
void ProgramMaker::addStamp(Block &block) {
  const auto target = tile(Access::Update);
  if (!target)
    return;
  std::vector<Argument> arguments;
  for (int i = 0; i < 5; ++i)
    arguments.push_back(
        valueArgument(random_.chance(50) ? wild(1) : extent("A", random_.one({"m", "n", "mt", "nt", "mb"}))));
  arguments.push_back(*target);
  block.push_back(makeTask("stamp", std::move(arguments)));
  --budget_;
}

/// More values than others have, of a task on slices, too.
void ProgramMaker::addCensus(Block &block) {
  const auto target = tile(Access::Update);
  if (!target)
    return;
  std::vector<Argument> arguments = {valueArgument(alpha())};
  for (int i = 0; i < 11; ++i)
    arguments.push_back(valueArgument(
        random_.chance(30) ? wild(1)
                           : extent(random_.pick(program_.matrices).name, random_.one({"mt", "nt", "m", "n"}))));
  arguments.push_back(*target);
  block.push_back(makeTask("census", std::move(arguments)));
  addClauses(block.back());
  --budget_;
}

/// Adds updates that copies of the nodes may share: updates of tiles by the steps of a loop, inside, outside or between
/// those over the tiles. Now and then something else looks at a tile in between.
void ProgramMaker::addSum(Block &block) {
  std::vector<const Matrix *> outputs;
  for (const Matrix &matrix : program_.matrices)
    if (matrix.element == "T" && matrix.rows != '1' && matrix.cols != '1' && !matrix.counter &&
        (matrix.kind == MatrixKind::General || matrix.filled))
      outputs.push_back(&matrix);
  const Matrix &C = *random_.pick(outputs);
  const char size = random_.one({'m', 'n', 'n'});
  const int step = random_.between(0, 2); // loops around that over the steps
  const bool isTriangle = random_.chance(25);
  std::optional<Expression> i, j, k;
  // Named by the step in its row or its column, as of products: that decides with which copy it is at home.
  const auto byStep = [&](Argument &operand) {
    const Matrix &matrix = *std::ranges::find(program_.matrices, operand.matrix, &Matrix::name);
    if (matrix.kind != MatrixKind::General || !operand.view.empty())
      return;
    const bool down = matrix.rows == size && (matrix.cols != size || random_.chance(60));
    if (down)
      operand.row = *k;
    else if (matrix.cols == size)
      operand.column = *k;
  };
  const auto update = [&](Block &body) {
    const auto operand = [&] {
      std::optional<Argument> found = tile(Access::Read);
      for (int attempt = 0; attempt < 8 && found && found->matrix == C.name; ++attempt)
        found = tile(Access::Read);
      if (k && random_.chance(50))
        byStep(*found);
      return *found;
    };
    const Argument sum = tileArgument(C, *i, *j, Access::Update);
    if (isTriangle != random_.chance(5))
      body.push_back(makeTask("raise", {valueArgument(random_.chance(95) ? name("Lower") : anyTriangle()),
                                        valueArgument(perhapsOne()), operand(), sum}));
    else
      body.push_back(makeTask("increase", {valueArgument(perhapsOne()), operand(), operand(), sum}));
    if (random_.chance(20))
      addClauses(body.back());
  };
  const std::function<void(Block &, int)> nest = [&](Block &body, int depth) {
    if (depth == 3) {
      for (int left = random_.one({1, 1, 1, 2}); left > 0; --left)
        update(body);
      if (random_.chance(8))
        addTask(body);
      return;
    }
    const bool isStep = depth == step, isRow = !isStep && !i;
    if (!isStep && (isRow ? C.rows : C.cols) == '2') { // a single column, or two
      (isRow ? i : j) = number(0);
      return nest(body, depth + 1);
    }
    const char each = isStep ? size : isRow ? C.rows : C.cols;
    const auto fill = [&](Block &inner) {
      (isStep ? k : isRow ? i : j) = indices_.back().expression;
      nest(inner, depth + 1);
      if (isStep && random_.chance(20))
        addTask(inner);
    };
    const auto fillAll = [&](Block &inner, const Expression &) { fill(inner); };
    body.push_back(random_.chance(30) ? loopOver(each, fill) : loopBetween(each, number(0), tiles(each), fillAll));
  };
  nest(block, 0);
}

} // namespace fuzz
