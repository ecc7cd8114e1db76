// The grammar of the text form; printer.cpp shows it by example. Nonterminals are the functions' names.
#include "compiler/ir/spelling.hpp"
#include "tests/ir_text/word_parser.hpp"

#include <algorithm>

namespace hetc::ir {

namespace {
class ProgramParser : public WordParser {
public:
  using WordParser::WordParser;

  // 'program' name '(' [name {',' name}] ')' 'type' letter 'source' string '{' {declaration} {statement} '}'
  Program parseProgram() {
    expectWord("program");
    program_.name = expectIdentifier("the name of the program");
    program_.parameterOrder = parseNames();
    expectWord("type");
    program_.type = parseElementType();
    expectWord("source");
    program_.source = expectString("the name of the source file in quotes");
    expect("{", "before the declarations");
    while (parseDeclaration()) {
    }
    program_.body = parseBlockEnd();
    parseEnd();
    return std::move(program_);
  }

private:
  /// Parses one declaration if there is one.
  bool parseDeclaration() {
    if (!isIdentifier() || isWord("call"))
      return false;
    if (isWord("function"))
      parseFunction();
    else if (isWord("size"))
      parseSize();
    else if (isWord("slices"))
      parseSlices();
    else if (isWord("copies"))
      parseCopies();
    else if (isWord("check"))
      parseCheck();
    else if (isWord("requires"))
      parseRequirement();
    else if (isWord("kernel"))
      parseKernel();
    else if (isPunctuator("<", 1))
      parseMatrix();
    else if (isIdentifier(1))
      parseScalar();
    else
      return false;
    return true;
  }

  // 'size' name ['=' expr]
  void parseSize() {
    take();
    program_.sizes.push_back(expectIdentifier("a size symbol"));
    if (accept("="))
      program_.sizeDefaults.emplace_back(program_.sizes.back(), parseExpr());
  }

  // 'requires' '(' expr ')' ['of' name]
  void parseRequirement() {
    take();
    expect("(", "after 'requires'");
    program_.requirements.push_back({parseExpr(), ""});
    expect(")", "to close 'requires('");
    if (acceptWord("of"))
      program_.requirements.back().callee = expectIdentifier("the name of an algorithm");
  }

  // 'slices' number
  void parseSlices() {
    take();
    program_.slices = static_cast<int>(parseUnsigned("the number of slices"));
  }

  // 'copies' number
  void parseCopies() {
    take();
    program_.copies = static_cast<int>(parseUnsigned("the number of copies"));
  }

  // 'check' name '(' {argument | name '(' {argument} ')'} ')', argument: name | constant | 'before' '(' name ')'
  void parseCheck() {
    take();
    program_.check = expectIdentifier("the name of the check");
    parseList([&] { program_.checkArguments.push_back(parseCheckArgument()); });
  }

  CheckArgument parseCheckArgument() {
    using Kind = CheckArgument::Kind;
    if (!isIdentifier() || enumeratorValue(peek().text))
      return {Kind::Constant, "", parseExpr(), {}};
    CheckArgument argument{Kind::Parameter, expectIdentifier("a name"), nullptr, {}};
    if (!isPunctuator("("))
      return argument;
    std::vector<CheckArgument> arguments;
    parseList([&] { arguments.push_back(parseCheckArgument()); });
    if (argument.name == "before" && arguments.size() == 1)
      return {Kind::Before, arguments[0].name, nullptr, {}};
    argument.kind = Kind::Call;
    argument.arguments = std::move(arguments);
    return argument;
  }

  // kind '<' letter '>' name '(' rows ',' cols [',' tile rows [',' tile cols]] ')' ['input' '(' ['extern' | 'template']
  // name [exprs] ')']
  // ['in' '(' {loop variable} ')'] ['sliced'] ['copy' number] ['dealt' '(' rows ',' columns ',' steps ')'] ['layers'
  // 'of' name] [@]
  void parseMatrix() {
    Matrix matrix;
    matrix.kind = parseWordOf<MatrixKind>(matrixKindNames, "Matrix, LowerMatrix, UpperMatrix or Workspace");
    expect("<");
    matrix.type = parseElementType();
    expect(">");
    matrix.name = expectIdentifier("the name of the matrix");
    const Token open = peek();
    const std::vector<ExprRef> sizes = parseExprs();
    const bool workspace = matrix.kind == MatrixKind::Workspace;
    if (workspace ? sizes.size() != 3 && sizes.size() != 4 : sizes.size() != 2) {
      fail(open, std::string("expected ") + (workspace ? "3 or 4" : "2") + " sizes of '" + matrix.name + "', found " +
                     std::to_string(sizes.size()));
      return;
    }
    matrix.rows = sizes[0];
    matrix.cols = sizes[1];
    if (workspace)
      matrix.tileRows = sizes[2];
    if (sizes.size() == 4)
      matrix.tileCols = sizes[3];
    if (acceptWord("input"))
      parseGenerator(matrix);
    if (acceptWord("in"))
      parseList([&] { matrix.madeIn.push_back(expectIdentifier("the variable of a loop")); });
    if (acceptWord("sliced"))
      matrix.mapping = Sliced{};
    else if (acceptWord("copy"))
      matrix.mapping = InCopies{static_cast<int>(parseUnsigned("the number of a copy")), nullptr};
    else if (acceptWord("dealt"))
      parseDealt(matrix);
    else if (acceptWord("layers") && acceptWord("of"))
      matrix.mapping = Layers{expectIdentifier("the name of the matrix that has the layers")};
    matrix.location = parseLocation();
    program_.matrices.push_back(std::move(matrix));
  }

