#include "compiler/specialize/transfers.hpp"

#include "compiler/specialize/first_reads.hpp"

#include <algorithm>

// The idea, on the QR of 3 x 3 tiles (algorithms/qr.tla) on a grid of 2 x 2 nodes, step k = 0, row i = 1:
//
//   task                               runs on   reads A(1, 0)   writes A(1, 0), whose home is node (1, 0)
//   tsqrt(A(0, 0).upper(), A(1, 0))    (0, 0)    from home       its last write: away from home
//   tsmqr(.., A(1, 1), A(1, 0))        (1, 1)    first there
//   tsmqr(.., A(1, 2), A(1, 0))        (1, 0)    first there
//
// The version that tsqrt makes is the tile's last and made away from home, so it goes home directly behind tsqrt: a
// transfer with `returns`. The tsmqr on (1, 1) gets it by a message of its own. That on (1, 0) is a first read, too,
// but finds the version at home already: no message. Which node reads is not known to the relations, only to the loops
// (a matter of i, j, x__ and y__); so the first reads of such versions are one set, and its messages have the condition
// Away. Reads of versions that never go home (the other tiles' between two steps) have no condition.
namespace hetc::specialize {

namespace {
using dependence::AccessModel;
using dependence::MatrixModel;
using dependence::StatementModel;

/// First reads, by the version that they read: the last one of its tile, made where that may be away from home, so that
/// it goes there behind its writer; or another.
struct Parts {
  isl::union_map last, other;
};

std::string tupleOf(const isl::map &map, isl_dim_type type) {
  const char *name = isl_map_get_tuple_name(map.get(), type);
  return name ? name : "";
}

/// { S0[k] -> [i, j] } from { S0[k] -> A[i, j] }.
isl::map placesOf(const isl::map &accesses, const dependence::Model &model) {
  const isl::map place = model.place(*model.matrixOf(tupleOf(accesses, isl_dim_out)).matrix);
  return isl::manage(isl_map_reset_tuple_id(accesses.copy(), isl_dim_out)).apply_range(place);
}

/// { [S0[k] -> A[i, j]] -> [i, j] } from { S0[k] -> A[i, j] }: the places of the tiles.
isl::map ownPlaces(const isl::map &accesses, const dependence::Model &model) {
  return placesOf(isl::manage(isl_map_range_map(accesses.copy())), model);
}
isl::union_map ownPlaces(const isl::union_map &accesses, const dependence::Model &model) {
  isl::union_map result = isl::union_map::empty(accesses.ctx());
  accesses.foreach_map([&](const isl::map &map) { result = result.unite(ownPlaces(map, model)); });
  return result;
}

/// The one map of a union that has at most one space.
isl::map single(const isl::union_map &maps) {
  isl::map result;
  maps.foreach_map([&](const isl::map &map) { result = map; });
  return result;
}

class TransferBuilder {
public:
  TransferBuilder(const dependence::Relations &relations, const Placement &placement, Versions versions)
      : model_(relations.model), placement_(placement), versions_(versions),
        none_(isl::union_map::empty(model_.ctx.get())), mayBeAway_(findThoseAway()), returning_(computeReturning()) {
    for (const StatementModel &statement : model_.statements) {
      places_ = places_.unite(statement.place);
      times_ = times_.unite(statement.schedule);
    }
    index(computeFirstReads(relations, placement));
  }

  std::vector<TransferSet> build() {
    for (const StatementModel &statement : model_.statements) {
      addReads(statement);
      addReturns(statement);
    }
    return std::move(result_);
  }

private:
  void index(const FirstReads &first);
  isl::union_map computeReturning() const;
  bool mayBeAway(const AccessModel &access) const { return mayBeAway_.at(&access); }
  std::map<const AccessModel *, bool> findThoseAway() const;

  void addReads(const StatementModel &reader);
  void addReads(const StatementModel &reader, const AccessModel &access, const isl::union_map &wanted);
  Parts parts(const StatementModel &reader, const std::string &writer, const AccessModel &access,
              const std::string &half, const isl::union_map &wanted) const;
  void addReturns(const StatementModel &writer);
  void addReturns(const StatementModel &writer, const AccessModel &access, const isl::union_map &wanted);
  isl::union_map returning(const StatementModel &writer, const AccessModel &access, const std::string &half,
                           const isl::union_map &wanted) const;
  void add(const StatementModel &statement, const AccessModel &access, ir::Region region, Condition condition,
           bool returns, const isl::map &source, const isl::union_map &version);
  isl::union_map beforeTheRun(const isl::union_map &accesses) const;

