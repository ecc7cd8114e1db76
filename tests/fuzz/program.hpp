// Random programs as trees of statements, from which their text is printed.
#pragma once

#include "tests/fuzz/expression.hpp"

#include <string>
#include <vector>

namespace fuzz {

enum class MatrixKind { General, Lower, Upper, Workspace };

/// A matrix or workspace of the program.
struct Matrix {
  std::string name;
  MatrixKind kind = MatrixKind::General;
  std::string element = "T"; ///< T, float or int
  /// The size whose tiles its rows and columns are, 'm', 'n' or 'k', as if it were cut into tiles of nb; '1': a single
  /// one.
  char rows = 'm', cols = 'n';
  std::vector<Expression> sizes; ///< 2 sizes of a shape clause; 3 or 4 of a workspace, as it is constructed
  bool own = false;              ///< a workspace that the algorithm declares
  bool regions = false;          ///< may be named by halves
  bool whole = true;             ///< whether tiles have the sizes of a matrix' tiles: rows of `rows`, columns of `cols`
  /// Whether a workspace of the algorithm's own is written as a whole before all else, so that every task may read it.
  bool filled = false;
  std::string owner{};  ///< the algorithm that declares a workspace, of those that others call; "": the program
  bool counter = false; ///< one tile, whose first element nothing but the kernels `advance` and `advanceAfter` changes
};

enum class Access { Read, Update, Overwrite };

/// An argument of a kernel or an algorithm.
struct Argument {
  enum class Kind { Value, Tile, Panel, Matrix } kind = Kind::Value;
  Expression value{}; ///< Value
  std::string matrix{};
  Expression row{}, rowEnd{}, column{}; ///< Tile: row and column; Panel: rows row .. rowEnd - 1
  Expression rowStep{number(1)};        ///< Panel: of which every so many-th
  Access access = Access::Read;
  bool transposed = false; ///< Tile, Matrix: conjTrans of it
  /// Matrix: none, or A.tiles(...) with these, before it is transposed.
  std::vector<Expression> tiles{};
  std::string half{}; ///< "", "lower", "upper"
  std::string view{}; ///< "", "rows", "cols"
  Expression viewFirst{}, viewCount{};

  bool isTile() const { return kind == Kind::Tile; }
};

struct Statement {
  /// Until: if (tla::value(K) > 3) break; where K is a counter.
  enum class Kind { Loop, If, Task, Call, Local, Swap, Until } kind = Kind::Task;

  std::string variable{}; ///< Loop, Local
  std::string type{};     ///< Local
  Expression first{};     ///< Loop: the first value; Local: the value; Until: what the counter is compared with
  Expression condition{}; ///< Loop, If
  std::string stepSign{}; ///< Loop: "+=", "-=", "*="; Until: the comparison, as ">"
  Expression step{};
  std::vector<Statement> body{}, otherwise{}; ///< Loop, If

  std::string callee{};               ///< Task, Call
  std::vector<Argument> arguments{};  ///< arguments; those of a Swap are two matrices, that of an Until is the counter
  std::vector<Expression> priority{}; ///< the priority, or nothing
  std::string device{};               ///< "", "host", "gpu", "any"
  int at = -1, release = -1;          ///< arguments of these clauses
};
using Block = std::vector<Statement>;

/// An algorithm that others call.
struct Callee {
  std::string name;
  struct Parameter {
    std::string type, name; ///< "tla::Matrix<T>" for a matrix
  };
  std::vector<Parameter> parameters;
  Block body;
};

/// `int shift`, `int ib` and `T factor` are parameters of every program.
struct Program {
  std::string name;
  std::vector<Matrix> matrices;
  std::vector<Callee> callees; ///< each calls only those before it, or itself
  Block body;

  const Matrix *find(const std::string &matrix) const;
};

/// Whether it asks for p() or q() of some matrix.
bool asksPeriod(const Program &program);
/// Whether it asks which tiles some matrix has.
bool asksTiles(const Program &program);
/// Whether an element ends one of its loops.
bool endsByElement(const Program &program);
/// Whether it calls kernels of the fuzz's own that add to a tile: what copies of the nodes may share.
bool addsUp(const Program &program);

/// Whether one of its algorithms calls itself.
bool callsItself(const Program &program);
/// Whether it computes integers by way of numbers that no int holds.
bool isWide(const Program &program);
/// The program without these ways.
Program plain(Program program);

/// The .tla.
std::string print(const Program &program);
/// The clause's or call's text: "A(i, j).lower()".
std::string print(const Argument &argument);

/// Calls visit for every statement, outer ones first.
template <typename Statements, typename Visit> void forEachStatement(Statements &block, const Visit &visit) {
  for (auto &statement : block) {
    visit(statement);
    forEachStatement(statement.body, visit);
    forEachStatement(statement.otherwise, visit);
  }
}

/// Calls visit for every expression of a statement, not for those inside it.
template <typename S, typename Visit> void forEachExpression(S &statement, const Visit &visit) {
  using Kind = Statement::Kind;
  if (statement.kind == Kind::Loop || statement.kind == Kind::Local || statement.kind == Kind::Until)
    visit(statement.first);
  if (statement.kind == Kind::Loop || statement.kind == Kind::If)
    visit(statement.condition);
  if (statement.kind == Kind::Loop)
    visit(statement.step);
  for (auto &priority : statement.priority)
    visit(priority);
  for (auto &argument : statement.arguments) {
    if (argument.kind == Argument::Kind::Value)
      visit(argument.value);
    if (argument.kind == Argument::Kind::Tile || argument.kind == Argument::Kind::Panel) {
      visit(argument.row);
      visit(argument.column);
    }
    for (auto &bound : argument.tiles)
      visit(bound);
    if (argument.kind == Argument::Kind::Panel) {
      visit(argument.rowEnd);
      visit(argument.rowStep);
    }
    if (!argument.view.empty()) {
      visit(argument.viewFirst);
      visit(argument.viewCount);
    }
  }
}

} // namespace fuzz
