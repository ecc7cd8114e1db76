// What the generators of generate.cpp and generate_node.cpp have in common: the names of the program's matrices and
// scalars, and the append of a task. Private to codegen.
#pragma once

#include "compiler/codegen/emitter.hpp"
#include "compiler/codegen/integers.hpp"

#include <map>

namespace hetc::codegen {

/// Declares scalars, matrices and workspaces from `arguments`: the names of the program's expressions.
void declareHandles(std::ostream &out, const ir::Program &program);

/// The attribute of functions that have the loops of the whole program, with a space behind it: none, or that they are
/// not optimized.
const char *optimization(const ir::Program &program);

/// C++ text that makes the storage of a workspace of the algorithm's own, which has no tiles yet.
std::string newStorage(const ir::Program &program, const ir::Matrix &matrix);
/// "for (int k = 0; k < A.nt(); ++k)". The step of a loop that nothing proves to end, or to remain in int, is checked.
std::string loopHead(const ir::Program &program, const Integers &integers, const ir::Loop &loop,
                     const ir::LoopEnd &end);

/// The functions of a program as C++ variables inside the function that is being written: they are declared, then each
/// is given its body, which begins with a check that calls end, and with what it requires.
void declareFunctions(std::ostream &out, const ir::Program &program);
void beginFunction(std::ostream &out, const ir::Program &program, const ir::Function &function);
void endFunction(std::ostream &out);
/// "call__f(0, A.nt())".
std::string callText(const ir::Program &program, const Integers &integers, const ir::Call &call);

class TaskAppender {
public:
  TaskAppender(CxxWriter &out, const ir::Program &program, const std::vector<TaskPlan> &plans);

  /// declareHandles(), and the tables of tiles, which the generator `tasks` gives.
  void declareArguments();
  /// Appends an instance; its loop variables have these values, or their own where there is none.
  void append(const ir::Task &task, const std::map<std::string, ir::ExprRef> &indices, int depth);

  /// A run that has failed goes no further: said at the beginning of each iteration of an outermost loop, and of one
  /// that nothing says will end.
  void endWhenStopped(int depth) {
    indent(depth) << "if (tasks.stopped())\n" << std::string(2 * depth + 2, ' ') << "return;\n";
  }

  std::ostream &indent(int depth) { return out_ << std::string(2 * depth, ' '); }
  /// How it computes; names of the generator's own are made known to it.
  Integers &integers() { return integers_; }
  /// The table of a matrix's tiles.
  static std::string tiles(const std::string &matrix) { return matrix + "__tiles"; }

private:
  void declareTiles(const ir::Matrix &matrix, const char *function);
  void appendWithPanels(const ir::Task &task, const TaskPlan &plan, int depth);
  std::string access(const ir::TileAccess &tile) const;
  std::string indices(const TaskPlan &plan) const;
  std::string priority(const ir::Task &task) const;
  /// The expression as a C++ int, with the instance's indices put in for loop variables.
  std::string text(const ir::ExprRef &expr) const;

  CxxWriter &out_;
  const ir::Program &program_;
  Integers integers_;
  std::string place_; ///< place of the task being appended
  std::map<unsigned, const TaskPlan *> plans_;
  const std::map<std::string, ir::ExprRef> *indices_ = nullptr;   ///< indices of the task being appended
  const std::map<std::string, ir::ExprRef> *variables_ = nullptr; ///< Task::variables of it
};

} // namespace hetc::codegen
