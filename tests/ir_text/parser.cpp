// The grammar of programs and their declarations; printer.cpp shows it by example. Nonterminals are the functions'
// names.
#include "compiler/ir/spelling.hpp"
#include "tests/ir_text/statement_parser.hpp"

#include <algorithm>

namespace hetc::ir {

namespace {
class ProgramParser : public StatementParser {
public:
  using StatementParser::StatementParser;

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
  // '(' expr ')'] {'requires' '(' expr ')'} {'alias' names}
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
    if (acceptWord("flops")) {
      expect("(", "after 'flops'");
      kernel.flops = parseExpr();
      expect(")", "to close 'flops('");
    }
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
