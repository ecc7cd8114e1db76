// When does someone else need the tile that a task works on? See dependence::derivePriorities.
#include "compiler/dependence/expr_from_isl.hpp"
#include "compiler/dependence/relations.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hetc::dependence {

namespace {

constexpr std::size_t maxPieces = 4;     // that a reader of the generated code can follow
constexpr std::size_t maxRawPieces = 16; // worth trying to merge
constexpr long lookahead = 3;            // see dependence::derivePriorities

/// Time of a statement cut to the top level: { S0[k, i] -> [position, k] }, k = 0 outside loops.
isl::multi_aff outerTime(const StatementModel &statement) {
  const isl::space space = statement.domain.space();
  isl::aff_list time(space.ctx(), 2);
  time = time.add(statement.time.at(0));
  time = time.add(statement.time.size() > 1 ? statement.time.at(1) : isl::aff::zero_on_domain(space));
  return isl::multi_aff(space.add_unnamed_tuple(2), time);
}

/// One line of time through all top-level statements of a program, in iterations of the outermost loops. In getrf.tla
/// with 3 x 3 tiles the factorization, loop k, has the ticks 0, 1, 2, and the interchanges behind it, loop j_1, go on
/// with 3, 4 (j_1 = 2 has no task): { [0, k] -> k; [1, j_1] -> 3 + j_1 }, in all 5.
class Clock {
public:
  explicit Clock(const Model &model) : total_(constant(model, 0)) {
    const isl::set when = times(model);
    ticks_ = isl::manage(isl_pw_aff_empty(when.space().add_unnamed_tuple(1).release()));
    for (long position = 0; position <= lastPosition(when); ++position)
      addNest(model, when, position);
  }

  const isl::pw_aff &ticks() const { return ticks_; } ///< { [position, k] -> [ticks] }
  const isl::pw_aff &total() const { return total_; } ///< { [] -> [ticks] }

private:
  /// { [position, k] : some task runs then }.
  static isl::set times(const Model &model) {
    isl::set result = isl::set::empty(isl::space::unit(model.ctx.get()).add_unnamed_tuple(2));
    for (const StatementModel &statement : model.statements)
      result = result.unite(statement.domain.apply(outerTime(statement).as_map()));
    return result.coalesce();
  }

  static isl::pw_aff constant(const Model &model, long value) {
    return isl::set::universe(model.context.space()).pw_aff_on_domain(value);
  }

  static long lastPosition(const isl::set &when) { return when.is_empty() ? -1 : when.dim_max_val(0).num_si(); }

  // The nest's k runs from first to last, so that k - first is the iteration's number (for steps of one).
  void addNest(const Model &model, const isl::set &when, long position) {
    const isl::ctx ctx = when.ctx();
    const isl::set here(ctx, "{ [" + std::to_string(position) + ", k] }");
    const isl::set nest = when.intersect(here).apply(isl::map(ctx, "{ [p, k] -> [k] }")).coalesce();
    if (nest.is_empty())
      return;
    const isl::pw_aff first = everywhere(model, nest.lexmin_pw_multi_aff().at(0));
    const isl::pw_aff last = everywhere(model, nest.lexmax_pw_multi_aff().at(0));
    const isl::space space = when.space();
    const isl::pw_aff k = isl::multi_aff::identity_on_domain(space).at(1);
    const isl::pw_aff start = total_.sub(first).insert_domain(space);
    ticks_ = ticks_.union_add(k.add(start).intersect_domain(here));
    total_ = total_.add(last.sub(first).add_constant(1)).coalesce();
  }

  // A bound of a nest holds where the nest is not empty. Elsewhere any value does, and with a single piece its own
  // expression keeps the result simple.
  static isl::pw_aff everywhere(const Model &model, const isl::pw_aff &bound) {
    const isl::pw_aff onParameters = isl::manage(isl_pw_aff_project_domain_on_params(bound.copy())).coalesce();
    if (onParameters.n_piece() != 1)
      return onParameters.union_add(constant(model, 0).subtract_domain(onParameters.domain()));
    isl::pw_aff result;
    onParameters.foreach_piece([&](const isl::set &, const isl::multi_aff &value) { result = value.at(0); });
    return result;
  }

