// AST to IR. One Converter converts one algorithm; calls to other algorithms are converted in place (inlined), each
// with a scope of its own. Private to the front end.
//
//   convert_signature.cpp  parameters and the clauses of '#pragma tla algorithm'
//   convert_check.cpp      of these, input and check
//   convert_statement.cpp  loops, conditions, declarations, inlining
//   convert_task.cpp       kernel calls and the clauses of '#pragma tla task'
//   convert_kernel.cpp     kernels and the clauses of '#pragma tla kernel'
//   convert_expr.cpp       expressions, in C++ and inside pragmas
//   convert_matrices.cpp   what names of matrices stand for: copies, choices, triangles, swaps
//   convert_tiles.cpp      some of the tiles of a matrix as a matrix: A.tiles(...)
//   convert_functions.cpp  algorithms that call themselves
//   convert_rule.cpp       split rules
#pragma once

#include "compiler/frontend/ast_queries.hpp"
#include "compiler/frontend/binding.hpp"
#include "compiler/frontend/pragmas.hpp"
#include "compiler/frontend/types.hpp"
#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Diagnostic.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace clang {
class CXXOperatorCallExpr;
class CXXMemberCallExpr;
class CallExpr;
class ConditionalOperator;
} // namespace clang

namespace hetc::frontend {

/// The declarations that pragmas make: kernels and algorithms by canonical function, tasks by the call's first token.
struct Declarations {
  std::map<const clang::NamedDecl *, PragmaRecord *> kernels;
  std::map<const clang::NamedDecl *, PragmaRecord *> algorithms;
  std::map<const clang::NamedDecl *, PragmaRecord *> rules;
  std::map<clang::SourceLocation, PragmaRecord *> tasks;
  /// The element types for which the programs' tasks instantiate kernels, by qualified name; a null type for kernels
  /// that are no templates.
  std::map<std::string, std::map<ir::ElementType, clang::QualType>> calls;
};

class Converter {
public:
  /// An algorithm for the program's element type; null after an error was reported.
  using Instantiate = std::function<clang::FunctionDecl *(clang::FunctionDecl &)>;
  /// A function, or a template of one over an element type, for that type; null after an error was reported.
  using InstantiateFunction = std::function<clang::FunctionDecl *(clang::FunctionDecl &, clang::QualType)>;

  Converter(clang::ASTContext &context, clang::DiagnosticsEngine &diagnostics, Declarations &declarations,
            Instantiate instantiate, InstantiateFunction instantiateFunction)
      : context_(context), diagnostics_(diagnostics), declarations_(declarations), instantiate_(std::move(instantiate)),
        instantiateFunction_(std::move(instantiateFunction)) {}

  /// The whole program; std::nullopt after an error was reported.
  std::optional<ir::Program> convert(const clang::FunctionDecl &algorithm, const PragmaRecord &pragma,
                                     ir::ElementType type, const std::string &source);

  /// The split rule of a kernel, both instantiated for `type`: a program under the kernel's name whose parameters are
  /// the kernel's. Its matrices are tiles and panels, those of CutTile and CutPanel sliced; A(0, d) is slice d,
  /// A.slices(0, 0, 1) all slices of A, A.ns() their number, A.m() its rows, the variables `A.isWhole()` and
  /// `A.isOverwritten()` what they say.
  std::optional<ir::Program> convertRule(const clang::FunctionDecl &rule, const PragmaRecord &pragma,
                                         const clang::FunctionDecl &kernel, ir::ElementType type);

  /// A kernel, instantiated for some type; std::nullopt after an error was reported.
  std::optional<ir::Kernel> convertKernel(const clang::FunctionDecl &kernel, const PragmaRecord &pragma);

  /// The remarks on code that is not wrong and could be better.
  const std::vector<ir::Diagnostic> &remarks() const { return remarks_; }

private:
  using Choice = frontend::Choice;
  using Window = frontend::Window;
  using PartSize = frontend::PartSize;
  using ScratchSize = frontend::ScratchSize;
  using Binding = frontend::Binding;
  using NamedMatrix = frontend::NamedMatrix;
  using Names = frontend::Names;
  /// The effect of the swaps in the body of a loop on names in one iteration: each means afterwards what `now` of it
  /// meant.
  struct Rotation {
    std::map<const clang::VarDecl *, const clang::VarDecl *> now;
    std::map<const clang::VarDecl *, Binding> before; ///< meanings before the loop
    unsigned order = 1;                               ///< number of iterations that leave all as it was
  };

