#include "compiler/maps/replicate.hpp"

#include "compiler/dependence/runs.hpp"
#include "compiler/ir/conditional_writes.hpp"
#include "compiler/ir/simplify.hpp"

#include <algorithm>
#include <cassert>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

namespace hetc::maps {

using ir::ExprKind;
using ir::ExprRef;

namespace {

const ir::TileAccess &mainTile(const ir::Task &task) {
  return std::get<ir::TileAccess>(task.arguments[task.mainOutput]);
}

bool names(const ExprRef &expr, const std::string &variable) {
  const std::vector<std::string> all = ir::variables(*expr);
  return std::ranges::find(all, variable) != all.end();
}

std::string shortName(const std::string &kernel) { return kernel.substr(kernel.rfind(':') + 1); }

void number(ir::Program &program) {
  unsigned next = 0;
  ir::forEachTask(program.body, [&](ir::Task &task) { task.id = next++; });
}

std::unique_ptr<ir::If> makeIf(ExprRef condition, const ir::Location &location, ir::Block then,
                               ir::Block otherwise = {}) {
  return std::make_unique<ir::If>(ir::If{std::move(condition), std::move(then), std::move(otherwise), location});
}

/// A copy of the block in which `rewrite` says what becomes of a task, given the loops around it.
class Rewriter {
public:
  using Rewrite = std::function<void(const ir::Task &, const std::vector<const ir::Loop *> &, ir::Block &)>;
  explicit Rewriter(Rewrite rewrite) : rewrite_(std::move(rewrite)) {}

  ir::Block operator()(const ir::Block &block) {
    ir::Block result;
    for (const ir::Statement &statement : block)
      std::visit([&](const auto &child) { add(*child, result); }, statement);
    return result;
  }

private:
  void add(const ir::Loop &loop, ir::Block &result) {
    loops_.push_back(&loop);
    result.push_back(std::make_unique<ir::Loop>(
        ir::Loop{loop.variable, loop.init, loop.condition, loop.next, (*this)(loop.body), loop.location}));
    loops_.pop_back();
  }
  void add(const ir::If &branch, ir::Block &result) {
    result.push_back(makeIf(branch.condition, branch.location, (*this)(branch.then), (*this)(branch.otherwise)));
  }
  void add(const ir::Task &task, ir::Block &result) { rewrite_(task, loops_, result); }

  Rewrite rewrite_;
  std::vector<const ir::Loop *> loops_;
};

/// The program with each call that adds to its main output by itself: where variables decide that, in an if.
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

  /// What it writes besides may depend on the whole sum.
  static bool writesOne(const ir::Task &task) {
    return std::ranges::count_if(task.arguments, [](const ir::Argument &argument) {
             const auto *tile = std::get_if<ir::TileAccess>(&argument);
             return tile && tile->access != ir::Access::Read;
           }) == 1;
  }

