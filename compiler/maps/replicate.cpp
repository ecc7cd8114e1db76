#include "compiler/maps/replicate.hpp"

#include "compiler/dependence/runs.hpp"
#include "compiler/ir/simplify.hpp"
#include "compiler/maps/homes.hpp"
#include "compiler/maps/updates.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

namespace hetc::maps {

using ir::ExprKind;
using ir::ExprRef;

namespace {

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

/// Leaves out the runs of a matrix.
void dropRuns(const ir::Program &program, const std::string &matrix, const std::string &reason,
              dependence::Runs &runs) {
  runs.obstacles[matrix] = reason;
  ir::forEachTask(program.body, [&](const ir::Task &task) {
    if (mainTile(task).matrix == matrix)
      runs.ends.erase(task.id);
  });
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
  Dealer(ir::Program &program, int copies, const std::set<std::string> &dealt, const dependence::Runs &runs,
         const Homes &homes)
      : program_(program), copies_(copies), homes_(homes) {
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
    for (int copy = 1; copy < copies_; ++copy)
      before.push_back(clear(task, tile, copy));
    for (int apart = 1; apart < copies_; apart *= 2) // a tree: pairs, then pairs of these
      for (int copy = 0; copy + apart < copies_; copy += 2 * apart)
        after.push_back(join(task, tile, copy + apart, copy));
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
    // (step - column) mod copies, or with its row, of numbers that are not negative.
    const auto distance = [&](const ExprRef &index) {
      const ExprRef turns = ir::makeBinary(ExprKind::Mul, ir::makeInt(copies_ - 1), index);
      return ir::simplify(
          ir::makeBinary(ExprKind::Rem, ir::makeBinary(ExprKind::Add, ir::makeVar(step), turns), ir::makeInt(copies_)));
    };
    const ir::Matrix &matrix = *program_.findMatrix(tile.matrix);
    if (const std::optional<bool> byRows = homes_.atTask(task.id, matrix))
      return byDistance(task, distance(*byRows ? tile.row : tile.column));
    ir::Block cases;
    cases.push_back(makeIf(matrix.byRows(), task.location, byDistance(task, distance(tile.row)),
                           byDistance(task, distance(tile.column))));
    return cases;
  }

  /// On the tile that is so many copies further on.
  ir::Block byDistance(const ir::Task &task, const ExprRef &further) const {
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

  std::unique_ptr<ir::Task> clear(const ir::Task &update, const ir::TileAccess &tile, int copy) const {
    return makeTask(update, "tla::laset",
                    {numberOf(program_, tile.matrix, 0), numberOf(program_, tile.matrix, 0),
                     partOf(tile, copy, ir::Access::Write)});
  }

  /// Adds the part of the sum that `copy` has to that of `to`.
  std::unique_ptr<ir::Task> join(const ir::Task &update, const ir::TileAccess &tile, int copy, int to) const {
    const auto add = [&](std::string kernel, std::vector<ir::Argument> arguments) {
      arguments.insert(arguments.end(),
                       {numberOf(program_, tile.matrix, 1), partOf(tile, copy, ir::Access::Read),
                        numberOf(program_, tile.matrix, 1), to == 0 ? tile : partOf(tile, to, ir::Access::ReadWrite)});
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
      part.mapping = ir::InCopies{copy, matrix.byRows()};
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
  const Homes &homes_;
};

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

std::variant<Mapped, ir::Diagnostic> replicate(const ir::Program &program, int copies,
                                               const std::vector<ir::Kernel> &kernels) {
  assert(copies >= 2 && copies <= mostCopies && "checked with the request");
  Mapped result;
  static_cast<ir::Declarations &>(result.program) = program;
  result.program.body = copyOf(program.body);
  const std::set<unsigned> updates = separateUpdates(result.program);
  auto found = dependence::findRuns(result.program, updates);
  if (const auto *reason = std::get_if<std::string>(&found))
    return say(ir::Diagnostic::Severity::Error, "which updates of a tile follow each other is not known of '" +
                                                    program.name + "': " + *reason +
                                                    "; copies of the nodes, which share them, are for affine programs");
  auto &runs = std::get<dependence::Runs>(found);
  for (const auto &[matrix, reason] : mixedTriangles(result.program, runs))
    dropRuns(result.program, matrix, reason, runs);
  const std::set<std::string> dealt = dealtMatrices(result.program, runs);
  if (dealt.empty())
    return explain(program, copies, updates, runs);
  for (const auto &[matrix, reason] : runs.obstacles)
    result.diagnostics.push_back(
        say(ir::Diagnostic::Severity::Remark, "updates of '" + matrix + "' stay with its tiles' owners: " + reason));
  const Homes homes(result.program, runs);
  Dealer(result.program, copies, dealt, runs, homes);
  result.program.copies = copies;
  number(result.program);
  if (const std::string name = addKernels(result.program, kernels); !name.empty())
    return say(ir::Diagnostic::Severity::Error, "copies of the nodes add up sums by " + name + ", which '" +
                                                    program.name + "' does not declare: #include <tla/tla.hpp>");
  return result;
}

} // namespace hetc::maps