  // convert_signature.cpp
  void convertParameters(const clang::FunctionDecl &algorithm);
  std::string parameterName(const clang::ParmVarDecl &parameter);
  void addMatrixParameter(const clang::ParmVarDecl &parameter, const MatrixType &type);
  bool requireShapes(const clang::FunctionDecl &algorithm);
  void addScalarParameter(const clang::ParmVarDecl &parameter);
  void applyClauses(const annotations::AlgorithmAnnotation &annotation, const PragmaRecord &pragma);
  void applyShape(const annotations::ShapeOf &shape, ir::Matrix &matrix, const PragmaRecord &pragma);
  void applyWorkspaceShape(const annotations::ShapeOf &shape, ir::Matrix &workspace, const PragmaRecord &pragma);
  ir::ExprRef resolveSize(const annotations::Expr &expr, const PragmaRecord &pragma);
  void applyDefault(const annotations::Default &value, const PragmaRecord &pragma);
  void applyTune(const annotations::Tune &tune, const PragmaRecord &pragma);
  void applyRequirement(const annotations::Expr &requirement, const PragmaRecord &pragma);
  void requireOfCall(const clang::CallExpr &call, const clang::FunctionDecl &callee);
  void bindSizes(const clang::FunctionDecl &callee, const annotations::AlgorithmAnnotation &annotation);
  void addRequirement(clang::SourceLocation location, const std::string &callee, const std::string &text,
                      const ir::ExprRef &condition);
  void collectSizes();
  ir::ExprRef defaultArgument(const clang::ParmVarDecl &parameter);
  bool requireConstant(const ir::ExprRef &expr, clang::SourceLocation location);
  ir::Matrix *parameterMatrix(const std::string &name, clang::SourceLocation location);
  ir::Scalar *parameterScalar(const std::string &name);

  // convert_check.cpp
  void applyInput(const annotations::Input &input, const PragmaRecord &pragma);
  void requireGenerator(ir::Matrix &matrix, const annotations::Application &generator, const PragmaRecord &pragma);
  clang::FunctionDecl *findFunction(const std::string &name);
  void requireGeneratorFunction(clang::FunctionDecl &function, const ir::Matrix &matrix,
                                const annotations::Application &generator, const PragmaRecord &pragma);
  void applyCheck(const annotations::Application &check, const PragmaRecord &pragma);
  std::optional<ir::CheckArgument> convertCheckArgument(const annotations::Expr &argument, char letter,
                                                        const PragmaRecord &pragma);
  bool isParameter(const std::string &name) const;
  const clang::ParmVarDecl &parameterNamed(const std::string &name) const;
  bool fitsLetter(const std::string &name, char letter);
  std::optional<ir::CheckArgument> convertCheckCall(const annotations::Expr &call, char letter,
                                                    const PragmaRecord &pragma);
  bool isCheckedBy(const clang::FunctionDecl &callee, char letter, std::size_t named);
  std::optional<ir::CheckArgument> convertCallArgument(const annotations::Expr &argument,
                                                       const clang::ParmVarDecl &parameter, char letter,
                                                       const PragmaRecord &pragma);
  bool takesParameter(const clang::ParmVarDecl &parameter, const std::string &name);
  void reportCheckCall(const annotations::Expr &call, const clang::FunctionDecl &callee, char letter,
                       const PragmaRecord &pragma);
  bool requireShapesOfCall(const annotations::Expr &call, const clang::FunctionDecl &callee,
                           const std::vector<ir::CheckArgument> &arguments, const PragmaRecord &pragma);
  clang::FunctionDecl *findAlgorithm(const std::string &name, clang::SourceLocation location);

