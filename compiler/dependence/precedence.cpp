// Whether a tile is written, or released, before it is read: which task did it last is not asked, so that nothing is
// compared with more than one other statement. isl's dataflow analysis takes several times as long.
#include "compiler/dependence/relations.hpp"

#include <algorithm>
#include <vector>

namespace hetc::dependence {

namespace {

bool isOwn(const Model &model, const AccessModel &access) {
  return !model.program->isParameter(*model.matrices.at(access.access->matrix).matrix);
}

bool isReadOfWorkspace(const Model &model, const AccessModel &access) {
  return !access.release && reads(*access.access) && isOwn(model, access);
}

using Loops = std::vector<std::string>; ///< variables of loops

/// { S0[k, i] -> S1[k, i'] }: the pairs of `before` that are of one iteration of these loops, which are around both.
isl::map inOneIteration(const isl::map &before, const StatementModel &statement, std::size_t common,
                        const Loops &loops) {
  isl_map *same = before.copy();
  for (std::size_t d = 0; d < common; ++d)
    if (std::ranges::count(loops, statement.loops[d]->variable))
      same = isl_map_equate(same, isl_dim_in, static_cast<int>(d), isl_dim_out, static_cast<int>(d));
  return isl::manage(same);
}

/// { S1[k] -> A[row, column] }: those of `sinks`, accesses by one statement, to tiles that are before that, in the same
/// iteration of the loops, among `sources`, accesses by another one or the same.
isl::map precededBy(const isl::map &sinks, const StatementModel &sink, const isl::map &sources,
                    const StatementModel &source, const Loops &loops = {}) {
  const isl::map before = inOneIteration(runsBefore(source, sink), sink, countCommonLoops(source, sink), loops);
  if (countCommonLoops(source, sink) > 0)
    return before.reverse().apply_range(sources).intersect(sinks);
  return before.is_empty() ? isl::map::empty(sinks.space()) : sinks.intersect_range(sources.range());
}

bool haveSameTiles(const isl::map &a, const isl::map &b) {
  return a.range_tuple_id().name() == b.range_tuple_id().name();
}

/// Calls visit(sources) for the cells, in one tuple with `sinks`, of the statement's accesses that are chosen.
template <typename Choose, typename Visit>
void forEachSource(const StatementModel &statement, const isl::map &sinks, Choose &&choose, Visit &&visit) {
  for (const AccessModel &access : statement.accesses)
    if (choose(access))
      access.cells.foreach_map([&](const isl::map &sources) {
        if (haveSameTiles(sources, sinks))
          visit(sources);
      });
}

bool isWrite(const AccessModel &access) { return !access.release && writes(*access.access); }

/// The statements by how likely they write what this one reads: those before it, backwards, then those behind it.
std::vector<const StatementModel *> writersFor(const Model &model, const StatementModel &reader) {
  std::vector<const StatementModel *> writers;
  for (const StatementModel &statement : model.statements)
    writers.push_back(&statement);
  const auto here = std::ranges::find(writers, &reader);
  std::reverse(writers.begin(), here + 1);
  return writers;
}

/// The reads, { S1[k] -> A[row, column] }, that no write precedes in the same iteration of the loops.
isl::map withoutWrite(const Model &model, const StatementModel &reader, const isl::map &all, const Loops &loops) {
  isl::map rest = all;
  for (const StatementModel *writer : writersFor(model, reader))
    forEachSource(*writer, rest, isWrite, [&](const isl::map &written) {
      if (!rest.is_empty())
        rest = rest.subtract(precededBy(rest, reader, written, *writer, loops));
    });
  return rest;
}

/// Whether a task of one statement reads what one of the other has released before.
bool readsReleased(const Model &model, const StatementModel &reader, const StatementModel &other) {
  return std::ranges::any_of(reader.accesses, [&](const AccessModel &read) {
    bool found = false;
    if (isReadOfWorkspace(model, read))
      read.cells.foreach_map([&](const isl::map &sinks) {
        const auto isRelease = [](const AccessModel &access) { return access.release; };
        forEachSource(other, sinks, isRelease, [&](const isl::map &released) {
          found = found || !precededBy(sinks, reader, released, other).is_empty();
        });
      });
    return found;
  });
}

} // namespace

isl::union_map computeUnwrittenReads(const Model &model, Workspaces which) {
  isl::union_map unwritten = isl::union_map::empty(model.context.ctx());
  for (const StatementModel &reader : model.statements)
    for (const AccessModel &access : reader.accesses) {
      const Loops &calls = model.matrices.at(access.access->matrix).matrix->madeIn;
      if (isReadOfWorkspace(model, access) && (which == Workspaces::All || !calls.empty()))
        access.cells.foreach_map(
            [&](const isl::map &all) { unwritten = unwritten.unite(withoutWrite(model, reader, all, calls)); });
    }
  if (model.program->slices > 1 && !unwritten.is_empty())
    unwritten = unwritten.apply_range(model.regionsOfCells());
  return unwritten.coalesce();
}

bool mayReadAfterRelease(const Model &model) {
  return std::ranges::any_of(model.statements, [&](const StatementModel &reader) {
    return std::ranges::any_of(model.statements,
                               [&](const StatementModel &other) { return readsReleased(model, reader, other); });
  });
}

} // namespace hetc::dependence
