#include "compiler/specialize/releases.hpp"

#include "compiler/specialize/first_reads.hpp"

namespace hetc::specialize {

namespace {
using dependence::AccessModel;
using dependence::Model;
using dependence::StatementModel;

const std::string &nameOf(const AccessModel &access, const Model &model) {
  return model.matrices.at(access.access->matrix).name;
}

/// { [S0[k] -> A[i, j]] -> [x, y] }: the tile's home.
isl::map homesOf(const isl::map &tiles, const Placement &placement, const std::string &name) {
  return isl::manage(isl_map_range_map(tiles.copy())).apply_range(placement.home(name));
}

/// { [S0[k] -> A[i, j]] -> [x, y] }: the task's node.
isl::map nodesOf(const isl::map &tiles, const Placement &placement, unsigned task) {
  return isl::manage(isl_map_domain_map(tiles.copy())).apply_range(placement.node(task));
}

/// The source, where there is a transfer but for source = destination.
isl::map sourceOf(const TransferSet &set) {
  if (set.condition == Condition::None)
    return set.source;
  const isl::set atHome = set.destination.intersect(set.home).domain(), all = set.source.domain();
  return set.source.intersect_domain(set.condition == Condition::AtHome ? atHome : all.subtract(atHome));
}

/// { S0[k] -> [A[i, j] -> [x, y]] }: who uses which tile at the place of which task. Without relations that stay at
/// tiles' homes, where no use counts.
isl::union_map usesAway(const Model &model, const Placement &placement, const std::vector<TransferSet> &transfers) {
  isl::union_map uses = isl::union_map::empty(model.ctx.get());
  const auto add = [&](const isl::map &node, const isl::map &home) {
    if (!node.is_subset(home))
      uses = uses.unite(node.curry());
  };
  for (const StatementModel &statement : model.statements)
    for (const AccessModel &access : statement.accesses)
      if (!access.release)
        add(nodesOf(access.tiles, placement, statement.task->id),
            homesOf(access.tiles, placement, nameOf(access, model)));
  for (const TransferSet &set : transfers)
    if (!set.returns) // what returns is sent by the task that wrote it
      add(sourceOf(set), set.home);
  return uses.coalesce();
}

} // namespace

std::vector<ReleaseSet> clauseReleases(const Model &model, const Placement &placement) {
  std::vector<ReleaseSet> result;
  for (const StatementModel &statement : model.statements)
    for (const AccessModel &access : statement.accesses)
      if (access.release) {
        const isl::map home = homesOf(access.tiles, placement, nameOf(access, model));
        result.push_back({&statement, &access, home, home});
      }
  return result;
}

std::vector<ReleaseSet> computeReleases(const Model &model, const Placement &placement,
                                        const std::vector<TransferSet> &transfers) {
  const isl::union_map last = lastOf(usesAway(model, placement, transfers), model);
  std::vector<ReleaseSet> result;
  for (const StatementModel &statement : model.statements) {
    isl::union_map seen = isl::union_map::empty(model.ctx.get()); // { S0[k] -> A[i, j] }
    for (const AccessModel &access : statement.accesses) {
      if (access.release)
        continue;
      isl::union_map tiles = access.tiles;
      if (!tiles.is_disjoint(seen))
        tiles = tiles.subtract(seen);
      seen = seen.unite(access.tiles);
      last.uncurry().intersect_domain(tiles.wrap()).foreach_map([&](const isl::map &node) {
        const isl::map places = node.domain().unwrap();
        result.push_back({&statement, &access, node.coalesce(), homesOf(places, placement, nameOf(access, model))});
      });
    }
  }
  return result;
}

} // namespace hetc::specialize