  // convert_statement.cpp
  void convertStatement(const clang::Stmt &statement, ir::Block &block);
  void convertKnown(const clang::Stmt &statement, ir::Block &block);
  void convertCompound(const clang::Stmt &statement, ir::Block &block);
  void convertLoop(const clang::Stmt &statement, ir::Block &block);
  void convertIf(const clang::Stmt &statement, ir::Block &block);
  void convertBreak(const clang::IfStmt &branch, std::size_t position);
  void convertDeclaration(const clang::Stmt &statement);
  void convertVariable(const clang::VarDecl &variable);
  void convertWorkspace(const clang::VarDecl &variable, const MatrixType &type);
  void convertCall(const clang::CallExpr &call, ir::Block &block);
  void inlineAlgorithm(const clang::CallExpr &call, const clang::FunctionDecl &callee, ir::Block &block);
  void convertGuarded(const ir::ExprRef &guard, const clang::Stmt &statement, ir::Block &block);
  bool isLocalType(clang::QualType type);
  std::optional<Binding> convertArgumentOfCall(const clang::ParmVarDecl &parameter, const clang::Expr &argument);
  void bindParameter(const clang::ParmVarDecl &parameter, Binding binding, Names &names);

  // convert_functions.cpp
  bool isRecursive(const clang::FunctionDecl &algorithm);
  const clang::FunctionDecl *definitionOf(const clang::CallExpr &call) const;
  void addCalls(const clang::Stmt *statement, std::vector<const clang::CallExpr *> &calls) const;
  const std::set<const clang::FunctionDecl *> &reachedFrom(const clang::FunctionDecl &algorithm);
  bool isPassedOn(const clang::ParmVarDecl &parameter);
  void convertEntry(const clang::FunctionDecl &algorithm);
  void callFunction(const clang::FunctionDecl &algorithm, const std::vector<Binding> &arguments,
                    clang::SourceLocation location, ir::Block &block);
  bool addArgument(const clang::ParmVarDecl &parameter, const Binding &argument, clang::SourceLocation location,
                   std::string &key, ir::Call &call);
  void addFunction(const clang::FunctionDecl &algorithm, const std::vector<Binding> &arguments, std::string name,
                   clang::SourceLocation location);
  Binding bindPart(const std::string &name, const Binding &argument, ir::Function &function);
  void convertFunction(std::size_t number);
  void requireOfFunction(const clang::FunctionDecl &algorithm, ir::Function &function);

  ir::ExprRef loopNext(const clang::Expr &increment, const clang::VarDecl &variable, const std::string &name);
  ir::ExprRef assignedNext(const clang::Expr &increment, const clang::VarDecl &variable, const std::string &name);

  // convert_matrices.cpp
  std::optional<Binding> matrixOf(const clang::Expr &expr);
  std::optional<Binding> chosenMatrix(const clang::ConditionalOperator &select);
  static Binding choose(const ir::ExprRef &condition, const Binding &then, const Binding &otherwise);
  NamedMatrix decide(const Binding &binding);
  std::optional<NamedMatrix> namedMatrix(const clang::Expr &expr);
  ir::ExprRef extentOf(const Binding &binding, ir::Extent extent);
  ir::ExprRef storedExtentOf(const Binding &binding, ir::Extent extent);
  /// Whether there is a tile (row, column).
  ir::ExprRef hasOf(const Binding &binding, const ir::ExprRef &row, const ir::ExprRef &column);
  ir::ExprRef chosenSize(const Choice &choice, ir::Extent extent);
  ir::ExprRef sizeSymbols(const ir::ExprRef &size) const;
  bool isSameSize(const ir::ExprRef &size, const ir::ExprRef &other) const;
  void requireSquare(const Binding &binding, clang::SourceLocation location);
  void convertMatrixVariable(const clang::VarDecl &variable, const MatrixType &type);
  void convertSwap(const clang::CallExpr &call);
  std::vector<const clang::CallExpr *> swapsIn(const clang::Stmt &body) const;
  Rotation rotationOf(const std::vector<const clang::CallExpr *> &swaps) const;
  std::optional<Rotation> enterRotation(const std::vector<const clang::CallExpr *> &swaps, const ir::Loop &loop);
  void leaveEarly(const Rotation &rotation, const std::vector<const clang::CallExpr *> &swaps);
  void leaveRotation(const Rotation &rotation, const ir::Loop &loop, clang::SourceLocation location);
  void bindRotated(const Rotation &rotation, const ir::ExprRef &turns);

