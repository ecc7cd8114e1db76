// What the generators of generate.cpp and generate_node.cpp have in common: the names of the program's matrices and
// scalars, and the append of a task. Private to codegen.
#pragma once

#include "compiler/codegen/emitter.hpp"

#include <map>

namespace hetc::codegen {

class TaskAppender {
public:
  TaskAppender(std::ostream &out, const ir::Program &program, const std::vector<TaskPlan> &plans);

  /// Declares scalars, matrices and the tables of their tiles, from `arguments`, to the generator `tasks`.
  void declareArguments();
  /// Appends an instance; its loop variables have these values, or their own where there is none.
  void append(const ir::Task &task, const std::map<std::string, ir::ExprRef> &indices, int depth);

  std::ostream &indent(int depth) { return out_ << std::string(2 * depth, ' '); }
  /// The table of a matrix's tiles.
  static std::string tiles(const std::string &matrix) { return matrix + "__tiles"; }

private:
  void declareMatrix(const ir::Matrix &matrix, std::size_t parameter);
  void declareWorkspace(const ir::Matrix &matrix);
  void declareTiles(const ir::Matrix &matrix, const char *function);
  std::string cut() const;
  void appendWithPanels(const ir::Task &task, const TaskPlan &plan, int depth);
  std::string access(const ir::TileAccess &tile) const;
  std::string indices(const TaskPlan &plan) const;
  std::string priority(const ir::Task &task) const;
  /// With the indices put in.
  std::string text(const ir::ExprRef &expr) const;

  std::ostream &out_;
  const ir::Program &program_;
  std::map<unsigned, const TaskPlan *> plans_;
  const std::map<std::string, ir::ExprRef> *indices_ = nullptr; ///< of the task being appended
};

} // namespace hetc::codegen
