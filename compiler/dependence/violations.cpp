// Accesses that some execution gets wrong, and the smallest execution that does.
#include "compiler/dependence/relations.hpp"
#include "compiler/ir/text.hpp"

#include <algorithm>
#include <optional>

namespace hetc::dependence {

namespace {

/// All coordinates of one bad access: { [parameters..., loops..., row, column] } and an order of importance.
class SmallestPoint {
public:
  SmallestPoint(const Model &model, const StatementModel &statement) : model_(model), statement_(statement) {}

  /// `bad`: { S0[k, i] -> A[row, column] }, not empty. Values of parameters, loops, row, column.
  std::vector<std::int64_t> find(const isl::map &bad) const {
    const isl::set points = flatten(bad);
    const isl::map costs = costOf(points.space()).as_map().intersect_domain(points); // { [point] -> [cost] }
    const isl::set best = costs.range().lexmin().apply(costs.reverse());
    const isl::multi_val value = best.sample_point().multi_val();
    std::vector<std::int64_t> result;
    for (unsigned d = 0; d < points.tuple_dim(); ++d)
      result.push_back(value.at(static_cast<int>(d)).num_si());
    return result;
  }

private:
  /// { [parameters..., loops..., row, column] }, without parameters.
  isl::set flatten(const isl::map &bad) const {
    isl_set *set = isl_set_flatten(isl_map_wrap(bad.copy()));
    set = isl_set_align_params(set, model_.context.space().release());
    const auto count = static_cast<unsigned>(model_.parameters.size());
    return isl::manage(isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, count)).intersect(boundParameters(bad));
  }

  /// The context over the flattened point: what `bad` does not mention must still be minimal.
  isl::set boundParameters(const isl::map &bad) const {
    const auto rest = static_cast<unsigned>(statement_.loops.size()) + bad.range_tuple_dim();
    const auto count = static_cast<unsigned>(model_.parameters.size());
    isl_set *set = isl_set_from_params(model_.context.copy());
    set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0, count);
    return isl::manage(isl_set_add_dims(set, isl_dim_set, rest));
  }

  /// { [point] -> [cost] }: sizes, then integers by magnitude (positive before negative), then time, then the tile.
  isl::multi_pw_aff costOf(const isl::space &space) const {
    const isl::multi_aff point = isl::multi_aff::identity_on_domain(space);
    isl::pw_aff_list costs(space.ctx(), 0);
    const std::size_t parameters = model_.parameters.size(), loops = statement_.loops.size();
    for (std::size_t d = 0; d < point.size(); ++d) {
      const isl::pw_aff x = point.at(static_cast<int>(d));
      if (d < parameters && !model_.parameters[d].minimum)
        costs = costs.add(x.max(x.neg())).add(x.neg());
      else if (d >= parameters && d < parameters + loops)
        costs = costs.add(x.scale(long{statement_.directions[d - parameters]}));
      else
        costs = costs.add(x);
    }
    return isl::multi_pw_aff(space.add_unnamed_tuple(costs.size()), costs);
  }

  const Model &model_;
  const StatementModel &statement_;
};

std::int64_t evaluateAt(const Model &model, const isl::pw_aff &tiles, const std::vector<std::int64_t> &point) {
  isl::set here = model.context;
  const isl::set universe = isl::set::universe(here.space());
  for (std::size_t p = 0; p < model.parameters.size(); ++p)
    here = here.intersect(universe.param_pw_aff_on_domain(model.parameters[p].name)
                              .eq_set(universe.pw_aff_on_domain(isl::val(here.ctx(), static_cast<long>(point[p])))));
  return tiles.intersect_params(here).max_val().num_si();
}

/// True when the comparison may be true or false whatever others of the program are: none shares an argument with it.
bool isFree(const Model &model, const Parameter &truth) {
  const std::vector<std::string> mine = ir::variables(*truth.expr);
  return std::ranges::none_of(model.parameters, [&](const Parameter &other) {
    return other.kind == Parameter::Kind::Truth && other.symbol != truth.symbol &&
           std::ranges::any_of(ir::variables(*other.expr),
                               [&](const std::string &name) { return std::ranges::find(mine, name) != mine.end(); });
  });
}