  // convert_tiles.cpp
  static const clang::CXXMemberCallExpr *asTiles(const clang::Expr &expr);
  std::optional<Binding> tilesOf(const clang::CXXMemberCallExpr &call);
  static Binding partOf(const Binding &matrix, ir::TileRange range);
  ir::ExprRef extentOfPart(const std::string &matrix, const ir::TileRange &range, ir::Extent extent);
  static ir::ExprRef isInWindow(const Window &window, const ir::ExprRef &row, const ir::ExprRef &column);
  static void moveInto(const NamedMatrix &matrix, ir::TileAccess &access);
  std::optional<Binding> makeScratch(ir::Matrix &workspace);
  std::optional<ScratchSize> scratchSize(const ir::ExprRef &size, const ir::ExprRef &tile, bool isCut) const;
  ir::ExprRef sizeOfWhole(const ir::ExprRef &size) const;
  bool isKnownBeforeLoops(const ir::ExprRef &size) const;

  // convert_task.cpp
  void convertTask(const clang::CallExpr &call, const clang::FunctionDecl &callee, ir::Block &block);
  void convertKernelCall(const clang::CallExpr &call, const clang::FunctionDecl &callee, ir::Block &block);
  std::optional<ir::TileAccess> convertTile(const clang::Expr &expr, ir::Access access);
  std::optional<ir::TileAccess> convertTileCall(const clang::CXXOperatorCallExpr &call, ir::Access access);
  std::optional<ir::TileAccess> convertTileMember(const clang::CXXMemberCallExpr &call, ir::Access access);
  std::optional<ir::TileAccess> convertView(const clang::CXXMemberCallExpr &call, ir::Strip ir::TileAccess::*member,
                                            ir::Access access);
  std::optional<ir::TileAccess> convertTransposed(const clang::CallExpr &call, ir::Access access);
  std::optional<ir::TileAccess> makeAccess(const clang::Expr &place, const NamedMatrix &matrix, ir::Access kind,
                                           const clang::Expr &row, const clang::Expr &column);
  std::optional<ir::TileAccess> makePanel(const clang::CXXMemberCallExpr &call, const NamedMatrix &matrix,
                                          ir::Access kind);
  void reportNoTile(const clang::Expr &expr);
  void reportViewOfPart(const clang::Expr &expr);
  void applyTaskClauses(ir::Task &task, const annotations::TaskAnnotation &annotation, const PragmaRecord &pragma);
  bool requireSameKernel(const clang::CallExpr &call, const clang::FunctionDecl &callee, const std::string &name);
  bool requirePlainTemplateArguments(const clang::CallExpr &call, const clang::FunctionDecl &callee);
  void reportMissingTaskPragma(const clang::CallExpr &call, const clang::FunctionDecl &callee);
  std::optional<std::size_t> firstWritten(const ir::Task &task) const;

  // convert_kernel.cpp
  const ir::Kernel *declareKernel(const clang::FunctionDecl &callee, const PragmaRecord &pragma);
  bool requireScalar(const std::string &kernel, const clang::ParmVarDecl &parameter);
  bool requireFit(const ir::Expr &value, const ir::Kernel &kernel, const ir::KernelParameter &parameter,
                  clang::SourceLocation location);
  void judgeOutputs(const clang::FunctionDecl &callee, const ir::Kernel &kernel);
  bool requireKnownFlops(const annotations::Expr &expr, const ir::Kernel &kernel, const PragmaRecord &pragma);
  bool addFlops(const annotations::Expr &expr, ir::Kernel &kernel, const PragmaRecord &pragma);
  bool addConditions(const clang::FunctionDecl &callee, ir::Kernel &kernel,
                     const annotations::KernelAnnotation &annotation, const PragmaRecord &pragma);
  bool requireCondition(const ir::ExprRef &expr, clang::SourceLocation location);
  bool requireOrder(const ir::Expr &expr, clang::SourceLocation location);
  static std::vector<ir::ExprRef> conjunction(const ir::ExprRef &condition);
  ir::KernelParameter *updatedTile(ir::Kernel &kernel, const annotations::ParameterName &name, const std::string &says,
                                   const PragmaRecord &pragma);
  ir::ExprRef scalarCondition(const annotations::Expr &expr, const ir::Kernel &kernel, const std::string &clause,
                              const std::string &example, const PragmaRecord &pragma);
  bool addSum(const clang::FunctionDecl &callee, ir::Kernel &kernel, const annotations::Sum &sum,
              const PragmaRecord &pragma);
  bool addConditionalWrite(ir::Kernel &kernel, const annotations::ConditionalWrite &write, const PragmaRecord &pragma);
  bool addAlias(ir::Kernel &kernel, const annotations::Alias &alias, const PragmaRecord &pragma);
  ir::ExprRef resolveForKernel(const annotations::Expr &expr, const ir::Kernel &kernel, const PragmaRecord &pragma);
  ir::ExprRef resolveTileSize(const annotations::Expr &expr, const ir::Kernel &kernel, const PragmaRecord &pragma);

