#include "compiler/dependence/relations.hpp"

namespace hetc::dependence {

namespace {

struct LastAccesses {
  isl::union_map found;  ///< { source -> [sink -> tile] }
  isl::union_map absent; ///< { sink -> tile }
};

/// For every access in `sinks` { S -> A }, the last of `sources` { S -> A } to the same tile strictly before it.
LastAccesses lastBefore(const isl::union_map &sinks, const isl::union_map &sources, const isl::union_map &schedule) {
  isl::union_access_info info(sinks);
  info = info.set_must_source(sources).set_schedule_map(schedule);
  const isl::union_flow flow = info.compute_flow();
  return {flow.full_must_dependence().coalesce(), flow.must_no_source().coalesce()};
}

/// Time run backwards: the last access before in it is the first after.
isl::union_map reversed(const isl::union_map &schedule) {
  isl::union_map result = isl::union_map::empty(schedule.ctx());
  schedule.foreach_map(
      [&](const isl::map &map) { result = result.unite(isl::manage(isl_map_neg(isl_map_copy(map.get())))); });
  return result;
}

/// { [reader -> tile] -> [next writer -> tile] } from { next writer -> [reader -> tile] }.
isl::union_map keepTile(const isl::union_map &next, const isl::union_map &readers) {
  return next.reverse().range_product(readers.range_map());
}
} // namespace

Relations computeDependences(Model model) {
  const isl::union_map schedule = model.schedule(), backwards = reversed(schedule);
  const isl::union_map reads = model.reads(), writes = model.writes();
  const isl::union_map onlyReads = reads.subtract(writes), onlyWrites = writes.subtract(reads);

  const LastAccesses flow = lastBefore(reads, writes, schedule);
  const isl::union_map nextWrites = lastBefore(onlyReads, writes, backwards).found;
  const isl::union_map overwrites = lastBefore(onlyWrites, writes, schedule).found;
  const isl::union_map readerToWriter = keepTile(nextWrites, onlyReads);
  // { writer -> [next writer -> tile] } with a reader in between.
  const isl::union_map readBetween = flow.found.apply_range(readerToWriter);

  const isl::union_map anti = readerToWriter.domain_factor_domain().coalesce();
  return {std::move(model), flow.found, anti, overwrites.subtract(readBetween).coalesce(), flow.absent};
}

isl::union_map computeLastUses(const Model &model) {
  const isl::union_map accesses = model.reads().unite(model.writes()).coalesce();
  return lastBefore(accesses, accesses, reversed(model.schedule())).absent;
}

} // namespace hetc::dependence
