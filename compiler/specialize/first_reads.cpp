#include "compiler/specialize/first_reads.hpp"

#include "compiler/dependence/slice_columns.hpp"

#include <map>
#include <vector>

namespace hetc::specialize {

namespace {
using dependence::StatementModel;

/// Time run backwards.
isl::union_map reversed(const isl::union_map &schedule) {
  isl::union_map result = isl::union_map::empty(schedule.ctx());
  schedule.foreach_map(
      [&](const isl::map &map) { result = result.unite(isl::manage(isl_map_neg(isl_map_copy(map.get())))); });
  return result;
}

std::string nameOf(const isl::space &space, isl_dim_type type) { return isl_space_get_tuple_name(space.get(), type); }

/// Reads by one statement of tiles of one matrix that one statement wrote, or none: { S0[k] -> [S1[k, i] -> A[k, k]] },
/// with { [] -> [S1[k, i] -> A[k, k]] } for the latter.
struct Reads {
  const StatementModel *reader;
  isl::map all, withoutWriting; ///< the latter by tasks that do not themselves write the tile
};

/// A read is the first of its version at its node unless a read of the same version ran there before: that one need
/// only exist, and dependence analysis knows the versions. To ask isl's dataflow analysis for the last access before
/// each read, with a memory cell for each tile and node, takes it several times as long.
class FirstReadFinder {
public:
  FirstReadFinder(const dependence::Relations &relations, const Placement &placement)
      : model_(relations.model), placement_(placement), writes_(relations.model.writeCells()) {
    relations.flow.foreach_map(
        [&](const isl::map &map) { add(nameOf(map.space(), isl_dim_in), byCell(map.uncurry()).curry()); });
    relations.initialReads.foreach_map(
        [&](const isl::map &map) { add("", isl::manage(isl_map_from_range(byCell(map).wrap().release()))); });
  }

  FirstReads run() {
    FirstReads result = {isl::union_map::empty(model_.ctx.get()), isl::union_map::empty(model_.ctx.get())};
    for (const auto &[source, readers] : readers_)
      for (const Reads &reads : readers) {
        const isl::map first = firstOf(reads, readers);
        if (source.first.empty())
          result.initial = result.initial.unite(first.range().unwrap());
        else
          result.written = result.written.unite(first);
      }
    const isl::union_map regions = model_.regionsOfCells();
    return {result.written.uncurry().apply_range(regions).curry(), result.initial.apply_range(regions)};
  }

private:
  /// { .. -> A[row, column, slice] } from { .. -> A[row, slice column] }, as dependence::AccessModel::cells.
  isl::map byCell(const isl::map &accesses) const {
    return model_.matrixOf(nameOf(accesses.space(), isl_dim_out)).matrix->isSliced()
               ? dependence::splitSliceColumns(accesses, model_.program->slices)
               : accesses;
  }

  /// `reads`: as in Reads::all; `writer`: its domain's tuple, or empty.
  void add(const std::string &writer, const isl::map &reads) {
    const isl::map accesses = reads.range().unwrap();
    const StatementModel &reader = model_.statement(std::stoul(nameOf(accesses.space(), isl_dim_in).substr(1)));
    const isl::union_map written = writes_.intersect_domain(reader.domain);
    isl::map withoutWriting = reads;
    written.foreach_map([&](const isl::map &map) {
      if (isl_map_has_equal_space(map.get(), accesses.get()))
        withoutWriting = isl::manage(isl_map_subtract_range(withoutWriting.release(), map.wrap().release()));
    });
    readers_[{writer, nameOf(accesses.space(), isl_dim_out)}].push_back({&reader, reads, withoutWriting});
  }

  /// The reads before which `others`, all reads of the same versions, have none at the same node.
  isl::map firstOf(const Reads &reads, const std::vector<Reads> &others) {
    isl::map first = reads.all;
    for (const Reads &other : others) {
      if (other.withoutWriting.is_empty())
        continue;
      const isl::map tile = reads.all.range().unwrap().range().identity();
      const isl::map later = earlierAtSameNode(*other.reader, *reads.reader).product(tile);
      first = first.subtract(other.withoutWriting.apply_range(later));
    }
    return first.coalesce();
  }

  /// { S1[k', i'] -> S2[k, i] : the first runs before the second, at the same node }.
  const isl::map &earlierAtSameNode(const StatementModel &first, const StatementModel &second) {
    const auto [known, isNew] = earlier_.try_emplace(std::pair(first.task->id, second.task->id));
    if (isNew) {
      const isl::map before = dependence::runsBefore(first, second);
      const isl::map sameNode = placement_.node(first.task->id).apply_range(placement_.node(second.task->id).reverse());
      known->second = before.intersect(sameNode);
    }
    return known->second;
  }

  const dependence::Model &model_;
  const Placement &placement_;
  const isl::union_map writes_;
  std::map<std::pair<std::string, std::string>, std::vector<Reads>> readers_; ///< readers, by writer and tuple of tiles
  std::map<std::pair<unsigned, unsigned>, isl::map> earlier_;
};

} // namespace

FirstReads computeFirstReads(const dependence::Relations &relations, const Placement &placement) {
  return FirstReadFinder(relations, placement).run();
}

isl::union_map lastOf(const isl::union_map &writes, const dependence::Model &model) {
  isl::union_access_info info(writes);
  info = info.set_must_source(model.writeCells()).set_schedule_map(reversed(model.schedule()));
  return info.compute_flow().must_no_source().apply_range(model.regionsOfCells()).coalesce();
}

} // namespace hetc::specialize