  // convert_expr.cpp
  ir::ExprRef convertExpr(const clang::Expr &expr);
  ir::ExprRef convertNode(const clang::Expr &expr);
  ir::ExprRef bounded(ir::ExprRef value, clang::SourceLocation location);
  ir::ExprRef convertArgument(const clang::Expr &expr);
  ir::ExprRef convertImplicitCast(const clang::ImplicitCastExpr &cast);
  ir::ExprRef convertIntegral(const clang::Expr &expr, const clang::Expr &operand);
  ir::ExprRef convertFloating(const clang::FloatingLiteral &literal);
  ir::ExprRef convertReference(const clang::DeclRefExpr &reference);
  ir::ExprRef convertUnary(const clang::Expr &expr, llvm::StringRef op, const clang::Expr &operand);
  bool isWideArithmetic(const clang::Expr &expr, ir::ExprKind kind) const;
  ir::ExprRef convertWide(const clang::Expr &expr);
  ir::ExprRef convertBinary(const clang::Expr &expr, llvm::StringRef op, const clang::Expr &left,
                            const clang::Expr &right);
  ir::ExprRef convertOperator(const clang::CXXOperatorCallExpr &call);
  ir::ExprRef convertMember(const clang::CXXMemberCallExpr &call);
  ir::ExprRef convertTileSize(const clang::CXXOperatorCallExpr &tile, ir::Extent extent);
  ir::ExprRef hasOfType(const std::optional<MatrixType> &type, const Binding &matrix, const ir::ExprRef &row,
                        const ir::ExprRef &column);
  std::optional<MatrixType> typeOfName(const std::string &name) const;
  ir::ExprRef convertHas(const clang::CXXMemberCallExpr &call, const clang::Expr &object, const Binding &matrix);
  ir::ExprRef convertFunction(const clang::CallExpr &call);
  ir::ExprRef convertCast(const clang::Expr &expr, const clang::Expr &operand);
  ir::ExprRef convertOther(const clang::Expr &expr);
  ir::ExprRef makeExtent(const std::string &name, ir::Extent extent) const;
  std::string castName(clang::QualType type);
  ir::ExprRef resolve(const annotations::Expr &expr, const PragmaRecord &pragma);
  ir::ExprRef resolveNode(const annotations::Expr &expr, const PragmaRecord &pragma);
  using ResolveOperand = std::function<ir::ExprRef(const annotations::Expr &)>;
  ir::ExprRef resolveOperator(const annotations::Expr &expr, const PragmaRecord &pragma, const ResolveOperand &resolve);
  ir::ExprRef resolveNumber(const annotations::Expr &expr, const PragmaRecord &pragma);
  ir::ExprRef resolveName(const annotations::Expr &expr, const PragmaRecord &pragma);
  ir::ExprRef resolveMember(const annotations::Expr &expr, const PragmaRecord &pragma);
  std::optional<ir::TileAccess> resolveTile(const annotations::Expr &expr, const PragmaRecord &pragma);
  const Binding *findName(const std::string &name) const;

  // convert_rule.cpp
  void recordCall(const clang::FunctionDecl &callee, const std::string &kernel);
  void applyOpaque(const annotations::SplitAnnotation &annotation, const PragmaRecord &pragma);
  bool requireKernelParameters(const clang::FunctionDecl &rule, const clang::FunctionDecl &kernel);
  void convertRuleParameter(const clang::ParmVarDecl &parameter);
  bool requireAccesses(const clang::FunctionDecl &rule, const clang::FunctionDecl &kernel);
  std::optional<ir::TileAccess> convertSlice(const clang::Expr &expr, ir::Access access);
  ir::ExprRef convertSliceExtent(const clang::CXXMemberCallExpr &call);

  /// An error on its way out. What is streamed into it belongs to it; the chain of calls follows as notes.
  class ErrorReport {
  public:
    ErrorReport(const Converter &converter, clang::SourceLocation location, const std::string &message);
    ErrorReport(const ErrorReport &) = delete;
    ErrorReport &operator=(const ErrorReport &) = delete;
    ~ErrorReport();
    template <typename Part> ErrorReport &operator<<(const Part &part) {
      *builder_ << part;
      return *this;
    }

