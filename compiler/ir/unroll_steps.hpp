// The statements of a program with their expressions compiled for one set of sizes: the form in which they are
// unrolled.
#pragma once

#include "compiler/ir/compiled_expr.hpp"
#include "compiler/ir/program.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace hetc::ir {

class StepCompiler {
public:
  struct Range { // TileRange
    CompiledExpr row, rowEnd, column, columnEnd;
  };
  struct Access {
    const TileAccess *source;
    std::size_t matrix, argument;
    CompiledExpr row, rowEnd, rowStep, column, columnEnd;
    CompiledExpr firstRow, rowCount, firstColumn, columnCount; ///< bounds of a view
    std::vector<Range> inside;
  };
  /// A statement with its expressions compiled: a loop (init, condition, next), an if (condition) or a task.
  struct Step {
    const Loop *loop = nullptr;
    const If *branch = nullptr;
    const Task *task = nullptr;
    std::size_t slot = 0;
    CompiledExpr init, condition, next;
    std::vector<Step> body, otherwise;
    std::vector<Access> accesses;
    const Location &location() const { return loop ? loop->location : branch ? branch->location : task->location; }
  };

  /// `constants`: the values of sizes and extents. `tasks`: those that become steps, with the loops around them; null:
  /// all. Borrows its arguments.
  StepCompiler(const Program &program, const Environment &constants, const std::set<unsigned> *tasks)
      : program_(program), constants_(constants), tasksWanted_(tasks) {}

  std::vector<Step> compile(const Block &block);

  /// Views of a slice by columns are a split rule's, in numbers that only the run knows.
  static bool isOfSlice(const Program &program, const TileAccess &access);

private:
  bool isWanted(const Block &block) const;
  bool isWanted(const Statement &statement) const;
  CompiledExpr compile(const ExprRef &expr) const;
  Step compile(const Loop &loop);
  Step compile(const If &branch);
  Step compile(const Task &task);

  const Program &program_;
  const Environment &constants_;
  const std::set<unsigned> *tasksWanted_;
  std::map<std::string, std::size_t> slots_; ///< slots of the loops around the statement being compiled
};

} // namespace hetc::ir