  void parseDealt(Matrix &matrix) {
    const Token open = peek();
    const std::vector<ExprRef> numbers = parseExprs();
    if (numbers.size() != 3)
      return (void)fail(open, "expected rows, columns and steps");
    matrix.mapping = Dealt{numbers[0], numbers[1], numbers[2]};
  }

  void parseGenerator(Matrix &matrix) {
    expect("(");
    matrix.maker = acceptWord("extern") ? Maker::Function : acceptWord("template") ? Maker::Template : Maker::Hetc;
    matrix.generator = expectIdentifier("the name of the generator");
    if (isPunctuator("("))
      matrix.generatorArguments = parseExprs();
    expect(")", "to close 'input('");
  }

  // type name ['=' expr] ['tune' '(' {integer} ')'] [@]
  void parseScalar() {
    Scalar scalar;
    scalar.type = take().text;
    scalar.name = take().text;
    if (accept("="))
      scalar.defaultValue = parseExpr();
    if (acceptWord("tune"))
      parseList([&] { scalar.candidates.push_back(expectInteger("a candidate")); });
    scalar.location = parseLocation();
    program_.scalars.push_back(std::move(scalar));
  }

  // 'kernel' name ['<' 'T' '>'] '(' {parameter} ')' ['returns' 'info' ['continues']] ['bound' '(' b ')'] ['flops'
  // string] {'requires' '(' expr ')'} {'alias' names}
  // {'writes' '(' name 'if' expr ')'} {'sum' '(' name ['in' name] 'if' expr ')'} [@]
  void parseKernel() {
    take();
    Kernel kernel;
    kernel.name = parseQualifiedName();
    kernel.isTemplate = accept("<");
    if (kernel.isTemplate) {
      expectWord("T");
      expect(">");
    }
    parseList([&] { kernel.parameters.push_back(parseParameter()); });
    if (acceptWord("returns")) {
      expectWord("info");
      kernel.returnsInfo = true;
      kernel.infoContinues = acceptWord("continues");
    }
    if (acceptWord("bound"))
      kernel.bound = parseBound();
    if (acceptWord("flops"))
      kernel.flops = expectString("an expression in quotes");
    while (acceptWord("requires")) {
      expect("(", "after 'requires'");
      kernel.requirements.push_back(parseExpr());
      expect(")", "to close 'requires('");
    }
    while (acceptWord("alias"))
      kernel.aliases.push_back(parseNames());
    while (acceptWord("writes"))
      parseConditionalWrite(kernel, "writes", &KernelParameter::writtenIf);
    while (acceptWord("sum"))
      parseConditionalWrite(kernel, "sum", &KernelParameter::addsIf);
    kernel.location = parseLocation();
    program_.kernels.push_back(std::move(kernel));
  }

  // '(' name 'if' expr ')'
  void parseConditionalWrite(Kernel &kernel, const std::string &clause, ExprRef KernelParameter::*condition) {
    expect("(", "after '" + clause + "'");
    const Token name = peek();
    const auto parameter =
        std::ranges::find(kernel.parameters, expectIdentifier("the name of a parameter"), &KernelParameter::name);
    std::string triangle;
    if (acceptWord("in"))
      triangle = expectIdentifier("the name of a parameter");
    expectWord("if");
    const ExprRef parsed = parseExpr();
    expect(")", "to close '" + clause + "('");
    if (parameter == kernel.parameters.end())
      return fail(name, "the kernel has no such parameter");
    (*parameter).*condition = parsed;
    if (!triangle.empty())
      parameter->addsIn = triangle;
  }

  std::string parseQualifiedName() {
    std::string name = expectIdentifier("the name of a kernel");
    while (accept("::"))
      name += "::" + expectIdentifier("a name after '::'");
    return name;
  }

