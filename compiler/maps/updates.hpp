// What both task maps start from: the calls that add to a tile, each by itself, and the tasks that are made of them.
#pragma once

#include "compiler/ir/diagnostic.hpp"
#include "compiler/ir/program.hpp"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hetc::maps {

const ir::TileAccess &mainTile(const ir::Task &task);
bool names(const ir::ExprRef &expr, const std::string &variable);
/// "gemm" of "tla::gemm".
std::string shortName(const std::string &kernel);
std::string lineOf(const ir::Task &task);
/// "kernels geqrt, tsqrt, unmqr": those that tasks call.
std::string kernelsOf(const ir::Program &program);

/// Tasks are numbered in textual order.
void number(ir::Program &program);

std::unique_ptr<ir::If> makeIf(ir::ExprRef condition, const ir::Location &location, ir::Block then,
                               ir::Block otherwise = {});

/// A copy of the block in which `rewrite` says what becomes of a task, given the loops around it.
class Rewriter {
public:
  using Rewrite = std::function<void(const ir::Task &, const std::vector<const ir::Loop *> &, ir::Block &)>;
  explicit Rewriter(Rewrite rewrite) : rewrite_(std::move(rewrite)) {}

  ir::Block operator()(const ir::Block &block);

private:
  void add(const ir::Loop &loop, ir::Block &result);
  void add(const ir::If &branch, ir::Block &result);
  void add(const ir::Call &call, ir::Block &result);
  void add(const ir::Task &task, ir::Block &result) { rewrite_(task, loops_, result); }

  Rewrite rewrite_;
  std::vector<const ir::Loop *> loops_;
};

/// Rewrites the program to one with each call that adds to its main output by itself: where variables decide that, in
/// an if. Numbers its tasks. Returns the numbers of the updates.
std::set<unsigned> separateUpdates(ir::Program &program);

/// The triangle of its output to which an update adds, by the kernel's clause and the call's argument; null: all of it.
ir::ExprRef triangleOf(const ir::Program &program, const ir::Task &task);

/// A task in front of an update or behind it; its last argument is its main output.
std::unique_ptr<ir::Task> makeTask(const ir::Task &update, std::string kernel, std::vector<ir::Argument> arguments);

/// A number of the matrix' type.
ir::ExprRef numberOf(const ir::Program &program, const std::string &matrix, int value);

/// Kernels that the program calls and does not know; and the first that no header declares, empty: none.
std::string addKernels(ir::Program &program, const std::vector<ir::Kernel> &kernels);

ir::Diagnostic say(ir::Diagnostic::Severity severity, const std::string &message);

} // namespace hetc::maps