  std::vector<const ir::Task *> found_;
  std::set<unsigned> tasks_;
};

/// The outermost loop on which not the tile's place depends, but where in its run the update is; null: there is none.
const ir::Loop *stepOf(const ir::TileAccess &tile, const dependence::RunEnds &ends,
                       const std::vector<const ir::Loop *> &loops) {
  const auto step = std::ranges::find_if(loops, [&](const ir::Loop *loop) {
    const std::string &name = loop->variable;
    return !names(tile.row, name) && !names(tile.column, name) && (names(ends.begins, name) || names(ends.ends, name));
  });
  return step == loops.end() ? nullptr : *step;
}

/// Which triangle of its output an update adds to, by the kernel's clause and the call's argument; null: all of it.
ExprRef triangleOf(const ir::Program &program, const ir::Task &task) {
  const ir::Kernel &kernel = *program.findKernel(task.kernel);
  const std::string &name = kernel.parameters[task.mainOutput].addsIn;
  const auto parameter = std::ranges::find(kernel.parameters, name, &ir::KernelParameter::name);
  return name.empty() ? nullptr : std::get<ExprRef>(task.arguments[parameter - kernel.parameters.begin()]);
}

std::string lineOf(const ir::Task &task) { return std::to_string(task.location.line); }

/// Why runs of a matrix cannot be joined; by matrix. What a run adds to is one triangle, or all of the tile, and of a
/// triangle one kernel makes what it knows, as herk that the diagonal is real.
std::map<std::string, std::string> mixedTriangles(const ir::Program &program, const dependence::Runs &runs) {
  std::map<unsigned, const ir::Task *> tasks;
  ir::forEachTask(program.body, [&](const ir::Task &task) { tasks[task.id] = &task; });
  std::map<std::string, std::string> mixed;
  for (const auto &[id, ends] : runs.ends) {
    const ir::Task &task = *tasks.at(id);
    const ExprRef triangle = triangleOf(program, task);
    const auto isOpen = [&](const std::string &name) { return !program.findScalar(name); };
    if (triangle && std::ranges::any_of(ir::variables(*triangle), isOpen))
      mixed[mainTile(task).matrix] =
          "a loop decides which triangle '" + shortName(task.kernel) + "' in line " + lineOf(task) + " updates";
  }
  for (const auto &[one, other] : runs.meet) {
    const ir::Task &first = *tasks.at(one), &second = *tasks.at(other);
    const ExprRef left = triangleOf(program, first), right = triangleOf(program, second);
    if (!left && !right)
      continue;
    if (!left || !right || first.kernel != second.kernel || !equal(*left, *right))
      mixed[mainTile(first).matrix] = "a triangle of a tile is updated by '" + shortName(first.kernel) + "' in line " +
                                      lineOf(first) + ", and the tile otherwise by '" + shortName(second.kernel) +
                                      "' in line " + lineOf(second);
  }
  return mixed;
}

/// The first kernel that no header declares; empty: none.
std::string undeclaredKernel(const ir::Program &program) {
  std::string name;
  ir::forEachTask(program.body, [&](const ir::Task &task) {
    if (name.empty() && !program.findKernel(task.kernel))
      name = task.kernel;
  });
  return name;
}

/// Leaves out the runs of a matrix.
void dropRuns(const ir::Program &program, const std::string &matrix, const std::string &reason,
              dependence::Runs &runs) {
  runs.obstacles[matrix] = reason;
  ir::forEachTask(program.body, [&](const ir::Task &task) {
    if (mainTile(task).matrix == matrix)
      runs.ends.erase(task.id);
  });
}

/// Whether each update is a run of its own, with nothing to share.
bool isAlone(const dependence::RunEnds &ends) {
  const auto isTrue = [](const ExprRef &condition) { return condition->kind == ExprKind::Int && condition->value; };
  return isTrue(ends.begins) && isTrue(ends.ends);
}

/// Matrices that an update with a step is of.
std::set<std::string> dealtMatrices(const ir::Program &program, const dependence::Runs &runs) {
  std::set<std::string> dealt;
  Rewriter([&](const ir::Task &task, const std::vector<const ir::Loop *> &loops, ir::Block &) {
    const auto ends = runs.ends.find(task.id);
    if (ends != runs.ends.end() && !isAlone(ends->second) && stepOf(mainTile(task), ends->second, loops))
      dealt.insert(mainTile(task).matrix);
  })(program.body);
  return dealt;
}

/// Rewrites a program.
class Dealer {
public:
  Dealer(ir::Program &program, int copies, const std::set<std::string> &dealt, const dependence::Runs &runs)
      : program_(program), copies_(copies) {
    program.body = Rewriter([&](const ir::Task &task, const std::vector<const ir::Loop *> &loops, ir::Block &block) {
      const auto ends = runs.ends.find(task.id);
      if (ends == runs.ends.end() || isAlone(ends->second) || !dealt.contains(mainTile(task).matrix))
        return block.push_back(std::make_unique<ir::Task>(task));
      const ir::Loop *step = stepOf(mainTile(task), ends->second, loops);
      ir::Block update = step ? onCopies(task, step->variable) : onOwner(task);
      // A kernel on a triangle may know more of it, as herk that a diagonal is real: the last word is the tile's own.
      if (step && triangleOf(program, task))
        update = lastOnOwner(task, ends->second.ends, std::move(update));
      addRun(task, std::move(update), ends->second, block);
    })(program.body);
    for (const std::string &name : dealt)
      addWorkspaces(name);
  }

private:
  /// The update, with what is in front of the first one of a run and behind the last.
  void addRun(const ir::Task &task, ir::Block update, const dependence::RunEnds &ends, ir::Block &block) {
    const ir::TileAccess &tile = mainTile(task);
    ir::Block before, after;
    for (int copy = 1; copy < copies_; ++copy) {
      before.push_back(clear(task, tile, copy));
      after.push_back(join(task, tile, copy));
    }
    append(ends.begins, task, std::move(before), block);
    std::ranges::move(update, std::back_inserter(block));
    append(ends.ends, task, std::move(after), block);
  }

