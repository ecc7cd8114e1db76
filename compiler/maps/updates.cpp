#include "compiler/maps/updates.hpp"

#include "compiler/ir/conditional_writes.hpp"

#include <algorithm>
#include <utility>

namespace hetc::maps {

using ir::ExprKind;
using ir::ExprRef;

const ir::TileAccess &mainTile(const ir::Task &task) {
  return std::get<ir::TileAccess>(task.arguments[task.mainOutput]);
}

bool names(const ExprRef &expr, const std::string &variable) {
  const std::vector<std::string> all = ir::variables(*expr);
  return std::ranges::find(all, variable) != all.end();
}

std::string shortName(const std::string &kernel) { return kernel.substr(kernel.rfind(':') + 1); }

std::string lineOf(const ir::Task &task) { return std::to_string(task.location.line); }

/// "kernels geqrt, tsqrt and unmqr": those that tasks call.
std::string kernelsOf(const ir::Program &program) {
  std::string list;
  for (const ir::Kernel &kernel : program.kernels)
    list += (list.empty() ? "" : ", ") + shortName(kernel.name);
  return (program.kernels.size() == 1 ? "kernel " : "kernels ") + list;
}

void number(ir::Program &program) {
  unsigned next = 0;
  ir::forEachTask(program.body, [&](ir::Task &task) { task.id = next++; });
}

std::unique_ptr<ir::If> makeIf(ExprRef condition, const ir::Location &location, ir::Block then, ir::Block otherwise) {
  return std::make_unique<ir::If>(ir::If{std::move(condition), std::move(then), std::move(otherwise), location});
}

ir::Block Rewriter::operator()(const ir::Block &block) {
  ir::Block result;
  for (const ir::Statement &statement : block)
    std::visit([&](const auto &child) { add(*child, result); }, statement);
  return result;
}

void Rewriter::add(const ir::Loop &loop, ir::Block &result) {
  loops_.push_back(&loop);
  result.push_back(std::make_unique<ir::Loop>(
      ir::Loop{loop.variable, loop.init, loop.condition, loop.next, (*this)(loop.body), loop.location}));
  loops_.pop_back();
}

void Rewriter::add(const ir::If &branch, ir::Block &result) {
  result.push_back(makeIf(branch.condition, branch.location, (*this)(branch.then), (*this)(branch.otherwise)));
}

void Rewriter::add(const ir::Call &call, ir::Block &result) { result.push_back(std::make_unique<ir::Call>(call)); }

namespace {

class Updates {
public:
  explicit Updates(ir::Program &program) {
    program.body = Rewriter(
        [&](const ir::Task &task, const auto &, ir::Block &block) { addCases(program, task, block); })(program.body);
    number(program);
    for (const ir::Task *task : found_)
      tasks_.insert(task->id);
  }

  const std::set<unsigned> &tasks() const { return tasks_; }

private:
  void addCases(const ir::Program &program, const ir::Task &task, ir::Block &block) {
    const ExprRef where = whereUpdate(program, task);
    if (where->kind == ExprKind::Int) {
      block.push_back(std::make_unique<ir::Task>(task));
      if (where->value)
        found_.push_back(std::get<std::unique_ptr<ir::Task>>(block.back()).get());
      return;
    }
    ir::Block then, otherwise;
    then.push_back(ir::inCase(task, where, true));
    found_.push_back(std::get<std::unique_ptr<ir::Task>>(then.back()).get());
    otherwise.push_back(ir::inCase(task, where, false));
    block.push_back(makeIf(where, task.location, std::move(then), std::move(otherwise)));
  }

  static ExprRef whereUpdate(const ir::Program &program, const ir::Task &task) {
    const ir::TileAccess &tile = mainTile(task);
    const bool isWhole = tile.access == ir::Access::ReadWrite && !tile.isRun() && !tile.isPartial() &&
                         tile.region == ir::Region::Full && !tile.isTransposed && task.releases.empty() &&
                         program.findMatrix(tile.matrix)->type != ir::ElementType::I;
    const ir::Kernel &kernel = *program.findKernel(task.kernel);
    return isWhole && writesOne(task) ? ir::whereAdded(program, kernel, task, task.mainOutput) : ir::makeInt(0);
  }

  /// Whether the task writes one tile only: a second output may depend on the whole sum.
  static bool writesOne(const ir::Task &task) {
    return std::ranges::count_if(task.arguments, [](const ir::Argument &argument) {
             const auto *tile = std::get_if<ir::TileAccess>(&argument);
             return tile && tile->access != ir::Access::Read;
           }) == 1;
  }

  std::vector<const ir::Task *> found_;
  std::set<unsigned> tasks_;
};

/// The first kernel that no header declares; empty: none.
std::string undeclaredKernel(const ir::Program &program) {
  std::string name;
  ir::forEachTask(program.body, [&](const ir::Task &task) {
    if (name.empty() && !program.findKernel(task.kernel))
      name = task.kernel;
  });
  return name;
}

} // namespace

std::set<unsigned> separateUpdates(ir::Program &program) { return Updates(program).tasks(); }

/// The triangle of its output to which an update adds, by the kernel's clause and the call's argument; null: all of it.
ExprRef triangleOf(const ir::Program &program, const ir::Task &task) {
  const ir::Kernel &kernel = *program.findKernel(task.kernel);
  const std::string &name = kernel.parameters[task.mainOutput].addsIn;
  const auto parameter = std::ranges::find(kernel.parameters, name, &ir::KernelParameter::name);
  return name.empty() ? nullptr : std::get<ExprRef>(task.arguments[parameter - kernel.parameters.begin()]);
}

std::unique_ptr<ir::Task> makeTask(const ir::Task &update, std::string kernel, std::vector<ir::Argument> arguments) {
  auto task = std::make_unique<ir::Task>();
  task->kernel = std::move(kernel);
  task->arguments = std::move(arguments);
  task->mainOutput = task->arguments.size() - 1;
  task->priority = update.priority;
  task->derivedPriority = update.derivedPriority;
  task->location = update.location;
  task->calls = update.calls;
  return task;
}

ExprRef numberOf(const ir::Program &program, const std::string &matrix, int value) {
  return ir::makeCast(ir::castName(program.findMatrix(matrix)->type, program.type), ir::makeInt(value));
}

std::string addKernels(ir::Program &program, const std::vector<ir::Kernel> &kernels) {
  for (const ir::Kernel &kernel : kernels)
    if (!program.findKernel(kernel.name))
      program.kernels.push_back(kernel);
  dropUnusedKernels(program);
  return undeclaredKernel(program);
}

ir::Diagnostic say(ir::Diagnostic::Severity severity, const std::string &message) {
  return {severity, {}, message, {}};
}

} // namespace hetc::maps
