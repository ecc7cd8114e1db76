#include "tests/fuzz/make/program_maker.hpp"

namespace fuzz {

Argument valueArgument(Expression value) {
  Argument argument;
  argument.value = std::move(value);
  return argument;
}

Argument tileArgument(const Matrix &matrix, Expression row, Expression column, Access access, const std::string &half) {
  Argument argument;
  argument.kind = Argument::Kind::Tile;
  argument.matrix = matrix.name;
  argument.row = std::move(row);
  argument.column = std::move(column);
  argument.access = access;
  argument.half = half;
  return argument;
}

Statement makeTask(const std::string &kernel, std::vector<Argument> arguments) {
  Statement task;
  task.callee = kernel;
  task.arguments = std::move(arguments);
  return task;
}

Argument option(const char *text) { return valueArgument(name(text)); }

Argument scaled(const std::string &element, const char *number) {
  const bool negative = *number == '-';
  const Expression value = real(negative ? number + 1 : number);
  return valueArgument(convert(element, negative ? unary(Operator::Negate, value) : value));
}

Program ProgramMaker::make(const std::string &name) {
  program_ = {name, {}, {}, {}};
  const bool misfits = random_.chance(misfits_);
  sums_ = random_.chance(20);
  bool until = !sums_ && random_.chance(25);
  declareMatrices();
  declareWorkspaces();
  if (until)
    declareCounter();
  declareCallees();
  fillWorkspaces();
  affine_ = random_.chance(85);
  wildness_ = random_.between(0, 2);
  aliases_ = random_.chance(30);
  periods_ = random_.chance(30);
  Random apart = random_; // whoever has none of them is as before there were any
  transposes_ = apart.below(1000) % 4 == 1;
  sparse_ = apart.below(1000) % 6 == 2 && !sums_;
  parts_ = apart.below(1000) % 4 == 2 && !sums_;
  if (parts_) { // the same tile, and numbers, by the sizes of what it is called with
    Statement &loop = program_.callees.back().body.front();
    loop.first = binary(Operator::Minimum, fuzz::name("i"), binary(Operator::Subtract, extent("M", "mt"), number(1)));
    const Expression elements = binary(Operator::Subtract, extent("M", "m"), extent("M", "n"));
    loop.body.front().arguments[3] = valueArgument(binary(Operator::Multiply, elements, real("0.5")));
  }
  recursive_ = (apart.below(1000) % 6 == 3 || (leavesOut_ && apart_.chance(20))) && !sums_ && !until;
  if (recursive_)
    declareRecursion();
  if (sums_) {
    affine_ = true;
    periods_ = false;
    wildness_ = 0;
  }
  for (budget_ = random_.between(2, random_.one({3, 6, 10})); budget_ > 0 || until;)
    if (until && random_.chance(40)) {
      addUntil(program_.body);
      until = false;
    } else if (sums_ && random_.chance(80))
      addSum(program_.body);
    else if (random_.chance(15))
      addSwaps(program_.body);
    else
      random_.chance(75) ? addLoop(program_.body, 1) : addStandard(program_.body);
  if (misfits)
    addMisfit(program_.body);
  if (leavesOut_)
    apart_.chance(40) ? callOwner() : leaveOutWrites();
  if (sparse_) {
    guardTasks(program_.body);
    for (Callee &callee : program_.callees)
      guardTasks(callee.body);
  }
  return std::move(program_);
}

/// Most tasks on tiles of the caller's matrices only where these are there.
void ProgramMaker::guardTasks(Block &block) {
  for (Statement &statement : block) {
    guardTasks(statement.body);
    guardTasks(statement.otherwise);
    if (statement.kind != Statement::Kind::Task || random_.chance(8))
      continue;
    std::optional<Expression> condition;
    for (const Argument &argument : statement.arguments) {
      const Matrix *const matrix = program_.find(argument.matrix);
      if (!argument.isTile() || (matrix && matrix->own))
        continue;
      const Expression one = has(argument.matrix, argument.row, argument.column);
      condition = condition ? binary(Operator::And, *condition, one) : one;
    }
    if (!condition)
      continue;
    Statement branch;
    branch.kind = Statement::Kind::If;
    branch.condition = *condition;
    branch.body = {std::move(statement)};
    statement = std::move(branch);
  }
}

void ProgramMaker::leave(const Scope &scope) {
  indices_.resize(scope.indices);
  integers_.resize(scope.integers);
  reals_.resize(scope.reals);
  flags_.resize(scope.flags);
}

void ProgramMaker::addBlock(Block &block, int depth) {
  const Scope before = scope();
  for (unsigned left = 1 + random_.below(3); left > 0; --left)
    addStatement(block, depth);
  leave(before);
}

void ProgramMaker::addStatement(Block &block, int depth) {
  const unsigned kind = random_.below(24);
  if (kind < 7 && depth < 4)
    addLoop(block, depth);
  else if (kind < 9 && depth < 5)
    addIf(block, depth);
  else if (kind < 10 && depth < 4)
    addGuard(block, depth);
  else if (kind < 11 && depth < 3)
    addWildLoop(block, depth);
  else if (kind < 12 && !affine_)
    addTree(block);
  else if (kind < 13)
    addScratch(block);
  else if (kind < 16)
    addStandard(block);
  else if (kind < 17 || (parts_ && kind > 20))
    addCall(block);
  else if (kind < 18)
    random_.chance(40) ? addStamp(block) : addCensus(block);
  else
    addTask(block);
}

Statement ProgramMaker::loopBetween(char size, Expression first, Expression bound,
                                    const std::function<void(Block &, const Expression &)> &fill) {
  Statement loop;
  loop.kind = Statement::Kind::Loop;
  loop.variable = fresh("v");
  const Expression v = name(loop.variable);
  loop.first = std::move(first);
  loop.condition = binary(Operator::Less, v, std::move(bound));
  loop.stepSign = "+=";
  loop.step = number(1);
  const Scope before = scope();
  indices_.push_back({v, size});
  integers_.push_back(loop.variable);
  fill(loop.body, v);
  leave(before);
  --budget_;
  return loop;
}

/// Makes a loop that goes up or down, by one or more.
Statement ProgramMaker::loopOver(char size, const std::function<void(Block &)> &fill) {
  const Expression low = lowBound(size, 1), high = highBound(size, 1);
  Statement loop = loopBetween(size, low, high, [&](Block &body, const Expression &) { fill(body); });
  const Expression v = name(loop.variable);
  if (random_.chance(25)) {
    loop.first = binary(Operator::Subtract, high, number(1));
    loop.condition = binary(Operator::GreaterEqual, v, low);
    loop.stepSign = "-=";
  } else if (random_.chance(15))
    loop.condition = binary(Operator::LessEqual, v, binary(Operator::Subtract, high, number(1)));
  loop.step = periods_ && random_.chance(35) ? period() : number(random_.chance(20) ? random_.between(2, 3) : 1);
  return loop;
}

void ProgramMaker::addLoop(Block &block, int depth) {
  const char size = random_.one({'m', 'm', 'n', 'n', 'k', 'h'});
  const bool none = size == 'k' && program_.find("B") == nullptr;
  block.push_back(loopOver(none ? 'n' : size, [&](Block &body) {
    if (!affine_ && random_.chance(50))
      addLocals(body, integers_.back());
    addBlock(body, depth + 1);
  }));
}

/// Makes a loop between any two integers.
void ProgramMaker::addWildLoop(Block &block, int depth) {
  Statement loop = loopBetween('w', wild(wildness_), wild(wildness_), [&](Block &body, const Expression &) {
    if (random_.chance(40))
      addGuard(body, depth + 1);
    addBlock(body, depth + 1);
  });
  if (random_.chance(30)) {
    loop.condition.kind = Operator::Greater;
    loop.stepSign = "-=";
  }
  loop.step = number(random_.between(1, 3));
  block.push_back(std::move(loop));
}

void ProgramMaker::addIf(Block &block, int depth) {
  Statement branch;
  branch.kind = Statement::Kind::If;
  branch.condition = condition(wildness_);
  addBlock(branch.body, depth + 1);
  if (random_.chance(40))
    addBlock(branch.otherwise, depth + 1);
  block.push_back(std::move(branch));
}

/// A condition that makes any integer an index.
void ProgramMaker::addGuard(Block &block, int depth) {
  const char size = random_.one({'m', 'n'});
  const Expression value = wild(wildness_);
  Statement guard;
  guard.kind = Statement::Kind::If;
  guard.condition = binary(Operator::And, binary(Operator::GreaterEqual, value, number(0)),
                           binary(Operator::Less, value, tiles(size)));
  const Scope before = scope();
  indices_.push_back({value, size});
  addBlock(guard.body, depth + 1);
  leave(before);
  block.push_back(std::move(guard));
}

/// Constants whose declarations convert: int to double, double to int, int to bool.
void ProgramMaker::addLocals(Block &block, const std::string &variable) {
  const std::string id = fresh(""), d = "d" + id, h = "h" + id, b = "b" + id;
  const auto local = [&](const char *type, const std::string &text, Expression value) {
    Statement statement;
    statement.kind = Statement::Kind::Local;
    statement.type = type;
    statement.variable = text;
    statement.first = std::move(value);
    block.push_back(std::move(statement));
  };
  local("double", d, name(variable));
  local("int", h,
        binary(Operator::Add, binary(Operator::Multiply, real("0.5"), name(variable)),
               binary(Operator::Divide, name(d), number(4))));
  local("bool", b, name(h));
  if (random_.chance(50)) {
    local("int", "c" + id, wild(2));
    integers_.push_back("c" + id);
  }
  reals_.push_back(random_.chance(50)
                       ? binary(Operator::Divide, name(d), number(16))
                       : binary(Operator::Multiply, binary(Operator::Divide, name(h), number(2)), real("0.0625")));
  flags_.push_back(binary(Operator::Equal, name(b), number(1)));
}

/// Two names change places, of matrices with the same tiles: whatever is right before is right behind it.
std::optional<Statement> ProgramMaker::swapOfTwo() {
  std::vector<std::pair<const Matrix *, const Matrix *>> pairs;
  for (const Matrix *first : shaped('*', '*', true))
    for (const Matrix *second : shaped(first->rows, first->cols, true))
      if (first != second)
        pairs.emplace_back(first, second);
  if (pairs.empty())
    return std::nullopt;
  const auto [first, second] = random_.pick(pairs);
  Statement swap;
  swap.kind = Statement::Kind::Swap;
  swap.callee = "swap";
  for (const Matrix *matrix : {first, second}) {
    Argument argument;
    argument.kind = Argument::Kind::Matrix;
    argument.matrix = matrix->name;
    swap.arguments.push_back(argument);
  }
  return swap;
}

/// Where the language has swaps: outside of loops, and directly in a loop outside of others that counts by a constant.
void ProgramMaker::addSwaps(Block &block) {
  const auto swap = swapOfTwo();
  if (!swap || random_.chance(20)) {
    if (swap)
      block.push_back(*swap);
    return addLoop(block, 1);
  }
  Statement loop = loopOver(random_.one({'m', 'n'}), [&](Block &body) {
    addBlock(body, 2);
    for (int left = random_.between(1, 2); left > 0; --left)
      body.insert(body.begin() + random_.between(0, static_cast<int>(body.size())), left == 1 ? *swap : *swapOfTwo());
  });
  if (loop.step.kind != Operator::Number)
    loop.step = number(1);
  block.push_back(std::move(loop));
}

/// A loop whose end depends on what its tasks have done. Swaps stand all before the break, or behind it.
void ProgramMaker::addUntil(Block &block) {
  const auto fill = [&](Block &body) {
    addBlock(body, 2);
    for (int left = random_.between(1, 2); left > 0; --left) {
      Block counting;
      addAdvance(counting);
      body.insert(body.begin() + random_.between(0, static_cast<int>(body.size())), counting.begin(), counting.end());
    }
  };
  Statement loop = random_.chance(50) ? loopOver(random_.one({'m', 'n'}), fill)
                                      : loopBetween('w', number(0),
                                                    binary(Operator::Add, name("shift"), number(random_.between(1, 4))),
                                                    [&](Block &body, const Expression &) { fill(body); });
  if (loop.step.kind != Operator::Number)
    loop.step = number(1);
  Statement until;
  until.kind = Statement::Kind::Until;
  until.arguments.emplace_back();
  until.arguments[0].kind = Argument::Kind::Matrix;
  until.arguments[0].matrix = "K";
  until.stepSign = random_.one({">", ">=", ">", ">=", "==", "!=", "<", "<="});
  const bool isReal = program_.find("K")->element != "int" && random_.chance(50);
  until.first = isReal               ? real(random_.one({"2.25", "4.5", "0.5"}))
                : random_.chance(60) ? number(random_.between(0, 6))
                                     : binary(random_.chance(50) ? Operator::Add : Operator::Multiply, name("shift"),
                                              number(random_.between(1, 3)));
  Block &body = loop.body;
  const int at = random_.between(0, static_cast<int>(body.size()));
  body.insert(body.begin() + at, until);
  const bool isBefore = random_.chance(50);
  for (int left = random_.between(0, 2); left > 0; --left)
    if (const auto swap = swapOfTwo())
      body.insert(body.begin() +
                      (isBefore ? random_.between(0, at) : random_.between(at + 1, static_cast<int>(body.size()))),
                  *swap);
  block.push_back(std::move(loop));
}

/// The counter moves: always, under a condition, or once for each tile of some.
void ProgramMaker::addAdvance(Block &block) {
  const Matrix &K = *program_.find("K");
  const auto add = [&](Block &into) {
    const Expression step =
        random_.chance(70) ? number(1) : binary(Operator::Remainder, wild(1), number(random_.between(2, 4)));
    const auto data = K.element == "int" && random_.chance(60) ? tile(Access::Read) : std::nullopt;
    const Argument counter = tileArgument(K, number(0), number(0), Access::Update);
    into.push_back(data ? makeTask("advanceAfter", {valueArgument(step), *data, counter})
                        : makeTask("advance", {valueArgument(step), counter}));
    addClauses(into.back());
  };
  if (random_.chance(40))
    return add(block);
  if (random_.chance(60)) {
    block.push_back(loopOver(random_.one({'m', 'n'}), add));
    return;
  }
  Statement branch;
  branch.kind = Statement::Kind::If;
  branch.condition = condition(wildness_);
  add(branch.body);
  block.push_back(std::move(branch));
}

} // namespace fuzz
