#include "compiler/split/split.hpp"

#include "compiler/split/inline_rule.hpp"

#include <algorithm>
#include <cassert>

namespace hetc::split {

using ir::ExprKind;
using ir::ExprRef;

namespace {

void collectNames(const ir::Block &block, std::set<std::string> &names) {
  for (const ir::Statement &statement : block) {
    if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
      names.insert((*loop)->variable);
      collectNames((*loop)->body, names);
    } else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      collectNames((*branch)->then, names);
      collectNames((*branch)->otherwise, names);
    }
  }
}

/// Names that loops of rules cannot have: those of the program, and those that mean something else in generated code.
std::set<std::string> takenNames(const ir::Program &program) {
  std::set<std::string> names = {"task", "tasks", "arguments", "values", "scalars", "flops", "rt", "T", "real"};
  names.insert(program.sizes.begin(), program.sizes.end());
  for (const ir::Matrix &matrix : program.matrices)
    names.insert(matrix.name);
  for (const ir::Scalar &scalar : program.scalars)
    names.insert(scalar.name);
  collectNames(program.body, names);
  return names;
}

/// True when the tiles are as wide as those of the parameters, all of which have one size.
bool hasTileWidth(const ir::Program &program, const ir::Matrix &matrix) {
  if (matrix.kind != ir::MatrixKind::Workspace)
    return true;
  const ir::Expr &width = matrix.tileCols ? *matrix.tileCols : *matrix.tileRows;
  return width.kind == ExprKind::Extent && (width.extent == ir::Extent::Mb || width.extent == ir::Extent::Nb) &&
         program.findMatrix(width.text)->kind != ir::MatrixKind::Workspace;
}

class Splitter {
public:
  Splitter(ir::Program &program, const std::vector<ir::Program> &rules)
      : program_(program), rules_(rules), names_(takenNames(program)) {}

  std::vector<ir::Diagnostic> run() {
    for (ir::Matrix &matrix : program_.matrices)
      matrix.sliced = matrix.type != ir::ElementType::I && hasTileWidth(program_, matrix);
    program_.body = block(std::move(program_.body));
    unsigned id = 0;
    ir::forEachTask(program_.body, [&](ir::Task &task) { task.id = id++; });
    dropUnusedKernels();
    return std::move(remarks_);
  }

private:
  ir::Block block(ir::Block block) {
    ir::Block result;
    for (ir::Statement &statement : block) {
      if (auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
        (*loop)->body = this->block(std::move((*loop)->body));
        result.push_back(std::move(*loop));
      } else if (auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
        splitBranch(**branch);
        result.push_back(std::move(*branch));
      } else
        std::ranges::move(splitTask(std::move(std::get<std::unique_ptr<ir::Task>>(statement))),
                          std::back_inserter(result));
    }
    return result;
  }

  void splitBranch(ir::If &branch) {
    const std::size_t before = facts_.size();
    facts_.add(branch.condition, true);
    branch.then = block(std::move(branch.then));
    facts_.shrink(before);
    facts_.add(branch.condition, false);
    branch.otherwise = block(std::move(branch.otherwise));
    facts_.shrink(before);
  }

  ir::Block splitTask(std::unique_ptr<ir::Task> task) {
    task->releases.clear();
    const auto rule = std::ranges::find(rules_, task->kernel, &ir::Program::name);
    const std::string obstacle = rule == rules_.end() ? "it has no split rule" : whyNot(*task, *rule);
    if (obstacle.empty())
      return RuleInliner(program_, *rule, *task, facts_, names_).run();
    if (gather(*task))
      remark(*task, obstacle);
    ir::Block result;
    result.push_back(std::move(task));
    return result;
  }

  bool isSliced(const ir::TileAccess &tile) const { return program_.findMatrix(tile.matrix)->sliced; }

  /// Why the rule is not for this task; empty when it is.
  std::string whyNot(const ir::Task &task, const ir::Program &rule) const {
    for (std::size_t i = 0; i < task.arguments.size(); ++i)
      if (const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i])) {
        if (tile->cols.first)
          return "'" + tile->matrix + "' is viewed by columns";
        if (isSliced(*tile) != rule.findMatrix(rule.parameterOrder[i])->sliced)
          return "'" + tile->matrix + "' is " + (isSliced(*tile) ? "" : "not ") + "cut, other than in its split rule";
      }
    return "";
  }

  /// One task on whole tiles; true when some of them are gathered.
  bool gather(ir::Task &task) const {
    bool found = false;
    for (ir::Argument &argument : task.arguments)
      if (auto *tile = std::get_if<ir::TileAccess>(&argument); tile && isSliced(*tile)) {
        *tile = gathered(program_, std::move(*tile), tile->access);
        found = true;
      }
    return found;
  }

  /// Each kernel and reason once.
  void remark(const ir::Task &task, const std::string &reason) {
    if (!remarked_.insert(task.kernel + reason).second)
      return;
    const std::string name = task.kernel.substr(task.kernel.rfind(':') + 1);
    remarks_.push_back({ir::Diagnostic::Severity::Remark,
                        task.location,
                        "kernel '" + name + "' runs on whole tiles, on the host: " + reason +
                            "; a rule is a function template tla::split::" + name +
                            " under '#pragma tla split' (tla/split.hpp)",
                        {}});
  }

  /// The rules' kernels are there in place of the algorithm's.
  void dropUnusedKernels() {
    std::set<std::string> used;
    ir::forEachTask(program_.body, [&](const ir::Task &task) { used.insert(task.kernel); });
    std::erase_if(program_.kernels, [&](const ir::Kernel &kernel) { return !used.contains(kernel.name); });
  }

  ir::Program &program_;
  const std::vector<ir::Program> &rules_;
  std::set<std::string> names_;
  Facts facts_;
  std::set<std::string> remarked_;
  std::vector<ir::Diagnostic> remarks_;
};

} // namespace

std::vector<ir::Diagnostic> split(ir::Program &program, int slices, const std::vector<ir::Program> &rules) {
  assert(slices >= 2 && slices <= mostSlices && "checked with the request");
  program.slices = slices;
  return Splitter(program, rules).run();
}

} // namespace hetc::split
