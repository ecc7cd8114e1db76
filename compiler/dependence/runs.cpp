#include "compiler/dependence/runs.hpp"

#include "compiler/dependence/expr_from_isl.hpp"
#include "compiler/dependence/relations.hpp"
#include "compiler/ir/simplify.hpp"

#include <optional>

namespace hetc::dependence {

namespace {

/// { S0[k, i] -> A[i, j] }: the tile that a task adds to, and all others that it names.
struct Accesses {
  isl::map main;
  isl::union_map others;
};

Accesses accessesOf(const StatementModel &statement) {
  Accesses accesses{isl::map(), isl::union_map::empty(statement.domain.ctx())};
  for (const AccessModel &access : statement.accesses) {
    if (access.release)
      continue;
    const isl::map tiles = access.tiles.intersect_domain(statement.domain);
    if (access.argument == statement.task->mainOutput)
      accesses.main = tiles;
    else
      accesses.others = accesses.others.unite(tiles.to_union_map());
  }
  return accesses;
}

/// The sinks of `adds` whose last access before, in time as `schedule` has it, is none of `adds`, or is not there.
isl::union_set firstOfRuns(const isl::union_map &adds, const isl::union_map &accesses, const isl::union_map &schedule) {
  const LastAccesses last = lastBefore(adds, accesses, schedule);
  // { [sink -> tile] -> [source -> tile] }
  const isl::union_map before = last.found.reverse().range_product(adds.range_map());
  const isl::union_set behindOthers = before.subtract_range(adds.wrap()).domain();
  return behindOthers.unwrap().unite(last.absent).domain();
}

bool is(const ir::ExprRef &expr, const std::string &symbol) {
  return expr->kind == ir::ExprKind::Var && expr->text == symbol;
}

/// The tiles of a size that a matrix has in one direction or the other: opA == NoTrans ? A.nt() : A.mt() for k where A
/// is opA == NoTrans ? m : k by opA == NoTrans ? k : m. Null: there is no such matrix.
ir::ExprRef tilesOfTurned(const ir::Program &program, const std::string &symbol) {
  using ir::Extent;
  for (const ir::Matrix &matrix : program.matrices) {
    const bool isChosen = matrix.kind != ir::MatrixKind::Workspace && matrix.rows->kind == ir::ExprKind::Select &&
                          matrix.cols->kind == ir::ExprKind::Select &&
                          equal(*matrix.rows->operands[0], *matrix.cols->operands[0]);
    if (!isChosen)
      continue;
    const ir::ExprRef &condition = matrix.rows->operands[0];
    const ir::ExprRef rows = ir::makeExtent(matrix.name, Extent::Mt), cols = ir::makeExtent(matrix.name, Extent::Nt);
    if (is(matrix.rows->operands[1], symbol) && is(matrix.cols->operands[2], symbol))
      return ir::makeSelect(condition, rows, cols);
    if (is(matrix.cols->operands[1], symbol) && is(matrix.rows->operands[2], symbol))
      return ir::makeSelect(condition, cols, rows);
  }
  return nullptr;
}

std::vector<Parameter> namedParameters(const Model &model) {
  std::vector<Parameter> parameters = model.parameters;
  for (Parameter &parameter : parameters)
    if (!parameter.expr && parameter.kind == Parameter::Kind::Tiles)
      parameter.expr = tilesOfTurned(*model.program, parameter.symbol);
  return parameters;
}

/// The condition under which an instance of a statement is one of `instances`. For cases that isl cannot put together,
/// the smallest convex set around them may give the condition.
std::optional<ir::ExprRef> conditionOf(const Model &model, const std::vector<Parameter> &parameters,
                                       const StatementModel &statement, const isl::union_set &instances) {
  const isl::set own = instances.extract_set(statement.domain.space());
  if (own.is_empty())
    return ir::makeInt(0);
  const isl::set known = statement.domain.intersect_params(model.context);
  for (const isl::set &around : {isl::set(own.affine_hull()), isl::set(own.unshifted_simple_hull())})
    if (around.intersect(known).is_equal(own.intersect(known)))
      if (const auto condition = toCondition(statement, parameters, around.gist(known).coalesce()))
        return condition;
  return toCondition(statement, parameters, own.gist(known).coalesce());
}

Runs computeRuns(const Model &model, const std::set<unsigned> &updates) {
  isl::union_map adds = isl::union_map::empty(model.context.ctx()), accesses = adds;
  std::vector<const StatementModel *> adding;
  std::map<unsigned, isl::set> tiles; // that each adds to
  for (const StatementModel &statement : model.statements) {
    const Accesses own = accessesOf(statement);
    accesses = accesses.unite(own.others).unite(own.main.to_union_map());
    if (!updates.contains(statement.task->id) || !own.others.intersect(own.main.to_union_map()).is_empty())
      continue;
    adds = adds.unite(own.main.to_union_map());
    adding.push_back(&statement);
    tiles.emplace(statement.task->id, own.main.range());
  }
  Runs runs;
  for (const auto &[task, added] : tiles)
    for (const auto &[other, also] : tiles)
      if (task < other && !added.to_union_set().is_disjoint(also.to_union_set()))
        runs.meet.emplace(task, other);
  if (adding.empty())
    return runs;
  const isl::union_map schedule = model.schedule();
  const isl::union_set begins = firstOfRuns(adds, accesses, schedule),
                       ends = firstOfRuns(adds, accesses, reversed(schedule));
  const std::vector<Parameter> parameters = namedParameters(model);
  for (const StatementModel *statement : adding) {
    const auto first = conditionOf(model, parameters, *statement, begins),
               last = conditionOf(model, parameters, *statement, ends);
    const std::string &matrix =
        std::get<ir::TileAccess>(statement->task->arguments[statement->task->mainOutput]).matrix;
    if (first && last)
      runs.ends[statement->task->id] = {ir::simplify(*first), ir::simplify(*last)};
    else
      runs.obstacles[matrix] =
          std::string("where a run of updates ") + (first ? "ends" : "begins") + " is no expression of loops and sizes";
  }
  std::erase_if(runs.ends, [&](const auto &entry) {
    const ir::Task &task = *model.statement(entry.first).task;
    return runs.obstacles.contains(std::get<ir::TileAccess>(task.arguments[task.mainOutput]).matrix);
  });
  return runs;
}

} // namespace

std::variant<Runs, std::string> findRuns(const ir::Program &program, const std::set<unsigned> &updates,
                                         const AnalysisLimits &limits) {
  const ContextOwner ctx = makeContext();
  const Guard guard(ctx.get(), limits);
  try {
    return computeRuns(buildModel(program, ctx), updates);
  } catch (const NonAffine &reason) {
    return reason.reason;
  } catch (const isl::exception &error) {
    return guard.explain(error);
  }
}

} // namespace hetc::dependence