  isl::pw_aff ticks_, total_;
};

/// { S0[k, i] -> A[row, column] }: the tile a task works on, of a panel the first.
isl::map mainTile(const StatementModel &statement) {
  for (const AccessModel &access : statement.accesses)
    if (!access.release && access.argument == statement.task->mainOutput)
      return access.access->isRun() ? access.tiles.lexmin() : access.tiles;
  return isl::map::empty(statement.domain.space().add_unnamed_tuple(2));
}

/// { S0[k, i] -> A[row', column] }: all of the tiles' columns, however long.
isl::map wholeColumns(const isl::map &tiles) { return isl::manage(isl_map_eliminate(tiles.copy(), isl_dim_out, 0, 1)); }

class PriorityFinder {
public:
  explicit PriorityFinder(const Model &model) : model_(model), clock_(model) {}

  Priorities run() {
    Priorities result;
    if (!anyForeignUse())
      return result;
    for (const StatementModel &statement : model_.statements)
      if (auto priority = makePriority(statement))
        result[statement.task->id] = *priority;
    return result;
  }

private:
  /// Whether any task reads what another tile's task wrote: if none does, priorities tell nothing.
  bool anyForeignUse() const {
    return std::ranges::any_of(model_.statements, [&](const StatementModel &statement) {
      return !firstUse(statement, Users::OtherTiles).domain().is_empty();
    });
  }

  /// The tasks whose reads count: all, those that work on another tile, or those that work on another column of tiles.
  enum class Users { All, OtherTiles, OtherColumns };

  /// { S0[k, i] -> [ticks] } where some task reads an output later: another tile's task where there is one, else any.
  isl::pw_aff firstUse(const StatementModel &producer) const {
    const isl::pw_aff foreign = firstUse(producer, Users::OtherTiles);
    return foreign.domain().is_empty() ? firstUse(producer, Users::All) : foreign;
  }

  /// { S0[k, i] -> [ticks] } where another column's task later reads some tile of the column that this task works on:
  /// when it first does. At least firstUse(); and where the task writes tiles besides its main one, which others may
  /// read without the column (the interchanges of a panel), at most the time at which another column's task reads an
  /// output.
  isl::pw_aff firstUseOfColumn(const StatementModel &producer, const isl::pw_aff &firstUse) const {
    const isl::pw_aff ofColumn = first(usesOf(producer, wholeColumns(mainTile(producer)), Users::OtherColumns));
    const isl::pw_aff later = ofColumn.intersect_domain(firstUse.domain()).max(firstUse);
    if (later.domain().is_empty() || writesMainOnly(producer)) // who reads that reads the column
      return later.coalesce();
    const isl::pw_aff ofOutput = this->firstUse(producer, Users::OtherColumns).intersect_domain(later.domain());
    return isl::manage(isl_pw_aff_union_min(later.copy(), ofOutput.copy())).coalesce();
  }

  static bool writesMainOnly(const StatementModel &statement) {
    return std::ranges::all_of(statement.accesses, [&](const AccessModel &access) {
      return access.release || !writes(*access.access) || access.argument == statement.task->mainOutput;
    });
  }

  isl::pw_aff firstUse(const StatementModel &producer, Users users) const {
    isl::map uses = isl::map::empty(producer.domain.space().add_unnamed_tuple(2)); // { S0[k, i] -> [position, k'] }
    for (const AccessModel &access : producer.accesses)
      if (!access.release && writes(*access.access))
        uses = uses.unite(usesOf(producer, access.tiles, users));
    return first(uses);
  }