  const MatrixModel &matrixOf(const AccessModel &access) const { return model_.matrices.at(access.access->matrix); }
  bool isParameter(const MatrixModel &matrix) const { return model_.program->isParameter(*matrix.matrix); }
  /// { .. -> A[i, j] } for { .. -> AL[i, j] }.
  static isl::union_map wholeTiles(const isl::union_map &halves, const MatrixModel &matrix);

  const dependence::Model &model_;
  const Placement &placement_;
  const Versions versions_;
  const isl::union_map none_;
  isl::union_map places_ = none_;                       ///< { S0[k] -> [I, J] }: where tasks run
  isl::union_map times_ = none_;                        ///< { S0[k] -> [time] }
  const std::map<const AccessModel *, bool> mayBeAway_; ///< whether tiles of each access may be away from home
  /// { S0[k] -> A[k, k] }: the last writes of parameters that may be away from home.
  const isl::union_map returning_;
  /// By reader and writer, the latter empty for what was at home: { [S0[k] -> S1[k, i]] -> A[k, k] }.
  std::map<std::pair<std::string, std::string>, isl::union_map> first_;
  std::vector<TransferSet> result_;
};

void TransferBuilder::index(const FirstReads &first) {
  const auto put = [&](const isl::map &map, const std::string &writer) { // { [S0 -> S1] -> A }
    const auto key = std::pair(tupleOf(map.domain().unwrap(), isl_dim_out), writer);
    const auto known = first_.emplace(key, none_).first;
    known->second = known->second.unite(map);
  };
  first.written.foreach_map(
      [&](const isl::map &map) { put(map.uncurry(), tupleOf(map, isl_dim_in)); }); // { S0 -> [S1 -> A] }
  first.initial.foreach_map([&](const isl::map &map) {                             // { S1 -> A }
    put(isl::manage(isl_map_from_range(map.wrap().release())).uncurry(), "");
  });
}

/// For each access whether it writes tiles of a parameter whose home may be another node than the task's. A tile at the
/// task's own place is at home there on whatever distribution: that is asked first, as to ask isl about nodes takes
/// much longer.
std::map<const AccessModel *, bool> TransferBuilder::findThoseAway() const {
  std::map<const AccessModel *, bool> result;
  for (const StatementModel &statement : model_.statements)
    for (const AccessModel &access : statement.accesses)
      result[&access] =
          !access.release && dependence::writes(*access.access) && isParameter(matrixOf(access)) &&
          !placesOf(access.tiles, model_).is_subset(statement.place) &&
          !access.tiles.is_subset(
              placement_.node(statement.task->id).apply_range(placement_.home(matrixOf(access)).reverse()));
  return result;
}

isl::union_map TransferBuilder::computeReturning() const {
  isl::union_map away = none_;
  for (const StatementModel &statement : model_.statements)
    for (const AccessModel &access : statement.accesses)
      if (mayBeAway(access))
        away = away.unite(access.cells);
  return away.is_empty() ? away : lastOf(away, model_);
}

isl::union_map TransferBuilder::wholeTiles(const isl::union_map &halves, const MatrixModel &matrix) {
  isl::union_map result = isl::union_map::empty(halves.ctx());
  halves.foreach_map([&](const isl::map &map) { result = result.unite(map.set_range_tuple(matrix.name)); });
  return result;
}

/// Calls visit(access, wanted) for the chosen arguments in the order of the task's accesses, with those tiles
/// { S0[k] -> A[k, k] } that no argument before has.
template <typename Choose, typename Visit>
void forEachArgument(const StatementModel &statement, Choose &&choose, Visit &&visit) {
  isl::union_map seen = isl::union_map::empty(statement.domain.ctx());
  for (const std::size_t argument : ir::accessOrder(*statement.task)) {
    const AccessModel &access = *std::ranges::find_if(statement.accesses, [&](const AccessModel &candidate) {
      return !candidate.release && candidate.argument == argument;
    });
    if (!choose(*access.access))
      continue;
    visit(access, access.regions.is_disjoint(seen) ? access.regions : access.regions.subtract(seen));
    seen = seen.unite(access.regions);
  }
}

void TransferBuilder::addReads(const StatementModel &reader) {
  forEachArgument(reader, dependence::reads,
                  [&](const AccessModel &access, const isl::union_map &wanted) { addReads(reader, access, wanted); });
}

/// The first reads by `access` of what `writer` wrote (empty: of what was there before the run), in one half of the
/// tiles: { [S0[k] -> S1[k, i]] -> A[k, k] }. The tuple is the whole tile's for both halves, so that the caller can
/// compare them. Without `half`, or without such reads: nothing.
Parts TransferBuilder::parts(const StatementModel &reader, const std::string &writer, const AccessModel &access,
                             const std::string &half, const isl::union_map &wanted) const {
  const auto found = first_.find({dependence::statementName(reader.task->id), writer});
  if (half.empty() || found == first_.end())
    return {none_, none_};
  isl::union_map ofHalf = none_;
  wanted.foreach_map([&](const isl::map &map) {
    if (tupleOf(map, isl_dim_out) == half)
      ofHalf = map;
  });
  const isl::union_map all = found->second.intersect_domain_factor_range(ofHalf);
  const isl::union_map last = all.intersect_domain_factor_domain(returning_);
  const isl::union_map other = last.is_empty() ? all : all.subtract(last);
  return {wholeTiles(last, matrixOf(access)), wholeTiles(other, matrixOf(access))};
}

void TransferBuilder::addReads(const StatementModel &reader, const AccessModel &access, const isl::union_map &wanted) {
  const MatrixModel &matrix = matrixOf(access);
  const bool halved = !matrix.lower.empty();
  struct Supply {
    isl::union_map source, version; // { [S1[k, i] -> A[k, k]] -> [I, J] }, and -> [time]
  };
  std::map<std::pair<ir::Region, Condition>, Supply> supplies;
  // `tiles`: { [S0[k] -> S1[k, i]] -> A[k, k] }.
  const auto supply = [&](const std::string &writer, const isl::union_map &tiles, ir::Region region, Condition when) {
    if (tiles.is_empty())
      return;
    const isl::union_map transfers = tiles.curry(); // { S0[k] -> [S1[k, i] -> A[k, k]] }
    const isl::union_map source =
        writer.empty() ? ownPlaces(transfers.range().unwrap(), model_) : transfers.reverse().apply_range(places_);
    Supply &known = supplies.emplace(std::pair(region, when), Supply{none_, none_}).first->second;
    known.source = known.source.unite(source);
    if (versions_ == Versions::Told)
      known.version = known.version.unite(writer.empty() ? beforeTheRun(transfers.range().unwrap())
                                                         : transfers.reverse().apply_range(times_));
  };
  const auto supplyFrom = [&](const std::string &writer) {
    if (!halved) {
      const Parts all = parts(reader, writer, access, matrix.name, wanted);
      supply(writer, all.last, ir::Region::Full, Condition::Away);
      supply(writer, all.other, ir::Region::Full, Condition::None);
      return;
    }
    // Each half of a tile has its own versions, but what one writer made goes in one message. For a tile, by what the
    // reader's node reads first from this writer, and what it then is sent:
    //
    //   lower half  upper half   to nodes that are not its home   to its home
    //   last        last         both                             nothing: both have come home
    //   other       other        both                             both
    //   last        other        both                             the upper half: the lower one has come home
    //   other       last         both                             the lower half
    //   last        -            the lower half                   nothing
    //   other       -            the lower half                   the lower half
    //   -           last, other  likewise, the upper half
    //
    // "-": another writer's, or read there before, or not read at all. So tsqrt(A(k, k).upper(), ..) of QR leaves the
    // vectors of geqrt alone: unmqr reads "other, -", and the geqrt of the next step, which needs all of its tile
    // from one tsmqr, "other, other". "last, other" takes a task that writes a whole tile away from home, one that
    // reads it, and a third that writes its upper half again.
    const Parts lower = parts(reader, writer, access, matrix.lower, wanted);
    const Parts upper = parts(reader, writer, access, matrix.upper, wanted);
    supply(writer, lower.last.intersect(upper.last), ir::Region::Full, Condition::Away);
    supply(writer, lower.other.intersect(upper.other), ir::Region::Full, Condition::None);
    const isl::union_map lowerReturns = lower.last.intersect(upper.other);
    const isl::union_map upperReturns = lower.other.intersect(upper.last);
    supply(writer, lowerReturns.unite(upperReturns), ir::Region::Full, Condition::Away);
    supply(writer, upperReturns, ir::Region::Lower, Condition::AtHome);
    supply(writer, lowerReturns, ir::Region::Upper, Condition::AtHome);

    const isl::union_map anyUpper = upper.last.unite(upper.other), anyLower = lower.last.unite(lower.other);
    supply(writer, lower.last.subtract(anyUpper), ir::Region::Lower, Condition::Away);
    supply(writer, lower.other.subtract(anyUpper), ir::Region::Lower, Condition::None);
    supply(writer, upper.last.subtract(anyLower), ir::Region::Upper, Condition::Away);
    supply(writer, upper.other.subtract(anyLower), ir::Region::Upper, Condition::None);
  };
  if (isParameter(matrix))
    supplyFrom("");
  for (const StatementModel &writer : model_.statements)
    supplyFrom(dependence::statementName(writer.task->id));
  for (const auto &[kind, supply] : supplies)
    add(reader, access, kind.first, kind.second, false, single(supply.source), supply.version);
}

/// { [S1[k] -> A[k, k]] -> [-1, -1] }.
isl::union_map TransferBuilder::beforeTheRun(const isl::union_map &accesses) const {
  isl::set never = isl::manage(isl_set_universe(model_.statements.front().schedule.range().space().release()));
  const auto dimensions = static_cast<unsigned>(isl_set_dim(never.get(), isl_dim_set));
  for (unsigned d = 0; d < dimensions; ++d)
    never = isl::manage(isl_set_fix_si(never.release(), isl_dim_set, d, -1));
  return isl::union_map(isl::manage(
      isl_union_map_from_domain_and_range(accesses.wrap().release(), isl_union_set_from_set(never.release()))));
}

void TransferBuilder::addReturns(const StatementModel &writer) {
  forEachArgument(writer, dependence::writes, [&](const AccessModel &access, const isl::union_map &wanted) {
    if (mayBeAway(access))
      addReturns(writer, access, wanted);
  });
}

/// The last writes by `access` in one half of the tiles, of parameters and perhaps away from home: { S0[k] -> A[k, k]
/// }, with the whole tile's tuple.
isl::union_map TransferBuilder::returning(const StatementModel &writer, const AccessModel &access,
                                          const std::string &half, const isl::union_map &wanted) const {
  isl::union_map result = none_;
  returning_.intersect_domain(writer.domain).intersect(wanted).foreach_map([&](const isl::map &map) {
    if (tupleOf(map, isl_dim_out) == half)
      result = map;
  });
  return wholeTiles(result, matrixOf(access));
}

void TransferBuilder::addReturns(const StatementModel &writer, const AccessModel &access,
                                 const isl::union_map &wanted) {
  const MatrixModel &matrix = matrixOf(access);
  const auto goHome = [&](const isl::union_map &tiles, ir::Region region) {
    if (!tiles.is_empty())
      add(writer, access, region, Condition::None, true, single(tiles.domain_map().apply_range(places_)),
          tiles.domain_map().apply_range(times_));
  };
  if (matrix.lower.empty())
    return goHome(returning(writer, access, matrix.name, wanted), ir::Region::Full);
  const isl::union_map lower = returning(writer, access, matrix.lower, wanted);
  const isl::union_map upper = returning(writer, access, matrix.upper, wanted);
  goHome(lower.intersect(upper), ir::Region::Full);
  goHome(lower.subtract(upper), ir::Region::Lower);
  goHome(upper.subtract(lower), ir::Region::Upper);
}

void TransferBuilder::add(const StatementModel &statement, const AccessModel &access, ir::Region region,
                          Condition condition, bool returns, const isl::map &source, const isl::union_map &version) {
  TransferSet set;
  set.statement = &statement;
  set.access = &access;
  set.region = region;
  set.returns = returns;
  set.condition = condition;
  set.source = source.coalesce();
  if (versions_ == Versions::Told)
    set.version = single(version).coalesce();
  // No messages at all: source and destination are one tile's place, or places at home on one node.
  const isl::map accesses = set.source.domain().unwrap(); // { S1[k, i] -> A[k, k] }
  set.destination = returns ? ownPlaces(accesses, model_)
                            : isl::manage(isl_map_domain_map(accesses.copy())).apply_range(statement.place);
  if (set.source.is_subset(set.destination))
    return;
  const isl::map home = placement_.home();
  if (!set.source.apply_range(home).is_subset(set.destination.apply_range(home)))
    result_.push_back(std::move(set));
}

} // namespace

std::vector<TransferSet> computeTransfers(const dependence::Relations &relations, const Placement &placement,
                                          Versions versions) {
  return TransferBuilder(relations, placement, versions).build();
}

} // namespace hetc::specialize