  // [access ['panel']] name
  KernelParameter parseParameter() {
    KernelParameter parameter;
    if (isIdentifier(1)) {
      parameter.access = parseWordOf<Access>(accessNames, "read, rw or write");
      parameter.isPanel = isIdentifier(1) && acceptWord("panel");
      parameter.isTile = !parameter.isPanel;
    }
    parameter.name = expectIdentifier("the name of a parameter");
    return parameter;
  }

  Bound parseBound() {
    expect("(", "after 'bound'");
    const Bound bound = parseWordOf<Bound>(boundNames, "compute or memory");
    expect(")", "to close 'bound('");
    return bound;
  }

  // {statement} '}'
  Block parseBlockEnd() {
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

  Block parseBlock() {
    expect("{");
    return parseBlockEnd();
  }

  // 'function' name '(' [name {',' name}] ')' 'of' name {'part' name '(' matrix {',' name} ')'} {'requires' '(' expr
  // ')'} [@] block
  void parseFunction() {
    take();
    Function function;
    function.name = expectIdentifier("the name of the function");
    function.parameters = parseNames();
    expectWord("of");
    function.algorithm = expectIdentifier("the name of an algorithm");
    while (acceptWord("part")) {
      MatrixPart part;
      part.name = expectIdentifier("the name of the part");
      std::vector<std::string> names = parseNames();
      names.resize(5);
      part.matrix = names[0];
      const auto index = [&](const std::string &name) {
        return static_cast<std::size_t>(std::ranges::find(function.parameters, name) - function.parameters.begin());
      };
      part.row = index(names[1]);
      part.rowEnd = index(names[2]);
      part.column = index(names[3]);
      part.columnEnd = index(names[4]);
      function.parts.push_back(part);
    }
    while (acceptWord("requires")) {
      expect("(", "after 'requires'");
      function.requirements.push_back({parseExpr(), function.algorithm});
      expect(")", "to close 'requires('");
    }
    function.location = parseLocation();
    function.body = parseBlock();
    program_.functions.push_back(std::move(function));
  }

  // 'call' name '(' [expr {',' expr}] ')' [@]
  std::unique_ptr<Call> parseCall() {
    take();
    auto call = std::make_unique<Call>();
    call->function = expectIdentifier("the name of a function");
    call->arguments = parseExprs();
    call->location = parseLocation();
    return call;
  }

  // 'for' '(' 'int' name '=' expr ';' expr ';' step ')' [@] block
  std::unique_ptr<Loop> parseLoop() {
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
  ExprRef parseStep(const std::string &variable) {
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
  std::unique_ptr<If> parseIf() {
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
  std::unique_ptr<Task> parseTask() {
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

  Argument parseArgument() {
    if (isIdentifier(1))
      return parseAccess();
    return parseExpr();
  }

  // access name ('(' row ',' column ')' | '.' 'panel' '(' row ',' row end ',' column [',' column end] ')' |
  // '.' 'slices' '(' row ',' column ',' column end ')')
  // ['.' 'conjTrans' '(' ')'] ['.' region '(' ')'] ['.' 'rows' strip] ['.' 'cols' strip] ['.' 'within' strip | '.'
  // 'below' '(' first ')'] {'.' 'inside' range}
  TileAccess parseAccess() {
    const Access access = parseWordOf<Access>(accessNames, "read, rw or write before a tile");
    TileAccess tile = parseTile();
    tile.access = access;
    return tile;
  }

  TileAccess parseTile() {
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
  TileRange parseRange() {
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
  bool isView() const {
    for (const char *view : {"rows", "cols", "within", "below", "inside"})
      if (isWord(view, 1))
        return true;
    return false;
  }

  // '.' ('rows' | 'cols' | 'within') '(' first ',' count ')'
  Strip parseStrip() {
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
  bool parseClause(Task &task) {
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
  void parseTileLocations(Task &task) {
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

  Location parseTileLocation(const Location &ofTask) {
    if (accept("-"))
      return {};
    if (peek().kind == Token::Kind::String || isPunctuator(":", 1))
      return parsePosition();
    Location location = ofTask;
    location.column = parseUnsigned("a column number");
    return location;
  }

  Program program_;
};
} // namespace

std::variant<Program, ParseError> parse(std::string_view text) {
  auto tokens = tokenize(text);
  if (auto *error = std::get_if<ParseError>(&tokens))
    return std::move(*error);
  ProgramParser parser(std::move(std::get<std::vector<Token>>(tokens)));
  Program program = parser.parseProgram();
  if (parser.failed())
    return parser.takeError();
  return program;
}

} // namespace hetc::ir