  static void append(const ExprRef &condition, const ir::Task &task, ir::Block tasks, ir::Block &block) {
    if (condition->kind != ExprKind::Int)
      block.push_back(makeIf(condition, task.location, std::move(tasks)));
    else if (condition->value)
      std::ranges::move(tasks, std::back_inserter(block));
  }

  static ir::Block onOwner(const ir::Task &task) {
    ir::Block block;
    block.push_back(std::make_unique<ir::Task>(task));
    return block;
  }

  static ir::Block lastOnOwner(const ir::Task &task, const ExprRef &isLast, ir::Block onCopies) {
    if (isLast->kind == ExprKind::Int)
      return isLast->value ? onOwner(task) : std::move(onCopies);
    ir::Block block;
    block.push_back(makeIf(isLast, task.location, onOwner(task), std::move(onCopies)));
    return block;
  }

  ir::Block onCopies(const ir::Task &task, const std::string &step) const {
    const ir::TileAccess &tile = mainTile(task);
    // (step - column) mod copies, of numbers that are not negative.
    const ExprRef turns = ir::makeBinary(ExprKind::Mul, ir::makeInt(copies_ - 1), tile.column);
    const ExprRef further = ir::simplify(
        ir::makeBinary(ExprKind::Rem, ir::makeBinary(ExprKind::Add, ir::makeVar(step), turns), ir::makeInt(copies_)));
    ir::Block cases = onOwner(task);
    for (int copy = copies_ - 1; copy >= 1; --copy) {
      ir::Block there, otherwise = std::move(cases);
      there.push_back(onCopy(task, copy));
      cases.clear();
      cases.push_back(makeIf(ir::makeBinary(ExprKind::Eq, further, ir::makeInt(copy)), task.location, std::move(there),
                             std::move(otherwise)));
    }
    return cases;
  }

  std::string workspaceOf(const std::string &matrix, int copy) const { return matrix + "__" + std::to_string(copy); }

  ir::TileAccess partOf(const ir::TileAccess &tile, int copy, ir::Access access) const {
    ir::TileAccess part;
    part.matrix = workspaceOf(tile.matrix, copy);
    part.row = tile.row;
    part.column = tile.column;
    part.access = access;
    part.location = tile.location;
    return part;
  }

  std::unique_ptr<ir::Task> onCopy(const ir::Task &task, int copy) const {
    auto there = std::make_unique<ir::Task>(task);
    there->arguments[task.mainOutput] = partOf(mainTile(task), copy, ir::Access::ReadWrite);
    return there;
  }

