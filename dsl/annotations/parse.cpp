#include "dsl/annotations/grammar.hpp"
#include "dsl/annotations/suggest.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace hetc::annotations {

namespace {
using x3::_attr;
using x3::_val;

constexpr std::array<std::string_view, 4> kinds{"algorithm", "task", "kernel", "split"};
constexpr std::array<std::string_view, 6> algorithmClauses{"input", "check", "shape", "default", "tune", "requires"};
constexpr std::array<std::string_view, 5> taskClauses{"priority", "device", "bound", "at", "release"};
constexpr std::array<std::string_view, 8> kernelClauses{"flops", "bound",  "info", "requires",
                                                        "alias", "writes", "sum",  "link"};
constexpr std::array<std::string_view, 1> splitClauses{"opaque"};
constexpr std::array<std::string_view, 3> devices{"host", "gpu", "any"};
constexpr std::array<std::string_view, 2> bounds{"compute", "memory"};
constexpr std::array<std::string_view, 2> reactions{"stop", "continue"};

/// The names that have been read so far, to find repetitions: "priority", "input(A)".
struct SeenTag;
using Seen = std::set<std::string>;

//
// Words and where they stand
//

struct Word {
  std::string text;
  unsigned offset = 0;
};

template <typename Context> Word wordOf(const Context &context) {
  const auto &range = _attr(context);
  return {std::string(range.begin(), range.end()), offsetOf(range.begin(), context)};
}

SyntaxError errorAt(const Word &word, std::string message) {
  return {word.offset, static_cast<unsigned>(word.text.size()), std::move(message), {}};
}

const auto setWord = [](auto &context) { _val(context) = wordOf(context); };

/// An identifier; `what` is expected when there is none.
auto word(const char *what) {
  return x3::rule<struct WordId, Word>(what) = x3::raw[x3::lexeme[letter >> *letterOrDigit]][setWord];
}
const auto anyWord = word("a name");

auto keyword(std::string_view text) { return x3::raw[x3::lexeme[x3::string(std::string(text)) >> !letterOrDigit]]; }

//
// Clauses in general
//

/// Throws when the word has been seen; `where` is empty for a clause, else "input" and the like.
template <typename Context> void onlyOnce(const Context &context, const Word &word, const std::string &where) {
  if (x3::get<SeenTag>(context).insert(where + "(" + word.text).second)
    return;
  throw errorAt(word, where.empty() ? "clause '" + word.text + "' is given twice"
                                    : "'" + word.text + "' is given twice in '" + where + "'");
}

const auto clauseOnce = [](auto &context) { onlyOnce(context, wordOf(context), {}); };

/// '(' body ')' of the clause of this name.
template <typename Body> auto clauseBody(const std::string &name, const Body &body) {
  return Punctuator('(', "after '" + name + "'") > body > Punctuator(')', "to close '" + name + "('");
}
/// name '(' body ')'
template <typename Body> auto clause(const std::string &name, const Body &body) {
  return keyword(name)[clauseOnce] > clauseBody(name, body);
}
/// A clause that may be given several times.
template <typename Body> auto repeatedClause(const std::string &name, const Body &body) {
  return keyword(name) > clauseBody(name, body);
}

/// Why a word is not a clause of this kind of annotation.
template <std::size_t count>
SyntaxError unknownClause(const Word &word, const char *kind, const std::array<std::string_view, count> &known) {
  const auto belongsTo = [&](const auto &clauses, const char *other) {
    return std::ranges::find(clauses, word.text) == clauses.end() ? nullptr : other;
  };
  const char *owner = belongsTo(algorithmClauses, "algorithm");
  owner = owner ? owner : belongsTo(taskClauses, "task");
  owner = owner ? owner : belongsTo(kernelClauses, "kernel");
  owner = owner ? owner : belongsTo(splitClauses, "split");
  if (!owner)
    return unknownWord("clause", word.text, word.offset, known);
  return errorAt(word, "clause '" + word.text + "' belongs to '" + owner + "', not to '" + kind + "'");
}

template <std::size_t count> auto anyOtherClause(const char *kind, const std::array<std::string_view, count> &known) {
  return anyWord[([=](auto &context) { throw unknownClause(_attr(context), kind, known); })];
}

//
// Values
//

const auto expression = ExpressionParser();

/// Index of the word among the known; throws for another.
template <std::size_t count>
std::size_t choose(const Word &word, const char *what, const std::array<std::string_view, count> &known) {
  const auto found = std::ranges::find(known, word.text);
  if (found != known.end())
    return static_cast<std::size_t>(found - known.begin());
  std::string message = std::string("unknown ") + what + " '" + word.text + "'; known are ";
  for (std::string_view each : known)
    message.append(each == known.front() ? "" : ", ").append(each);
  throw errorAt(word, message);
}

const auto setDevice = [](auto &context) {
  constexpr Device values[] = {Device::Host, Device::Gpu, Device::Any};
  _val(context).device = values[choose(_attr(context), "device", devices)];
};
const auto setBound = [](auto &context) {
  constexpr Bound values[] = {Bound::Compute, Bound::Memory};
  _val(context).bound = values[choose(_attr(context), "bound", bounds)];
};
const auto setOnInfo = [](auto &context) {
  constexpr OnInfo values[] = {OnInfo::Stop, OnInfo::Continue};
  _val(context).onInfo = values[choose(_attr(context), "reaction to info", reactions)];
};
const auto device = word("host, gpu or any")[setDevice];
const auto bound = word("compute or memory")[setBound];
const auto onInfo = word("stop or continue")[setOnInfo];

/// A(i, j), A(i, j).lower(), A(i, j).upper(), A.panel(i0, i1, j) or A.panel(i0, i1, j, step).
bool isTile(const Expr &expr) {
  if (expr.kind == Expr::Kind::Call)
    return expr.operands.size() == 2;
  if (expr.kind != Expr::Kind::Member)
    return false;
  if (expr.text == "panel")
    return (expr.operands.size() == 4 || expr.operands.size() == 5) && expr.operands[0].kind == Expr::Kind::Name;
  return (expr.text == "lower" || expr.text == "upper") && expr.operands.size() == 1 && isTile(expr.operands[0]);
}

bool isView(const Expr &expr) {
  return expr.kind == Expr::Kind::Member && (expr.text == "rows" || expr.text == "cols");
}

/// The expression just parsed, which must be a tile.
template <typename Context> Expr takeTile(const Context &context) {
  Expr &expr = _attr(context);
  if (isTile(expr))
    return std::move(expr);
  const unsigned end = offsetOf(x3::_where(context).begin(), context);
  throw SyntaxError{expr.offset,
                    end - expr.offset,
                    isView(expr) ? "expected a whole tile, without rows() and cols()"
                                 : "expected a tile such as A(i, j)",
                    {}};
}

//
// task
//

const auto setPriority = [](auto &context) { _val(context).priority = std::move(_attr(context)); };
const auto setAt = [](auto &context) { _val(context).at = takeTile(context); };
const auto addRelease = [](auto &context) { _val(context).releases.push_back(takeTile(context)); };

const auto task = x3::rule<struct TaskId, TaskAnnotation>("a clause") =
    *(clause("priority", expression[setPriority]) | clause("device", device) | clause("bound", bound) |
      clause("at", expression[setAt]) | clause("release", list(expression[addRelease])) |
      anyOtherClause("task", taskClauses));

const auto addRequirement = [](auto &context) { _val(context).requirements.push_back(std::move(_attr(context))); };

//
// kernel
//

const auto setFlops = [](auto &context) { _val(context).flops = std::move(_attr(context)); };

const auto addParameter = [](auto &context) {
  Alias &alias = _val(context);
  const Word &word = _attr(context);
  const auto isNamed = [&](const ParameterName &known) { return known.name == word.text; };
  if (std::ranges::any_of(alias.parameters, isNamed))
    throw errorAt(word, "'" + word.text + "' is given twice in 'alias'");
  alias.parameters.push_back({word.text, word.offset});
};
const auto parameterName = word("the name of a parameter");
const auto aliases = x3::rule<struct AliasId, Alias>("the name of a parameter") =
    parameterName[addParameter] > Punctuator(',', "between parameters that may be one tile") >
    list(parameterName[addParameter]);
const auto addAlias = [](auto &context) { _val(context).aliases.push_back(std::move(_attr(context))); };

const auto setParameter = [](auto &context) {
  onlyOnce(context, _attr(context), "writes");
  _val(context).parameter = {_attr(context).text, _attr(context).offset};
};
const auto setCondition = [](auto &context) { _val(context).condition = std::move(_attr(context)); };
const auto ifWord = x3::rule<struct IfId>("'if' and when it is only written, as in writes(C if beta == 0)") =
    x3::omit[keyword("if")];
const auto conditionalWrite = x3::rule<struct ConditionalWriteId, ConditionalWrite>("the name of a parameter") =
    parameterName[setParameter] > ifWord > expression[setCondition];
const auto addWrite = [](auto &context) { _val(context).writes.push_back(std::move(_attr(context))); };

const auto setAdder = [](auto &context) {
  onlyOnce(context, _attr(context), "sum");
  _val(context).parameter = {_attr(context).text, _attr(context).offset};
};
const auto setTriangle = [](auto &context) {
  _val(context).triangle = ParameterName{_attr(context).text, _attr(context).offset};
};
const auto setSumCondition = [](auto &context) { _val(context).condition = std::move(_attr(context)); };
const auto sum = x3::rule<struct SumId, Sum>("the name of a parameter") =
    parameterName[setAdder] >> -(x3::omit[keyword("in")] > parameterName[setTriangle]) >>
    -(x3::omit[keyword("if")] > expression[setSumCondition]);
const auto addSum = [](auto &context) { _val(context).sums.push_back(std::move(_attr(context))); };

/// The library name that was probably meant by a file name or a linker option: libz.so, libz.a, z.so, -lz. Empty:
/// nothing.
std::string libraryMeant(std::string_view name) {
  if (name.find('/') != name.npos)
    return {};
  const std::string_view whole = name;
  if (name.starts_with("-l"))
    name.remove_prefix(2);
  for (const std::string_view suffix : {".so", ".a"})
    if (const std::size_t at = name.find(suffix);
        at != name.npos && (at + suffix.size() == name.size() || name[at + suffix.size()] == '.')) {
      name = name.substr(0, at);
      if (name.starts_with("lib"))
        name.remove_prefix(3);
    }
  return name == whole ? std::string() : std::string(name);
}

const auto addLibrary = [](auto &context) {
  const Word &name = _attr(context);
  if (const std::string meant = libraryMeant(name.text); !meant.empty())
    throw SyntaxError{name.offset, static_cast<unsigned>(name.text.size()),
                      "a library is named without lib, suffix and -l, or by a path with a '/'", meant};
  if (name.text.starts_with('-'))
    throw errorAt(name, "'" + name.text + "' is an option of the linker, not the name of a library");
  _val(context).libraries.push_back({name.text, name.offset});
};
const auto library = x3::rule<struct LibraryId, Word>("the name of a library in quotes, as in link(\"lapacke\")") =
    x3::lexeme['"' >> x3::raw[+(x3::ascii::print - '"')][setWord] >> '"'];

const auto kernel = x3::rule<struct KernelId, KernelAnnotation>("a clause") =
    *(clause("flops", expression[setFlops]) | clause("bound", bound) | clause("info", onInfo) |
      repeatedClause("requires", list(expression[addRequirement])) | repeatedClause("alias", aliases[addAlias]) |
      repeatedClause("writes", list(conditionalWrite[addWrite])) | repeatedClause("sum", list(sum[addSum])) |
      repeatedClause("link", list(library[addLibrary])) | anyOtherClause("kernel", kernelClauses));

//
// split
//

const auto addOpaque = [](auto &context) { _val(context).opaque.push_back(std::move(_attr(context))); };

const auto split = x3::rule<struct SplitId, SplitAnnotation>("a clause") =
    *(clause("opaque", list(expression[addOpaque])) | anyOtherClause("split", splitClauses));

//
// algorithm
//

const auto setName = [](auto &context) {
  _val(context).name = _attr(context).text;
  _val(context).offset = _attr(context).offset;
};
const auto addArgument = [](auto &context) { _val(context).arguments.push_back(std::move(_attr(context))); };

/// name ['(' [expression {',' expression}] ')']
auto application(const char *what) {
  return x3::rule<struct ApplicationId, Application>(what) =
             anyWord[setName] >>
             -(Punctuator('(') >> -list(expression[addArgument]) > Punctuator(')', "to close the arguments"));
}

/// The name that starts an item of input(...), shape(...), default(...) or tune(...).
template <typename Item> Item itemNamed(const Word &word) {
  Item item;
  if constexpr (requires { item.matrix; })
    item.matrix = word.text;
  else
    item.name = word.text;
  item.offset = word.offset;
  return item;
}
template <typename Item> auto startItem(const char *where) {
  return [=](auto &context) {
    onlyOnce(context, _attr(context), where);
    _val(context) = itemNamed<Item>(_attr(context));
  };
}

const auto setGenerator = [](auto &context) { _val(context).generator = std::move(_attr(context)); };
const auto setRows = [](auto &context) { _val(context).rows = std::move(_attr(context)); };
const auto setCols = [](auto &context) { _val(context).cols = std::move(_attr(context)); };
const auto setTileRows = [](auto &context) { _val(context).tileRows = std::move(_attr(context)); };
const auto setTileCols = [](auto &context) { _val(context).tileCols = std::move(_attr(context)); };
const auto setValue = [](auto &context) { _val(context).value = std::move(_attr(context)); };

const auto input = x3::rule<struct InputId, Input>("the name of a matrix") =
    anyWord[startItem<Input>("input")] > Punctuator(':', "between a matrix and its generator") >
    application("the name of a generator")[setGenerator];

const auto shape = x3::rule<struct ShapeId, ShapeOf>("the name of a matrix") =
    anyWord[startItem<ShapeOf>("shape")] > Punctuator('(', "before the rows and columns") > expression[setRows] >
    Punctuator(',', "between rows and columns") > expression[setCols] >>
    -(Punctuator(',') > expression[setTileRows] >> -(Punctuator(',') > expression[setTileCols])) >
    Punctuator(')', "after the sizes");

const auto defaultValue = x3::rule<struct DefaultId, Default>("the name of a parameter") =
    anyWord[startItem<Default>("default")] > Punctuator(':', "between a name and its value") > expression[setValue];

const auto addCandidate = [](auto &context) { _val(context).candidates.push_back(std::move(_attr(context))); };
const auto tune = x3::rule<struct TuneId, Tune>("the name of a parameter") =
    anyWord[startItem<Tune>("tune")] >
    Punctuator(':', "between a name and its candidates") > expression[addCandidate] >>
    *(Punctuator('|') > expression[addCandidate]);

const auto addInput = [](auto &context) { _val(context).inputs.push_back(std::move(_attr(context))); };
const auto addShape = [](auto &context) { _val(context).shapes.push_back(std::move(_attr(context))); };
const auto addDefault = [](auto &context) { _val(context).defaults.push_back(std::move(_attr(context))); };
const auto addTune = [](auto &context) { _val(context).tunes.push_back(std::move(_attr(context))); };
const auto setCheck = [](auto &context) { _val(context).check = std::move(_attr(context)); };

const auto algorithm = x3::rule<struct AlgorithmId, AlgorithmAnnotation>("a clause") =
    *(clause("input", list(input[addInput])) | clause("check", application("the name of a check")[setCheck]) |
      clause("shape", list(shape[addShape])) | clause("default", list(defaultValue[addDefault])) |
      clause("tune", list(tune[addTune])) | repeatedClause("requires", list(expression[addRequirement])) |
      anyOtherClause("algorithm", algorithmClauses));

//
// annotation
//

const auto setAnnotation = [](auto &context) { _val(context) = std::move(_attr(context)); };
const auto unknownKind = [](auto &context) {
  throw unknownWord("annotation", _attr(context).text, _attr(context).offset, kinds);
};

const auto kind = x3::rule<struct KindId, Annotation>("algorithm, task, kernel or split after '#pragma tla'") =
    (keyword("algorithm") >> algorithm[setAnnotation]) | (keyword("task") >> task[setAnnotation]) |
    (keyword("kernel") >> kernel[setAnnotation]) | (keyword("split") >> split[setAnnotation]) | anyWord[unknownKind];

const auto end = x3::rule<struct EndId>("a clause or the end of the line") = x3::eoi;

const auto annotation = x3::rule<struct AnnotationId, Annotation>("an annotation") =
    x3::eps > kind[setAnnotation] > end;

/// Bounds the recursion of parser and printer by refusing texts that are too long or too deep.
std::optional<SyntaxError> findExcess(std::string_view text) {
  constexpr unsigned maxLength = 8192, maxDepth = 100;
  if (text.size() > maxLength)
    return SyntaxError{maxLength, 0, "the annotation is longer than " + std::to_string(maxLength) + " characters", {}};
  unsigned parentheses = 0, signs = 0, branches = 0;
  for (std::size_t index = 0; index < text.size(); ++index) {
    const char c = text[index];
    parentheses += c == '(';
    parentheses -= c == ')' && parentheses > 0;
    branches += c == '?';
    signs = c == '-' || c == '!' ? signs + 1 : c == ' ' ? signs : 0;
    if (std::max({parentheses, signs, branches}) > maxDepth)
      return SyntaxError{static_cast<unsigned>(index), 1, "the expression is nested too deep", {}};
  }
  return std::nullopt;
}
} // namespace

std::variant<Annotation, SyntaxError> parseAnnotation(std::string_view text) {
  if (std::optional<SyntaxError> excess = findExcess(text))
    return std::move(*excess);
  const Iterator begin = text.data(), last = begin + text.size();
  Iterator first = begin;
  Annotation result;
  Seen seen;
  try {
    x3::phrase_parse(first, last, x3::with<BeginTag>(begin)[x3::with<SeenTag>(seen)[annotation]], skipper, result);
    return result;
  } catch (const x3::expectation_failure<Iterator> &failure) {
    Iterator where = failure.where();
    x3::parse(where, last, *skipper);
    return SyntaxError{static_cast<unsigned>(where - begin), 0, "expected " + failure.which(), {}};
  } catch (SyntaxError &error) {
    return std::move(error);
  }
}

} // namespace hetc::annotations
