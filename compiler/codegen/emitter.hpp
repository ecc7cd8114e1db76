// The pieces of cxx.hpp's one function. Private to codegen.
#pragma once

#include "compiler/codegen/cxx.hpp"
#include "compiler/ir/program.hpp"

#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace hetc::codegen {

/// An integer that a task records when it is generated because its kernel call needs it: a loop variable, the
/// size of a matrix, the length of a panel, or where a view begins and how long it is.
struct Capture {
  std::string name;
  ir::ExprRef value;
};

/// The numbers of a view as C++ text, "row__2, rows__2" and "col__2, cols__2"; empty for all rows or columns. `within`
/// has one number where the view goes to the last row.
struct View {
  std::string rows, cols, within;
};

/// Everything about one task statement that both its class and its append need.
struct TaskPlan {
  const ir::Task *task = nullptr;
  const ir::Kernel *kernel = nullptr;
  std::string name; ///< name of its TaskClass: "gemm__3"
  std::vector<Capture> captures;
  std::vector<ir::ExprRef> arguments;   ///< scalars, extents replaced by captured names; null for tiles
  std::vector<std::size_t> order;       ///< ir::accessOrder
  std::vector<ir::ExprRef> firstAccess; ///< access number of each tile argument
  std::vector<View> views;              ///< view of each tile argument, mostly empty
  int ownNumber = -1;                   ///< in KernelVersion::run; -1: the kernel is called from here
};
TaskPlan planTask(const ir::Program &program, const ir::Task &task);
/// Plans all task statements. Those with own kernels are numbered from `number` on, which goes on; null: they are not
/// numbered.
std::vector<TaskPlan> planTasks(const ir::Program &program, int *number = nullptr);

/// Where all code is written to, in the order in which it stands.
class CxxWriter : public std::ostringstream {
public:
  /// While it lives, text that is written is made of the statement at `place`.
  class Statement {
  public:
    Statement(CxxWriter &out, std::string place) : out_(out), begin_(out.at()), place_(std::move(place)) {}
    ~Statement() { out_.parts_.push_back({begin_, out_.at(), std::move(place_)}); }
    Statement(const Statement &) = delete;
    Statement &operator=(const Statement &) = delete;

  private:
    CxxWriter &out_;
    const std::size_t begin_;
    std::string place_;
  };

  Cxx take() { return {str(), std::move(parts_)}; }

private:
  std::size_t at() { return static_cast<std::size_t>(tellp()); }
  std::vector<Cxx::Part> parts_;
};

/// Writes the task classes of a program, and the functions that they name. Tasks whose functions would differ in
/// nothing but the names of what they capture share the first one's: as those of an algorithm that is called twice do.
class TaskFunctions {
public:
  /// Writes a task's class, behind those of its functions that are not written yet.
  void emitClass(CxxWriter &out, const ir::Program &program, const TaskPlan &plan); // task_class.cpp
  /// Returns the name of the function that calls the task's kernel, which it writes where there is none yet.
  std::string run(CxxWriter &out, const ir::Program &program, const TaskPlan &plan); // task_class.cpp

private:
  std::string flops(CxxWriter &out, const ir::Program &program, const TaskPlan &plan);
  std::string write(CxxWriter &out, const TaskPlan &plan, const std::string &text, const std::string &name);
  static std::string writeAlways(CxxWriter &out, const std::string &text, const std::string &name);

  std::map<std::string, std::string> names_; ///< by the text without names
};

/// Includes that task classes need beyond those of all generated code.
struct Needs {
  bool complexNames = false; ///< names of types to which expressions are cast (ir::castName)
  bool guardedCalls = false; ///< isGuarded()
  bool givenHalves = false;  ///< checksHalves()
  bool functions = false;    ///< algorithms that call themselves

  /// Adds those of a program, whose tasks these are.
  void add(const ir::Program &program, const std::vector<TaskPlan> &plans);
};

/// The head of the text, up to where its anonymous namespace has begun, which has T and other short names.
void emitHead(std::ostream &out, const ir::Program &program, const CxxOptions &options, const Needs &needs);

/// The generated code's own names hold two underscores in a row, which no user's name may.
std::string panelLength(std::size_t argument);    ///< "length__2": tiles of that panel argument
std::string sliceCount(std::size_t argument);     ///< "slices__2": slices that are gathered for it, of each tile
std::string storedName(std::size_t argument);     ///< "stored__2": the tile of which the argument is a transpose
std::string calledName(const ir::Kernel &kernel); ///< "::tla::gemm"
std::string shortName(const std::string &kernel); ///< "gemm"
/// Whether it is one of hetc's own, for which accelerators may have bodies: a user's may have the same short name.
bool isStandard(const ir::Kernel &kernel);
std::string quoted(const std::string &text); ///< the text as a C++ string literal
/// "T" for the program's element type, the C++ name otherwise.
std::string elementName(const ir::Program &program, ir::ElementType type);
/// "tla::LowerMatrix<T>".
std::string matrixTypeName(const ir::Program &program, const ir::Matrix &matrix);
/// "tla::Op", "T", "real", "int".
std::string scalarTypeName(const ir::Scalar &scalar);
/// The last part of a path: "cholesky.tla".
std::string fileName(const std::string &path);
/// "cholesky.tla:12".
std::string placeOf(const ir::Program &program, const ir::Location &location);
/// Declares the scalar parameters that `used` names, from an array `values` of ScalarValue.
void declareScalars(std::ostream &out, const ir::Program &program, const std::vector<std::string> &used,
                    const std::string &values, const std::string &indent);
/// The scalars of the stage, where there are stages, from `arguments`.
void declareStage(std::ostream &out, const ir::Program &program, const std::string &indent);
bool usesRegions(const ir::Program &program, const std::string &matrix);

/// The LoopText of a loop.
std::string loopText(const ir::Program &program, const ir::Loop &loop); // run_checks.cpp
/// The function requireArguments, where there is something to be checked before the first task.
bool checksArguments(const ir::Program &program);
void emitArgumentChecks(std::ostream &out, const ir::Program &program);
/// A statement that refuses arguments for which the requirement does not hold. It may be over the `parameters` of a
/// function, ints, as well.
void emitRequirement(std::ostream &out, const ir::Program &program, const ir::Requirement &requirement,
                     const std::vector<std::string> &parameters);

/// The parameter's name in generated code; "argument__2" where the declaration has none.
std::string parameterName(const TaskPlan &plan, std::size_t argument);
/// Statements that check a call's arguments under the names of the kernel's parameters; empty where nothing is left to
/// be checked.
std::string argumentChecks(const ir::Program &program, const TaskPlan &plan); // argument_checks.cpp
/// Whether these ask if a standard kernel stays inside the half of a tile that it is given.
bool checksHalves(const TaskPlan &plan); // argument_checks.cpp

/// Whether calls of a user's kernel, which is given parts of tiles, are tried before they run
/// (tla/generated/guarded.hpp).
bool isGuarded(const TaskPlan &plan); // task_class.cpp

void emitSerialCall(std::ostream &out, const ir::Program &program);                               // description.cpp
void emitVersionChoice(std::ostream &out, const ir::Program &program, const CxxOptions &options); // kernel_versions.cpp
void emitGenerate(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans); // generate.cpp
void emitCountTasks(std::ostream &out, const ir::Program &program);                                // count.cpp
void emitGenerateNode(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans,
                      const NodeGenerator &generator);                                          // generate_node.cpp
void emitStages(std::ostream &out, const ir::Program &program);                                 // stages.cpp
void emitDescription(std::ostream &out, const ir::Program &program, const CxxOptions &options); // description.cpp

} // namespace hetc::codegen