/// `bad`: { S0[k, i] -> A[row, column] } of this access that are wrong; nothing when empty.
std::optional<Violation> makeViolation(const Model &model, const StatementModel &statement, const AccessModel &access,
                                       const isl::map &bad, Violation::Kind kind) {
  if (bad.is_empty())
    return std::nullopt;
  const std::vector<std::int64_t> point = SmallestPoint(model, statement).find(bad);
  const MatrixModel &matrix = model.matrices.at(access.access->matrix);
  Violation violation;
  violation.kind = kind;
  violation.task = statement.task->id;
  violation.argument = access.argument;
  violation.release = access.release;
  violation.location = access.access->location.line ? access.access->location : statement.task->location;
  violation.matrix = access.access->matrix;
  violation.writes = !access.release && writes(*access.access);
  violation.mt = evaluateAt(model, matrix.rows, point);
  violation.nt = evaluateAt(model, matrix.cols, point);
  std::size_t d = 0;
  for (const Parameter &parameter : model.parameters) {
    const bool isTiles = parameter.kind == Parameter::Kind::Tiles;
    if (parameter.kind == Parameter::Kind::Truth && isFree(model, parameter)) {
      ++d; // nothing needs to be confirmed
      continue;
    }
    if (parameter.kind == Parameter::Kind::Extent && parameter.expr && ir::isPeriod(parameter.expr->extent)) {
      violation.periods.emplace_back(ir::print(*parameter.expr), point[d++]);
      continue;
    }
    (isTiles ? violation.tileCounts : violation.scalars)
        .emplace_back(isTiles ? parameter.symbol : parameter.name, point[d++]);
  }
  for (const ir::Loop *loop : statement.loops)
    violation.loops.emplace_back(loop->variable, point[d++]);
  violation.row = point[d];
  violation.column = point[d + 1];
  return violation;
}

/// { S0[k] -> A[row, column] }: what this access reads without a value in one region, as whole tiles.
isl::map unwrittenTiles(const isl::union_map &initial, const AccessModel &access, const std::string &region) {
  const isl::space space = access.tiles.set_range_tuple(region).space();
  const isl::map unwritten = initial.extract_map(space).intersect(access.regions.extract_map(space));
  return unwritten.set_range_tuple(access.tiles.range_tuple_id());
}

/// `missing`: { S0[k] -> A[k, k] }, reads that find no content.
std::optional<Violation> findMissing(const Model &model, const isl::union_map &missing, const StatementModel &statement,
                                     const AccessModel &access, Violation::Kind kind) {
  const MatrixModel &matrix = model.matrices.at(access.access->matrix);
  const bool isHalved = !matrix.lower.empty();
  const isl::map lower = unwrittenTiles(missing, access, isHalved ? matrix.lower : matrix.name);
  const isl::map upper = isHalved ? unwrittenTiles(missing, access, matrix.upper) : lower;
  const isl::map unwritten = lower.unite(upper).intersect_range(matrix.tiles);
  auto violation = makeViolation(model, statement, access, unwritten, kind);
  if (violation && isHalved && lower.is_empty() != upper.is_empty())
    violation->region = lower.is_empty() ? ir::Region::Upper : ir::Region::Lower;
  return violation;
}

/// An access to a tile of the matrix that is none of those that the program takes it from.
std::optional<Violation> findStray(const Model &model, const StatementModel &statement, const AccessModel &access) {
  for (std::size_t r = 0; r < access.strays.size(); ++r)
    if (auto violation = makeViolation(model, statement, access, access.strays[r], Violation::Kind::OutOfRange)) {
      const ir::TileRange &range = access.access->inside[r];
      violation->range = violation->matrix + ".tiles(" + ir::print(*range.row) + ", " + ir::print(*range.rowEnd) +
                         ", " + ir::print(*range.column) + ", " + ir::print(*range.columnEnd) + ")";
      return violation;
    }
  return std::nullopt;
}

std::vector<Violation> findMissingReads(const Model &model, const isl::union_map &missing, Violation::Kind kind) {
  std::vector<Violation> violations;
  for (const StatementModel &statement : model.statements)
    for (const AccessModel &access : statement.accesses) {
      const bool isOwn = !model.program->isParameter(*model.matrices.at(access.access->matrix).matrix);
      if (!isOwn || access.release || !reads(*access.access))
        continue;
      if (auto violation = findMissing(model, missing, statement, access, kind))
        violations.push_back(std::move(*violation));
    }
  return violations;
}
} // namespace

std::vector<Violation> findBoundsViolations(const Model &model) {
  std::vector<Violation> violations;
  for (const StatementModel &statement : model.statements)
    for (const AccessModel &access : statement.accesses) {
      if (auto stray = findStray(model, statement, access)) { // which says more
        violations.push_back(std::move(*stray));
        continue;
      }
      const isl::set &tiles = model.matrices.at(access.access->matrix).tiles;
      const isl::map outside = access.tiles.subtract(access.tiles.intersect_range(tiles));
      if (auto violation = makeViolation(model, statement, access, outside, Violation::Kind::OutOfBounds))
        violations.push_back(std::move(*violation));
    }
  return violations;
}

std::vector<Violation> findUninitializedReads(const Relations &relations) {
  const isl::union_map missing = relations.initialReads.unite(relations.readsOfEarlierCalls);
  return findMissingReads(relations.model, missing, Violation::Kind::Uninitialized);
}

std::vector<Violation> findReadsAfterRelease(const Model &model) {
  return findMissingReads(model, computeReadsAfterRelease(model), Violation::Kind::Released);
}

} // namespace hetc::dependence
