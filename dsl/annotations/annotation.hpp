// What a '#pragma tla ...' line says, as a value. Parsing knows no C++ and no scopes: names stay names, and
// the front end resolves them. Every part carries its offset in the parsed text, so that the front end can put
// a caret inside the pragma.
//
//   annotation  = 'algorithm' {algorithm clause} | 'task' {task clause} | 'kernel' {kernel clause} | 'split' {split
//                clause}
//   algorithm   : input(A : spd, B : random)   how the stand-alone program makes the parameters
//                 check(llt(A))                how it judges the result
//                                              an argument may call an algorithm: check(qr(A, apply_q(ib, A, W)))
//                 shape(A(n, n), B(n, k))      sizes in elements, over the symbols m, n, k; for a Workspace parameter
//                 the
//                                              four arguments of its constructor: W(A.mt(), A.nt(), ib, A.nb())
//                 default(k : 1, alpha : 1)    values of sizes and scalar parameters not given on the command line
//                 tune(ib : 32 | 64, h : 4)    int parameters that only change the speed: what the search tries
//                 requires(k <= n, ib >= 1)    what must hold of the sizes and scalar parameters; may be repeated
//   task        : priority(expr)  device(host|gpu|any)  bound(compute|memory)  at(A(i, j))  release(A(i, j), ...)
//   kernel      : flops(expr)  bound(compute|memory)  info(stop|continue)
//                 requires(A.n() == B.m())     what must hold of sizes of tiles and of scalars; may be repeated
//                 alias(A, C)                  parameters that may be one tile, written or not; may be repeated
//                 writes(C if beta == 0)       where that holds of scalars the kernel does not read C; may be repeated
//                 sum(C if beta == 1)          where that holds of scalars the kernel adds to C what does not depend on
//                                              C; with 'in uplo' to one triangle; may be repeated
//                 link("lapacke")              libraries that its body calls: as behind the linker's -l, or a path
//                                              with a '/', from where the pragma stands; may be repeated
//   split       : opaque(W, ...)               tiles that only such rules can read, see compiler/split/README.md
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hetc::annotations {

/// An expression in C++ syntax over integers, reals and names, with C++'s precedence and associativity.
struct Expr {
  enum class Kind {
    Number, // text: the literal as written ("2", "0.5", "1e-3")
    Name,   // text: an identifier
    Call,   // text: the callee; operands: the arguments -- A(i, j), min(a, b)
    Member, // text: the member function; operands[0]: the object, then the arguments -- A.nt(), A(i, j).lower()
    Unary,  // text: "-" or "!"; operands[0]
    Binary, // text: one of * / % + - < <= > >= == != && ||; operands[0], operands[1]
    Select, // operands: condition, then, else
  };
  Kind kind = Kind::Number;
  std::string text;
  std::vector<Expr> operands;
  unsigned offset = 0; ///< position of the expression's first character in the annotation's text
};

/// Canonical text: one space around binary operators and '?:', none inside parentheses, parentheses only where
/// precedence needs them. print(parse(print(e))) == print(e).
std::string print(const Expr &expr);

enum class Device { Any, Host, Gpu };
enum class Bound { Compute, Memory };
enum class OnInfo { Stop, Continue };

struct TaskAnnotation {
  std::optional<Expr> priority;
  std::optional<Device> device;
  std::optional<Bound> bound;
  std::optional<Expr> at;     ///< a tile: Call, or Member lower/upper/panel on one
  std::vector<Expr> releases; ///< tiles
};

/// name(args): a generator after ':', or a check.
struct Application {
  std::string name;
  std::vector<Expr> arguments;
  unsigned offset = 0;
};
struct Input {
  std::string matrix;
  unsigned offset = 0;
  Application generator; ///< spd, random, matern(0.1), ...
};
struct ShapeOf {
  std::string matrix;
  unsigned offset = 0;
  Expr rows, cols;
  /// The elements per tile; only for a Workspace, whose rows and cols count tiles.
  std::optional<Expr> tileRows, tileCols;
};
struct Default {
  std::string name;
  unsigned offset = 0;
  Expr value;
};
struct Tune {
  std::string name;
  unsigned offset = 0;
  std::vector<Expr> candidates;
};
struct AlgorithmAnnotation {
  std::vector<Input> inputs;
  std::optional<Application> check;
  std::vector<ShapeOf> shapes;
  std::vector<Default> defaults;
  std::vector<Tune> tunes;
  std::vector<Expr> requirements;
};

/// The name of a kernel's parameter.
struct ParameterName {
  std::string name;
  unsigned offset = 0;
};
/// alias(A, C): any of these may be the same tile.
struct Alias {
  std::vector<ParameterName> parameters;
};
/// writes(C if beta == 0)
struct ConditionalWrite {
  ParameterName parameter;
  Expr condition;
};
/// sum(C in uplo if beta == 1), or sum(C): always, and to all of C.
struct Sum {
  ParameterName parameter;
  std::optional<ParameterName> triangle;
  std::optional<Expr> condition;
};
/// link("lapacke")
struct LinkedLibrary {
  std::string name;
  unsigned offset = 0; ///< position of the name's first character in the annotation's text
};
struct KernelAnnotation {
  std::optional<Expr> flops;
  std::optional<Bound> bound;
  std::optional<OnInfo> onInfo; ///< info(stop|continue): what a result > 0 does to the run
  std::vector<Expr> requirements;
  std::vector<Alias> aliases;
  std::vector<ConditionalWrite> writes;
  std::vector<Sum> sums;
  std::vector<LinkedLibrary> libraries;
};

/// A split rule (tla/split.hpp).
struct SplitAnnotation {
  std::vector<Expr> opaque; ///< parameters
};

using Annotation = std::variant<AlgorithmAnnotation, TaskAnnotation, KernelAnnotation, SplitAnnotation>;

/// Why the text is not an annotation: lower case, no full stop. `length` characters from `offset` are at fault
/// (0: a point). `replacement` is what to write there instead, when the nearest valid word is clear.
struct SyntaxError {
  unsigned offset = 0;
  unsigned length = 0;
  std::string message;
  std::optional<std::string> replacement;
};

/// Parses the text after '#pragma tla', e.g. " task priority(-k)". Unknown annotation kinds, clauses and values are
/// reported with the nearest known name ("unknown clause 'priorty'; did you mean 'priority'?"), a clause given twice
/// as such ("clause 'priority' is given twice"), anything else as what was expected ("expected ')' to close
/// 'priority('").
std::variant<Annotation, SyntaxError> parseAnnotation(std::string_view text);

} // namespace hetc::annotations