  isl::pw_aff first(const isl::map &uses) const {
    return clock_.ticks().pullback(uses.coalesce().lexmin_pw_multi_aff()).coalesce();
  }

  /// { S0[k, i] -> [position, k'] }: the times, outermost iterations only, at which some task of `users` reads a tile
  /// of `output`, { S0[k, i] -> A[row, column] }, later than S0[k, i] runs. Whether the tile is written in between is
  /// not asked: of all these times only the first counts.
  isl::map usesOf(const StatementModel &producer, const isl::map &output, Users users) const {
    isl::map uses = isl::map::empty(producer.domain.space().add_unnamed_tuple(2));
    for (const StatementModel &consumer : model_.statements) {
      const bool isApart = countCommonLoops(producer, consumer) == 0;
      if (isApart && later(producer, consumer).is_empty())
        continue;
      const isl::map reads = readsOf(consumer, output, users);
      if (reads.is_empty())
        continue;
      isl::map pairs = output.apply_range(reads.reverse()); // { S0[k, i] -> S1[k'] }
      if (!isApart)
        pairs = pairs.intersect(later(producer, consumer));
      uses = uses.unite(pairs.apply_range(outerTime(consumer).as_map()));
    }
    return uses;
  }

  /// runsBefore(), found once.
  const isl::map &later(const StatementModel &producer, const StatementModel &consumer) const {
    const auto [known, isNew] = later_.try_emplace(std::pair(producer.task->id, consumer.task->id));
    if (isNew)
      known->second = runsBefore(producer, consumer);
    return known->second;
  }

  /// { S1[k'] -> A[row, column] } that this task reads, of the matrix of `output`; none if it is not of `users`.
  static isl::map readsOf(const StatementModel &consumer, const isl::map &output, Users users) {
    isl::map result =
        isl::map::empty(consumer.domain.space().add_unnamed_tuple(2)).set_range_tuple(output.range_tuple_id());
    for (const AccessModel &access : consumer.accesses)
      if (!access.release && reads(*access.access) && sameMatrix(access.tiles, output))
        result = result.unite(access.tiles);
    const isl::map own = mainTile(consumer);
    if (users == Users::All || !sameMatrix(own, output))
      return result;
    return result.subtract(users == Users::OtherTiles ? own : wholeColumns(own));
  }

  static bool sameMatrix(const isl::map &a, const isl::map &b) {
    return a.has_range_tuple_id() && b.has_range_tuple_id() && a.range_tuple_id().name() == b.range_tuple_id().name();
  }

  /// Minus the time of the first use, or of the column's first use where that is later, but not later by more than
  /// `lookahead`: max(-column, -(use + lookahead)). For the gemm of getrf.tla, which updates A(i, j) in step k:
  ///
  ///   use       k + 1: then tasks on other tiles of the column read it, laswp, gemm or, of the panel, getrf
  ///   ofColumn  j: then column j is the panel, and trsm and gemm of other columns read it
  ///   priority  max(-j, -(k + 1 + 3)): with k = 0, for columns 1, 2, 3, 4, 5, ...: -1, -2, -3, -4, -4, ...
  ///
  /// So the columns that are panels soon come first, in their order, and those further on as far as the step goes. No
  /// use is before the task's own time, which stands for the use where that is too long an expression.
  std::optional<ir::ExprRef> makePriority(const StatementModel &statement) const {
    isl::pw_aff use = firstUse(statement);
    if (!text(statement, piecesOf(statement, use)))
      use = clock_.ticks().pullback(outerTime(statement)).intersect_domain(statement.domain);
    const isl::pw_aff ofColumn = firstUseOfColumn(statement, use);
    const std::vector<Piece> direct = piecesOf(statement, use), columns = piecesOf(statement, ofColumn);
    if (columns.empty() || ofColumn.domain().is_empty())
      return text(statement, direct);
    const std::vector<Piece> least = piecesOf(statement, use.add_constant(lookahead));
    const auto forColumn = text(statement, columns), forLeast = text(statement, least);
    if (!forColumn || !forLeast || isNowhereLess(columns, direct))
      return text(statement, direct);
    return isNowhereLess(columns, least) ? forColumn : ir::makeBinary(ir::ExprKind::Max, *forColumn, *forLeast);
  }