  static std::unique_ptr<ir::Task> makeTask(const ir::Task &update, std::string kernel,
                                            std::vector<ir::Argument> arguments) {
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

  ExprRef number(const ir::TileAccess &tile, int value) const {
    return ir::makeCast(ir::castName(program_.findMatrix(tile.matrix)->type, program_.type), ir::makeInt(value));
  }

  std::unique_ptr<ir::Task> clear(const ir::Task &update, const ir::TileAccess &tile, int copy) const {
    return makeTask(update, "tla::laset", {number(tile, 0), number(tile, 0), partOf(tile, copy, ir::Access::Write)});
  }

  std::unique_ptr<ir::Task> join(const ir::Task &update, const ir::TileAccess &tile, int copy) const {
    const auto add = [&](std::string kernel, std::vector<ir::Argument> arguments) {
      arguments.insert(arguments.end(), {number(tile, 1), partOf(tile, copy, ir::Access::Read), number(tile, 1), tile});
      auto task = makeTask(update, std::move(kernel), std::move(arguments));
      task->releases = {partOf(tile, copy, ir::Access::Read)};
      return task;
    };
    const ExprRef uplo = triangleOf(program_, update);
    return uplo ? add("tla::tradd", {uplo}) : add("tla::geadd", {});
  }

  void addWorkspaces(const std::string &name) {
    const auto found = std::ranges::find(program_.matrices, name, &ir::Matrix::name);
    const ir::Matrix matrix = *found;
    for (int copy = 1; copy < copies_; ++copy) {
      ir::Matrix part;
      part.name = workspaceOf(name, copy);
      part.kind = ir::MatrixKind::Workspace;
      part.type = matrix.type;
      part.location = matrix.location;
      part.copy = copy;
      if (matrix.kind == ir::MatrixKind::Workspace) {
        part.rows = matrix.rows;
        part.cols = matrix.cols;
        part.tileRows = matrix.tileRows;
        part.tileCols = matrix.tileCols;
      } else {
        part.rows = ir::makeExtent(name, ir::Extent::M);
        part.cols = ir::makeExtent(name, ir::Extent::N);
        part.tileRows = ir::makeExtent(name, ir::Extent::Nb);
      }
      program_.matrices.push_back(std::move(part));
    }
  }

  ir::Program &program_;
  const int copies_;
};

ir::Diagnostic say(ir::Diagnostic::Severity severity, const std::string &message) {
  return {severity, {}, message, {}};
}

/// "kernels geqrt, tsqrt and unmqr": those that tasks call.
std::string kernelsOf(const ir::Program &program) {
  std::string list;
  for (const ir::Kernel &kernel : program.kernels)
    list += (list.empty() ? "" : ", ") + shortName(kernel.name);
  return (program.kernels.size() == 1 ? "kernel " : "kernels ") + list;
}

/// Why no update of the program is dealt.
ir::Diagnostic explain(const ir::Program &program, int copies, const std::set<unsigned> &updates,
                       const dependence::Runs &runs) {
  const std::string what =
      "copies of the nodes, of which there are " + std::to_string(copies) + ", share updates of tiles, and ";
  std::string why;
  if (!runs.obstacles.empty())
    why = "those of '" + runs.obstacles.begin()->first + "' hetc cannot deal: " + runs.obstacles.begin()->second;
  else if (!updates.empty())
    why = "in '" + program.name + "' no loop goes over several updates of a tile";
  else
    why = "'" + program.name + "' has none: no call of its " + kernelsOf(program) +
          " adds to a whole tile, by the clause sum(C) of '#pragma tla kernel'";
  return say(ir::Diagnostic::Severity::Error, what + why);
}

} // namespace

std::variant<Replicated, ir::Diagnostic> replicate(const ir::Program &program, int copies,
                                                   const std::vector<ir::Kernel> &kernels) {
  assert(copies >= 2 && copies <= mostCopies && "checked with the request");
  Replicated result;
  static_cast<ir::Declarations &>(result.program) = program;
  result.program.body = copyOf(program.body);
  const Updates updates(result.program);
  auto found = dependence::findRuns(result.program, updates.tasks());
  if (const auto *reason = std::get_if<std::string>(&found))
    return say(ir::Diagnostic::Severity::Error, "which updates of a tile follow each other is not known of '" +
                                                    program.name + "': " + *reason +
                                                    "; copies of the nodes, which share them, are for affine programs");
  auto &runs = std::get<dependence::Runs>(found);
  for (const auto &[matrix, reason] : mixedTriangles(result.program, runs))
    dropRuns(result.program, matrix, reason, runs);
  const std::set<std::string> dealt = dealtMatrices(result.program, runs);
  if (dealt.empty())
    return explain(program, copies, updates.tasks(), runs);
  for (const auto &[matrix, reason] : runs.obstacles)
    result.diagnostics.push_back(
        say(ir::Diagnostic::Severity::Remark, "updates of '" + matrix + "' stay with its tiles' owners: " + reason));
  Dealer(result.program, copies, dealt, runs);
  result.program.copies = copies;
  number(result.program);
  for (const ir::Kernel &kernel : kernels)
    if (!result.program.findKernel(kernel.name))
      result.program.kernels.push_back(kernel);
  dropUnusedKernels(result.program);
  if (const std::string name = undeclaredKernel(result.program); !name.empty())
    return say(ir::Diagnostic::Severity::Error, "copies of the nodes add up sums by " + name + ", which '" +
                                                    program.name + "' does not declare: #include <tla/tla.hpp>");
  return result;
}

} // namespace hetc::maps
