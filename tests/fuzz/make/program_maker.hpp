// Makes random programs. Each is right by construction, for all sizes: indices stay inside, workspaces are written
// first, loops end. So hetc must accept it, but where tiles of standard kernels do not fit together, as they do in
// most, or where a workspace is not written on purpose.
#pragma once

#include "tests/fuzz/program.hpp"
#include "tests/fuzz/random.hpp"

#include <functional>
#include <optional>

namespace fuzz {

class ProgramMaker {
public:
  /// `misfits`: percentage of programs with a call whose arguments may not fit together.
  /// `unwritten`: of those in which a write of a workspace is left out, or writes only a part of its tiles.
  explicit ProgramMaker(std::uint64_t seed, int misfits = 20, int unwritten = 0)
      : random_(seed), apart_(seed ^ 0xd00d), misfits_(misfits), leavesOut_(apart_.chance(unwritten)) {}

  Program make(const std::string &name);

private:
  /// An expression whose value is the number of a tile row or column of this size.
  struct Index {
    Expression expression;
    char size;
  };
  /// The names in scope, so that leaving a block is forgetting the later ones.
  struct Scope {
    std::size_t indices, integers, reals, flags;
  };
  Scope scope() const { return {indices_.size(), integers_.size(), reals_.size(), flags_.size()}; }
  void leave(const Scope &scope);
  std::string fresh(const char *stem) { return stem + std::to_string(next_++); }

  // make/program.cpp: matrices, blocks, loops.
  void declareMatrices();
  void declareWorkspaces();
  void declareCounter();
  std::vector<Expression> workspaceSizes(char rows, char cols, bool &whole);
  void fillWorkspaces();
  void addBlock(Block &block, int depth);
  void addStatement(Block &block, int depth);
  void guardTasks(Block &block);
  void addLoop(Block &block, int depth);
  void addWildLoop(Block &block, int depth);
  void addIf(Block &block, int depth);
  void addGuard(Block &block, int depth);
  void addLocals(Block &block, const std::string &variable);
  void addPart(const Matrix &target, Argument &matrix, Statement &call);
  void addSwaps(Block &block);
  void addUntil(Block &block);
  void addAdvance(Block &block);
  std::optional<Statement> swapOfTwo();
  /// A loop over the tiles of that size, or some of them; `fill` gets its body, and may use the variable.
  Statement loopOver(char size, const std::function<void(Block &)> &fill);
  /// for (int v = first; v < bound; ++v), where 0 <= first and bound is at most the number of tiles of that size.
  Statement loopBetween(char size, Expression first, Expression bound,
                        const std::function<void(Block &, const Expression &)> &fill);

  // make/expressions.cpp
  Expression tiles(char size);
  Expression lowBound(char size, int depth);
  Expression highBound(char size, int depth);
  Expression period();
  Expression wild(int depth);
  Expression condition(int depth);
  Expression comparison();
  Expression index(char size);
  Expression wildIndex(char size);
  Expression perhapsZero();
  Expression perhapsOne();
  Expression anyTriangle();
  Expression alpha(const std::string &element = "T");
  bool hasIndex(char size) const;
  std::vector<Expression> indicesOf(char size) const;
  Expression extentOf(const Matrix &matrix, bool rows) const;

  // make/calls.cpp
  void declareCallees();
  void addCall(Block &block);

  // make/unwritten.cpp
  void leaveOutWrites();
  void spoil(Statement &task, const Matrix &matrix);
  void readAll(const Matrix &matrix);
  void declareOwner();
  void callOwner();

  // make/recursion.cpp
  void declareRecursion();
  void addRecursion(Block &block, const Matrix &target);
  Expression cut(bool rows);
  Statement callOfPart(const std::string &callee, bool rows, bool cols, int part);
  Statement taskBetween();

  // make/tasks.cpp: kernels of the fuzz's own.
  void addTask(Block &block);
  std::optional<Statement> taskCall();
  static bool mayAlias(const Statement &task);
  std::optional<Argument> tile(Access access, bool mayHalf = false);
  Argument tileOf(const Matrix &matrix, Access access, bool mayHalf);
  void addView(Argument &tile, const Matrix &matrix);
  std::optional<Argument> panel(Access access);
  std::optional<Argument> ofElement(const std::string &element, Access access);
  void addClauses(Statement &task);
  std::vector<const Matrix *> indexable(bool generalOnly, const std::string &element = "T",
                                        Access access = Access::Update) const;
  void addTree(Block &block);
  void addScratch(Block &block);
  void addStamp(Block &block);
  void addCensus(Block &block);
  void addSum(Block &block);

  // make/standard.cpp: standard kernels, which have split rules.
  void addStandard(Block &block);
  void addProduct(Block &block);
  void addRankUpdate(Block &block);
  void addSolve(Block &block);
  void addElementwise(Block &block);
  void addTriangular(Block &block);
  void addMisfit(Block &block);
  void addReflectors(Block &block);
  void addFactorization(Block &block);
  void addCholesky(Block &block, const Matrix &L);
  void addLu(Block &block, const Matrix &X);
  void addQr(Block &block);
  void addOwnFactorization(Block &block, const Matrix &X);
  Expression trailingBound(char size, const Expression &from);
  /// Matrices of T, or of float, in whole tiles with rows and columns of these sizes; '*': any.
  std::vector<const Matrix *> shaped(char rows, char cols, bool general, const std::string &element = "T") const;
  const Matrix *square(bool triangular, const std::string &element = "T");

  Random random_, apart_; ///< the second for what must not change all else of a program
  int misfits_;
  bool leavesOut_; ///< a write of a workspace
  Program program_;
  std::vector<Index> indices_;
  std::vector<std::string> integers_;     ///< names of ints
  std::vector<Expression> reals_, flags_; ///< expressions over local constants
  int next_ = 0, budget_ = 0;
  bool affine_ = true;      ///< within what the compiler can analyze
  int wildness_ = 2;        ///< how deep expressions are
  bool periods_ = false;    ///< asks how tiles repeat over nodes
  bool transposes_ = false; ///< some arguments are conjugate transposes
  bool parts_ = false;      ///< some matrices that algorithms are called with are parts of others
  bool recursive_ = false;  ///< the last of the algorithms that others call calls itself
  bool sparse_ = false;     ///< asks which tiles matrices have
  bool sums_ = false;       ///< mostly sums of updates, which the compiler can analyze
  bool aliases_ = false;    ///< a task may write a tile that it has as another argument, too
};

// Parts of statements.
Argument valueArgument(Expression value);
Argument tileArgument(const Matrix &matrix, Expression row, Expression column, Access access,
                      const std::string &half = "");
Statement makeTask(const std::string &kernel, std::vector<Argument> arguments);
Argument option(const char *name);
Argument scaled(const std::string &element, const char *number);

} // namespace fuzz