  std::optional<ir::ExprRef> text(const StatementModel &statement, const std::vector<Piece> &pieces) const {
    if (pieces.empty())
      return std::nullopt;
    return toExpr(statement, model_.parameters, pieces, statement.domain);
  }

  /// a >= b wherever both are defined: as priorities, a is nowhere less urgent.
  static bool isNowhereLess(const std::vector<Piece> &a, const std::vector<Piece> &b) {
    return std::ranges::all_of(a, [&](const Piece &here) {
      return std::ranges::all_of(b, [&](const Piece &there) {
        return here.domain.intersect(there.domain).is_subset(isl::pw_aff(here.value).ge_set(there.value));
      });
    });
  }

  /// Minus the time of use, for all instances, those without a use included (fillRest()). Empty when it has too many
  /// cases.
  std::vector<Piece> piecesOf(const StatementModel &statement, const isl::pw_aff &use) const {
    std::vector<Piece> pieces;
    use.neg().foreach_piece([&](const isl::set &domain, const isl::multi_aff &value) {
      pieces.push_back({domain, value.at(0)});
    });
    if (pieces.size() > maxRawPieces)
      return {};
    mergeEqual(pieces);
    fillRest(statement, pieces);
    mergeEqual(pieces);
    if (pieces.size() > maxPieces)
      return {};
    return pieces;
  }

  /// Pieces of which one's expression serves the other's domain as well become one.
  static void mergeEqual(std::vector<Piece> &pieces) {
    auto serves = [](const isl::aff &value, const Piece &other) {
      return other.domain.is_subset(isl::pw_aff(value).eq_set(other.value));
    };
    for (std::size_t i = 0; i < pieces.size(); ++i)
      for (std::size_t j = 0; j < pieces.size(); ++j)
        if (i != j && serves(pieces[i].value, pieces[j])) {
          pieces[i].domain = pieces[i].domain.unite(pieces[j].domain).coalesce();
          pieces.erase(pieces.begin() + static_cast<std::ptrdiff_t>(j));
          return mergeEqual(pieces);
        }
  }

  /// A priority for instances whose tile no one else reads: a neighbour's expression if it is not later than now and
  /// leaves fewer cases, else the lowest.
  void fillRest(const StatementModel &statement, std::vector<Piece> &pieces) const {
    isl::set rest = statement.domain;
    for (const Piece &piece : pieces)
      rest = rest.subtract(piece.domain);
    if (rest.is_empty())
      return;
    const isl::pw_aff now = clock_.ticks().pullback(outerTime(statement)).neg();
    Piece *best = nullptr;
    unsigned fewest = 0;
    for (Piece &piece : pieces) {
      if (!rest.is_subset(isl::pw_aff(piece.value).le_set(now)))
        continue;
      const unsigned parts = piece.domain.unite(rest).coalesce().n_basic_set();
      if (!best || parts < fewest) {
        best = &piece;
        fewest = parts;
      }
    }
    if (best) {
      best->domain = best->domain.unite(rest).coalesce();
      return;
    }
    const isl::pw_aff lowest = clock_.total().neg().insert_domain(statement.domain.space()).intersect_domain(rest);
    lowest.foreach_piece([&](const isl::set &domain, const isl::multi_aff &value) {
      pieces.push_back({domain, value.at(0)});
    });
  }

  const Model &model_;
  Clock clock_;
  mutable std::map<std::pair<unsigned, unsigned>, isl::map> later_;
};
} // namespace

Priorities computePriorities(const Model &model) { return PriorityFinder(model).run(); }

} // namespace hetc::dependence
