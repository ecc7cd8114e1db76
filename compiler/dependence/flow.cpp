#include "compiler/dependence/relations.hpp"

namespace hetc::dependence {

LastAccesses lastBefore(const isl::union_map &sinks, const isl::union_map &sources, const isl::union_map &schedule) {
  isl::union_access_info info(sinks);
  info = info.set_must_source(sources).set_schedule_map(schedule);
  const isl::union_flow flow = info.compute_flow();
  return {flow.full_must_dependence().coalesce(), flow.must_no_source().coalesce()};
}

isl::union_map reversed(const isl::union_map &schedule) {
  isl::union_map result = isl::union_map::empty(schedule.ctx());
  schedule.foreach_map(
      [&](const isl::map &map) { result = result.unite(isl::manage(isl_map_neg(isl_map_copy(map.get())))); });
  return result;
}

namespace {

/// { S0 -> [S1 -> A[row, slice column]] } for { S0 -> [S1 -> A[row, column, slice]] }.
isl::union_map byRegion(const isl::union_map &dependences, const isl::union_map &regionsOfCells) {
  return dependences.uncurry().apply_range(regionsOfCells).curry().coalesce();
}

/// { [reader -> tile] -> [next writer -> tile] } from { next writer -> [reader -> tile] }.
isl::union_map keepTile(const isl::union_map &next, const isl::union_map &readers) {
  return next.reverse().range_product(readers.range_map());
}
} // namespace

namespace {

/// The flow and initial reads alone.
Relations computeFlow(Model model) {
  const isl::union_map none = isl::union_map::empty(model.context.ctx());
  const LastAccesses flow = lastBefore(model.readCells(), model.writeCells(), model.schedule());
  if (model.program->slices == 1)
    return {std::move(model), flow.found, none, none, flow.absent, none};
  const isl::union_map regions = model.regionsOfCells();
  const isl::union_map found = byRegion(flow.found, regions), absent = flow.absent.apply_range(regions).coalesce();
  return {std::move(model), found, none, none, absent, none};
}
} // namespace

static Relations computeAsked(Model model, Questions::Dependences wanted) {
  if (wanted == Questions::Dependences::Unwritten) {
    const isl::union_map none = isl::union_map::empty(model.context.ctx()), unwritten = computeUnwrittenReads(model);
    return {std::move(model), none, none, none, unwritten, none};
  }
  if (wanted == Questions::Dependences::Flow)
    return computeFlow(std::move(model));
  const isl::union_map reads = model.readCells(), writes = model.writeCells();
  const isl::union_map none = isl::union_map::empty(reads.ctx());
  const isl::union_map schedule = model.schedule(), backwards = reversed(schedule);
  const isl::union_map onlyReads = reads.subtract(writes), onlyWrites = writes.subtract(reads);

  const LastAccesses flow = lastBefore(reads, writes, schedule);
  const isl::union_map nextWrites = lastBefore(onlyReads, writes, backwards).found;
  const isl::union_map overwrites = lastBefore(onlyWrites, writes, schedule).found;
  const isl::union_map readerToWriter = keepTile(nextWrites, onlyReads);
  // { writer -> [next writer -> tile] } with a reader in between.
  const isl::union_map readBetween = flow.found.apply_range(readerToWriter);

  const isl::union_map anti = readerToWriter.domain_factor_domain().coalesce(),
                       output = overwrites.subtract(readBetween);
  const bool isCut = model.program->slices > 1;
  if (!isCut)
    return {std::move(model), flow.found, anti, output.coalesce(), flow.absent, none};
  const isl::union_map regions = model.regionsOfCells();
  return {std::move(model),
          byRegion(flow.found, regions),
          byRegion(anti, regions),
          byRegion(output, regions),
          flow.absent.apply_range(regions).coalesce(),
          none};
}

Relations computeDependences(Model model, Questions::Dependences wanted) {
  Relations relations = computeAsked(std::move(model), wanted);
  if (wanted != Questions::Dependences::Unwritten && relations.model.program->hasWorkspacesOfCalls())
    relations.readsOfEarlierCalls = computeUnwrittenReads(relations.model, Workspaces::OfCalls);
  return relations;
}

isl::union_map computeLastUses(const Model &model) {
  const isl::union_map accesses = model.reads().unite(model.writes()).coalesce();
  return lastBefore(accesses, accesses, reversed(model.schedule())).absent;
}

namespace {

/// The schedule with one more dimension: `after` orders what happens at the end of a task behind the task.
isl::map withStep(const isl::map &schedule, int after) {
  const unsigned depth = schedule.range_tuple_dim();
  isl_map *longer = isl_map_add_dims(schedule.copy(), isl_dim_out, 1);
  return isl::manage(isl_map_fix_si(longer, isl_dim_out, depth, after));
}

/// { R0[k] -> A[k, k] }: the tiles that a statement's clauses release, under a name of their own.
isl::union_map releasesOf(const StatementModel &statement, const std::string &name) {
  isl::union_map releases = isl::union_map::empty(statement.domain.ctx());
  for (const AccessModel &access : statement.accesses)
    if (access.release)
      access.regions.foreach_map([&](const isl::map &map) { releases = releases.unite(map.set_domain_tuple(name)); });
  return releases;
}
} // namespace

isl::union_map computeReadsAfterRelease(const Model &model) {
  if (!mayReadAfterRelease(model)) // nearly always
    return isl::union_map::empty(model.context.ctx());
  isl::union_map releases = isl::union_map::empty(model.context.ctx()), schedule = releases;
  for (const StatementModel &statement : model.statements) {
    const std::string name = "R" + std::to_string(statement.task->id);
    releases = releases.unite(releasesOf(statement, name));
    schedule = schedule.unite(withStep(statement.schedule, 0));
    schedule = schedule.unite(withStep(statement.schedule, 1).set_domain_tuple(name));
  }
  if (releases.is_empty())
    return releases;
  const isl::union_set released = releases.range().universe(); // all tiles of these matrices
  const isl::union_map reads = model.reads().intersect_range(released),
                       writes = model.writes().intersect_range(released);
  const LastAccesses last = lastBefore(reads, writes.unite(releases), schedule);
  return last.found.intersect_domain(releases.domain()).range().unwrap();
}

} // namespace hetc::dependence
