// The grammar of statements: loops, conditions, calls and tasks with their tiles. Nonterminals are the functions'
// names.
#include "tests/ir_text/statement_parser.hpp"

namespace hetc::ir {

std::string StatementParser::parseQualifiedName() {
  std::string name = expectIdentifier("the name of a kernel");
  while (accept("::"))
    name += "::" + expectIdentifier("a name after '::'");
  return name;
}

Bound StatementParser::parseBound() {
  expect("(", "after 'bound'");
  const Bound bound = parseWordOf<Bound>(boundNames, "compute or memory");
  expect(")", "to close 'bound('");
  return bound;
}

// {statement} '}'
Block StatementParser::parseBlockEnd() {
  const Nesting nesting(*this);
  Block block;
  while (!accept("}")) {
    if (isWord("for"))
      block.push_back(parseLoop());
    else if (isWord("if"))
      block.push_back(parseIf());
    else if (isWord("task"))
      block.push_back(parseTask());
    else if (isWord("call"))
      block.push_back(parseCall());
    else {
      failExpected("'for', 'if', 'task', 'call' or '}'");
      break;
    }
  }
  return block;
}

Block StatementParser::parseBlock() {
  expect("{");
  return parseBlockEnd();
}

// 'call' name '(' [expr {',' expr}] ')' [@]
std::unique_ptr<Call> StatementParser::parseCall() {
  take();
  auto call = std::make_unique<Call>();
  call->function = expectIdentifier("the name of a function");
  call->arguments = parseExprs();
  call->location = parseLocation();
  return call;
}

// 'for' '(' 'int' name '=' expr ';' expr ';' step ')' [@] block
std::unique_ptr<Loop> StatementParser::parseLoop() {
  take();
  auto loop = std::make_unique<Loop>();
  expect("(", "after 'for'");
  expectWord("int");
  loop->variable = expectIdentifier("the loop's variable");
  expect("=");
  loop->init = parseExpr();
  expect(";", "after the first value of '" + loop->variable + "'");
  loop->condition = parseExpr();
  expect(";", "after the loop's condition");
  loop->next = parseStep(loop->variable);
  expect(")", "to close 'for ('");
  loop->location = parseLocation();
  loop->body = parseBlock();
  return loop;
}

// '++' name | '--' name | name '+=' expr | name '=' expr
ExprRef StatementParser::parseStep(const std::string &variable) {
  ExprRef current = makeVar(variable);
  ExprKind kind = ExprKind::Add;
  if (isPunctuator("++") || isPunctuator("--")) {
    kind = take().text == "++" ? ExprKind::Add : ExprKind::Sub;
    expectWord(variable);
    return makeBinary(kind, std::move(current), makeInt(1));
  }
  expectWord(variable);
  if (accept("+="))
    return makeBinary(kind, std::move(current), parseExpr());
  expect("=", "or '+=' in the loop's step");
  return parseExpr();
}

// 'if' '(' expr ')' [@] block ['else' (if | block)]
std::unique_ptr<If> StatementParser::parseIf() {
  const Nesting nesting(*this);
  take();
  auto branch = std::make_unique<If>();
  expect("(", "after 'if'");
  branch->condition = parseExpr();
  expect(")", "to close 'if ('");
  branch->location = parseLocation();
  branch->then = parseBlock();
  if (!acceptWord("else"))
    return branch;
  if (isWord("if"))
    branch->otherwise.push_back(parseIf());
  else
    branch->otherwise = parseBlock();
  return branch;
}

// 'task' id kernel '(' {argument} ')' {clause} ['@' position [tile locations]]
std::unique_ptr<Task> StatementParser::parseTask() {
  take();
  auto task = std::make_unique<Task>();
  task->id = parseUnsigned("the task's number");
  task->kernel = parseQualifiedName();
  parseList([&] { task->arguments.push_back(parseArgument()); });
  task->mainOutput = defaultMainOutput(*task);
  while (parseClause(*task)) {
  }
  task->location = parseLocation();
  parseTileLocations(*task);
  return task;
}

Argument StatementParser::parseArgument() {
  if (isIdentifier(1))
    return parseAccess();
  return parseExpr();
}

// access name ('(' row ',' column ')' | '.' 'panel' '(' row ',' row end ',' column [',' column end] ')' |
// '.' 'slices' '(' row ',' column ',' column end ')')
// ['.' 'conjTrans' '(' ')'] ['.' region '(' ')'] ['.' 'rows' strip] ['.' 'cols' strip] ['.' 'within' strip | '.'
// 'below' '(' first ')'] {'.' 'inside' range}
TileAccess StatementParser::parseAccess() {
  const Access access = parseWordOf<Access>(accessNames, "read, rw or write before a tile");
  TileAccess tile = parseTile();
  tile.access = access;
  return tile;
}

TileAccess StatementParser::parseTile() {
  TileAccess tile;
  tile.matrix = expectIdentifier("the name of a matrix");
  const bool isRun = accept("."), isPanel = isRun && !acceptWord("slices");
  if (isPanel)
    expectWord("panel");
  expect("(", "after '" + tile.matrix + "'");
  tile.row = parseExpr();
  expect(",", "between the indices");
  if (isPanel) {
    tile.rowEnd = parseExpr();
    expect(",", "between the indices");
  }
  tile.column = parseExpr();
  if (isRun && (!isPanel || isPunctuator(","))) {
    expect(",", "between the indices");
    tile.columnEnd = parseExpr();
  }
  if (isPanel && acceptWord("step"))
    tile.rowStep = parseExpr();
  expect(")", "to close the indices");
  if (isWord("conjTrans", 1)) {
    expect(".");
    take();
    expect("(");
    expect(")");
    tile.isTransposed = true;
  }
  if (isPunctuator(".") && !isView()) {
    take();
    tile.region = parseWordOf<Region>(regionNames, "lower, upper, rows or cols");
    expect("(");
    expect(")");
  }
  if (isWord("rows", 1))
    tile.rows = parseStrip();
  if (isWord("cols", 1))
    tile.cols = parseStrip();
  if (isWord("within", 1))
    tile.within = parseStrip();
  if (isWord("below", 1)) {
    accept(".");
    take();
    expect("(", "after 'below'");
    tile.within.first = parseExpr();
    expect(")", "to close 'below('");
  }
  while (isWord("inside", 1))
    tile.inside.push_back(parseRange());
  return tile;
}

// '.' 'inside' '(' row ',' row end ',' column ',' column end ')'
TileRange StatementParser::parseRange() {
  accept(".");
  take();
  TileRange range;
  const char *before = "(";
  for (ExprRef *expr : {&range.row, &range.rowEnd, &range.column, &range.columnEnd}) {
    expect(before, "in 'inside(row, row end, column, column end)'");
    *expr = parseExpr();
    before = ",";
  }
  expect(")", "to close 'inside('");
  return range;
}

/// True where '.' and the name of a view are next.
bool StatementParser::isView() const {
  for (const char *view : {"rows", "cols", "within", "below", "inside"})
    if (isWord(view, 1))
      return true;
  return false;
}

// '.' ('rows' | 'cols' | 'within') '(' first ',' count ')'
Strip StatementParser::parseStrip() {
  expect(".");
  const std::string word = take().text;
  expect("(", "after '" + word + "'");
  Strip strip;
  strip.first = parseExpr();
  expect(",", "between the first of the " + word + " and their number");
  strip.count = parseExpr();
  expect(")", "to close '" + word + "('");
  return strip;
}

// ['derived'] 'priority' '(' expr ')' | 'device' '(' d ')' | 'bound' '(' b ')' | 'at' '(' 'argument' n ')' |
// 'release' '(' {[access] tile} ')' | 'fits' | 'distinct'
bool StatementParser::parseClause(Task &task) {
  if (isWord("priority") || isWord("derived")) {
    task.derivedPriority = acceptWord("derived");
    expectWord("priority");
    expect("(", "after 'priority'");
    task.priority = parseExpr();
    expect(")", "to close 'priority('");
  } else if (acceptWord("device")) {
    expect("(", "after 'device'");
    task.device = parseWordOf<Device>(deviceNames, "any, host or gpu");
    expect(")", "to close 'device('");
  } else if (acceptWord("bound")) {
    task.bound = parseBound();
  } else if (acceptWord("at")) {
    expect("(", "after 'at'");
    expectWord("argument");
    task.mainOutput = parseUnsigned("the index of an argument");
    expect(")", "to close 'at('");
  } else if (acceptWord("release")) {
    parseList([&] { task.releases.push_back(isIdentifier(1) ? parseAccess() : parseTile()); });
  } else if (acceptWord("fits")) {
    task.fits = true;
  } else if (acceptWord("distinct")) {
    task.distinct = true;
  } else
    return false;
  return true;
}

// ['(' (column | position | '-') {',' ...} ')']
void StatementParser::parseTileLocations(Task &task) {
  std::vector<Location *> tiles;
  for (Argument &argument : task.arguments)
    if (auto *access = std::get_if<TileAccess>(&argument))
      tiles.push_back(&access->location);
  for (TileAccess &access : task.releases)
    tiles.push_back(&access.location);
  for (Location *tile : tiles)
    *tile = task.location;
  if (!isPunctuator("("))
    return;
  const Token open = peek();
  std::size_t count = 0;
  parseList([&] {
    const Location location = parseTileLocation(task.location);
    if (count < tiles.size())
      *tiles[count] = location;
    ++count;
  });
  if (count != tiles.size())
    fail(open, "expected the places of " + std::to_string(tiles.size()) + " tiles, found " + std::to_string(count));
}

Location StatementParser::parseTileLocation(const Location &ofTask) {
  if (accept("-"))
    return {};
  if (peek().kind == Token::Kind::String || isPunctuator(":", 1))
    return parsePosition();
  Location location = ofTask;
  location.column = parseUnsigned("a column number");
  return location;
}

} // namespace hetc::ir