  private:
    const Converter &converter_;
    std::optional<clang::DiagnosticBuilder> builder_;
  };

  // converter.cpp
  ErrorReport error(clang::SourceLocation location, const std::string &message);
  void note(clang::SourceLocation location, const std::string &message) const;
  std::vector<ir::CallSite> callSites() const;
  ir::Location locate(clang::SourceLocation location) const;
  std::string uniqueName(const std::string &base);
  void bind(const clang::VarDecl &variable, Binding binding);

  clang::ASTContext &context_;
  clang::DiagnosticsEngine &diagnostics_;
  Declarations &declarations_;
  Instantiate instantiate_;
  InstantiateFunction instantiateFunction_;
  ir::Program program_;
  unsigned nextTask_ = 0;
  bool failed_ = false;
  std::vector<ir::Diagnostic> remarks_;
  clang::SourceLocation breakAt_;  ///< place of the program's break, where it has one
  std::vector<std::string> loops_; ///< variables of all loops around
  unsigned loopDepth_ = 0;         ///< in the algorithm being converted, not in those that call it
  std::map<std::string, const clang::NamedDecl *> kernelDeclarations_; ///< by name: overloads are told from each other
  std::set<std::string> usedNames_;
  std::vector<PartSize> partSizes_; ///< sizes of parts that expressions have asked for
  std::map<const clang::VarDecl *, Binding> bindings_;
  Names names_;
  bool ofTask_ = false;                               ///< the clause at hand is a task's: it may ask for tiles
  unsigned expressions_ = 0;                          ///< being converted, one in the other
  unsigned statements_ = 0;                           ///< statements being converted, one in the other
  const clang::FunctionDecl *rule_ = nullptr;         ///< the split rule being converted, if it is one
  std::map<std::string, bool> panels_;                ///< tile parameters of the rule: true for panels
  std::vector<const clang::FunctionDecl *> inlining_; ///< algorithms being converted, outermost first
  std::vector<clang::SourceLocation> calls_;          ///< places of the calls of all but the first of these
  std::vector<ir::ExprRef> guards_; ///< conditions, of ifs and loops, that hold where the conversion is
  std::vector<std::pair<ir::ExprRef, bool>> decided_;     ///< decided choices of matrices, in the task being converted
  ir::ExprRef open_;                                      ///< the first choice that the task needs besides
  unsigned firstCase_ = 0;                                ///< number of the first task that the call becomes
  unsigned controlDepth_ = 0;                             ///< ifs and loops around, in the algorithm being converted
  std::map<const clang::VarDecl *, unsigned> declaredAt_; ///< value of controlDepth_ where each variable was declared
  std::set<const clang::VarDecl *> referred_;             ///< matrices that have another name, a reference
  std::set<const clang::CallExpr *> loopSwaps_;           ///< swaps that their loop knows
  std::map<const clang::FunctionDecl *, std::set<const clang::FunctionDecl *>> reached_; ///< answers of reachedFrom()
  /// The functions of the program, by their algorithm and what is fixed of its arguments.
  std::map<std::pair<const clang::FunctionDecl *, std::string>, std::size_t> functions_;
  std::vector<PendingFunction> pending_;          ///< the body of each function, while it is to be converted
  const clang::FunctionDecl *function_ = nullptr; ///< the algorithm whose function is being converted
  /// Sizes of what is one of several matrices: names share choices, so each is looked at once.
  std::map<std::pair<std::shared_ptr<const Choice>, ir::Extent>, ir::ExprRef> chosenSizes_;
};

ir::Bound convertBound(annotations::Bound bound);

/// Tile (i, j) of a transpose from that of the matrix, and back.
void transpose(ir::TileAccess &access);
/// The error where a panel of a transpose is asked for.
inline constexpr const char *transposedPanel =
    "a panel is tiles of one column, and those of a transpose are of one row";

/// Whether an expression is of that kind, or has a part that is.
bool holds(const ir::Expr &expr, ir::ExprKind kind);
/// The size of a matrix or tile that a member function or a clause names: "mt".
std::optional<ir::Extent> extentNamed(llvm::StringRef name);

} // namespace hetc::frontend
