#include "compiler/specialize/first_reads.hpp"

namespace hetc::specialize {

namespace {
/// Writers have a name of their own as sources, since a task may both read and write.
std::string writerName(unsigned task) { return "W" + std::to_string(task); }

/// Time run backwards.
isl::union_map reversed(const isl::union_map &schedule) {
  isl::union_map result = isl::union_map::empty(schedule.ctx());
  schedule.foreach_map(
      [&](const isl::map &map) { result = result.unite(isl::manage(isl_map_neg(isl_map_copy(map.get())))); });
  return result;
}

/// { S0[k] -> [A[k, k] -> [I, J]] } with all places.
isl::union_map everywhere(const isl::union_map &accesses) {
  isl::union_map result = isl::union_map::empty(accesses.ctx());
  const isl::set places(accesses.ctx(), "{ [I, J] }");
  accesses.foreach_map([&](const isl::map &map) {
    isl_map *all = isl_map_from_domain_and_range(map.domain().release(), places.copy());
    result = result.unite(map.range_product(isl::manage(all)));
  });
  return result;
}

/// { W0[k] -> [S1[k, i] -> A[k, k]] } from { W0[k] -> [S1[k, i] -> [A[k, k] -> [I, J]]] }.
isl::union_map withoutPlaces(const isl::union_map &flow) {
  isl::union_map result = isl::union_map::empty(flow.ctx());
  flow.foreach_map(
      [&](const isl::map &map) { result = result.unite(map.uncurry().range_factor_domain().curry().coalesce()); });
  return result;
}
} // namespace

// The memory of isl's dataflow analysis has a cell for each tile at each place [I, J] where tasks run. A task reads the
// cell of its own place, and is a source for later ones at all places of its node: whoever finds it there is not the
// first. A writer is a source everywhere. So isl looks for the reader before, which is near and simple (j - Q in a loop
// of stride Q); the first of all would have to be rounded.
FirstReads computeFirstReads(const dependence::Model &model, const Placement &placement) {
  const isl::union_map reads = model.reads(), writes = model.writes();
  isl::union_map named = isl::union_map::empty(model.ctx.get()),
                 places = named; // { S0[k] -> W0[k] }, { S0[k] -> [I, J] }
  for (const dependence::StatementModel &statement : model.statements) {
    named = named.unite(statement.domain.identity().set_range_tuple(writerName(statement.task->id)));
    places = places.unite(statement.place);
  }
  const isl::union_map sameNode = placement.tasks().apply_range(placement.places());
  const isl::union_map readers = reads.subtract(writes).range_product(sameNode);
  const isl::union_map writers = everywhere(writes).apply_domain(named);
  const isl::union_map schedule = model.schedule();

  isl::union_access_info info(reads.range_product(places));
  info = info.set_must_source(readers.unite(writers));
  const isl::union_flow flow = info.set_schedule_map(schedule.unite(schedule.apply_domain(named))).compute_flow();
  const isl::union_map written = flow.full_must_dependence().intersect_domain(writers.domain());
  return {withoutPlaces(written).apply_domain(named.reverse()), flow.must_no_source().range_factor_domain().coalesce()};
}

isl::union_map lastOf(const isl::union_map &accesses, const dependence::Model &model) {
  isl::union_access_info info(accesses);
  info = info.set_must_source(accesses).set_schedule_map(reversed(model.schedule()));
  return info.compute_flow().must_no_source().coalesce();
}

} // namespace hetc::specialize
