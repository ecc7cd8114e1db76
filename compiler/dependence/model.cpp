#include "compiler/dependence/model.hpp"

#include "compiler/dependence/slice_columns.hpp"
#include "compiler/ir/expr_properties.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>
#include <set>

namespace hetc::dependence {

namespace {

/// { name[v1, v2, ...] }'s space with its dimensions bound to parameters of these names.
isl::multi_id tupleOf(isl::ctx ctx, const std::string &name, const std::vector<std::string> &variables) {
  isl::id_list ids(ctx, static_cast<int>(variables.size()));
  for (const std::string &variable : variables)
    ids = ids.add(isl::id(ctx, variable));
  return isl::multi_id(isl::space::unit(ctx).add_named_tuple(name, variables.size()), ids);
}

std::size_t depthOf(const ir::Block &block) {
  std::size_t depth = 0;
  for (const ir::Statement &statement : block) {
    if (auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
      depth = std::max(depth, 1 + depthOf((*loop)->body));
    else if (auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
      depth = std::max({depth, depthOf((*branch)->then), depthOf((*branch)->otherwise)});
  }
  return depth;
}

/// The tile coordinates while they are parameters; no C++ name clashes with a prime.
const std::string rowName = "i'", columnName = "j'";

/// { A[row, column] : ... } from a parameter set over the tile coordinates.
isl::set bindTile(const isl::set &tiles, const std::string &tuple) {
  const isl::ctx ctx = tiles.ctx();
  const isl::space plain = isl::space::unit(ctx).add_named_tuple(tuple, 2); // dimensions without names, for short text
  return tiles.unbind_params(tupleOf(ctx, tuple, {rowName, columnName}))
      .preimage(isl::multi_aff::identity_on_domain(plain));
}

/// Walks the program once. While it is inside loops, their variables are parameters of isl's sets, as the sizes are: so
/// conditions and indices are translated where they stand, without knowing how deep that is. A task binds them to the
/// dimensions of its statement. For the trsm of algorithms/cholesky.tla, in loop i inside loop k:
///
///   reached, in visitLoop()        [T_n, k, i] -> { : 0 <= k < T_n and k < i < T_n }
///   access A(i, k), makeAccess()   [T_n, k, i] -> { A[i', j'] : i' = i and j' = k }
///   visitTask(): domain            [T_n] -> { S1[k, i] : 0 <= k < T_n and k < i < T_n }
///                tiles             [T_n] -> { S1[k, i] -> A[i, k] }, on the domain from finish() on
///
/// Time interleaves positions and loop variables, the outermost first, padded with zeros to the deepest task (the 2d +
/// 1 form of schedules). In the body of k potrf has position 0, loop i 1 and loop j 2; in that of j herk 0 and loop i_1
/// 1:
///
///   potrf S0[k]       -> [0, k, 0, 0, 0, 0,   0]      trsm S1[k, i]      -> [0, k, 1, i, 0, 0,   0]
///   herk  S2[k, j]    -> [0, k, 2, j, 0, 0,   0]      gemm S3[k, j, i_1] -> [0, k, 2, j, 1, i_1, 0]
class ModelBuilder {
public:
  ModelBuilder(const ir::Program &program, Model &model, Steps steps)
      : program_(program), model_(model), steps_(steps), ctx_(model.ctx.get()),
        translator_(*(model.translator = std::make_shared<AffineTranslator>(ctx_, program, steps == Steps::Covered))) {}

  void build() {
    model_.program = &program_;
    for (const ir::Matrix &matrix : program_.matrices)
      addMatrix(matrix);
    findHalves();
    depth_ = depthOf(program_.body);
    visit(program_.body, allowed());
    model_.parameters = translator_.parameters().ordered();
    model_.context = translator_.parameters().context(ctx_);
    finish();
  }

private:
  isl::set allowed();
  isl::set withTiles(isl::set known);
  void addMatrix(const ir::Matrix &matrix);
  void findHalves();
  isl::set existingTiles(const ir::Matrix &matrix, const MatrixModel &model) const;
  std::string uniqueTileName(std::string wanted);

  void visit(const ir::Block &block, const isl::set &reached);
  void visitLoop(const ir::Loop &loop, const isl::set &reached);
  void visitTask(const ir::Task &task, const isl::set &reached);
  AccessModel makeAccess(const ir::Task &task, const ir::TileAccess &access, std::size_t argument, bool release);
  isl::map makePlace(const ir::Task &task);
  std::vector<isl::map> makeStrays(const isl::set &tiles, const ir::TileAccess &access);
  isl::union_map byCell(const isl::union_map &regions, const ir::TileAccess &access) const;
  isl::set everyStep(const ir::Expr &step, const isl::pw_aff &distance) const;
  isl::union_map byRegion(const isl::map &tiles, const ir::TileAccess &access) const;
  void finish();
  isl::multi_aff makeTime(const isl::set &domain) const;

  const ir::Program &program_;
  Model &model_;
  const Steps steps_;
  isl::ctx ctx_;
  AffineTranslator &translator_;
  std::set<std::string> tileNames_;
  std::vector<const ir::Loop *> loops_;
  std::vector<int> directions_;
  /// The positions, in each enclosing block, the program's first, of the statement that is visited next; the branches
  /// of an if count as if they stood there one behind the other. Inside k and j of Cholesky, at gemm's loop: {0, 2, 1}.
  std::vector<long> positions_ = {0};
  std::size_t depth_ = 0; // of the most deeply nested task
};

/// Without a choice: isl sees one case.
static bool isOneCase(const ir::Expr &expr) {
  using enum ir::ExprKind;
  const bool chooses =
      expr.kind == Select || expr.kind == Or || expr.kind == Ne || expr.kind == Min || expr.kind == Max;
  return !chooses && std::ranges::all_of(expr.operands, [](const ir::ExprRef &operand) { return isOneCase(*operand); });
}

/// { : the program is for these arguments }, as far as that is affine and one case: what is known of parameters is in
/// every set, and isl takes a multiple of the time for several.
isl::set ModelBuilder::allowed() {
  isl::set result = translator_.universe();
  for (const auto &[condition, callee] : program_.requirements)
    try {
      if (isOneCase(*condition))
        result = result.intersect(translator_.condition(*condition));
    } catch (const NonAffine &) { // then it is for more
    }
  return withTiles(result);
}

/// Adds that there is a tile wherever a size is at least 1.
isl::set ModelBuilder::withTiles(isl::set known) {
  const std::vector<Parameter> parameters = translator_.parameters().ordered();
  const isl::set facts = known.intersect_params(translator_.parameters().context(ctx_)); // a tile has an element
  const auto isPositive = [&](const std::string &symbol) {
    return std::ranges::any_of(parameters, [&](const Parameter &size) {
      return size.kind == Parameter::Kind::Size && size.symbol == symbol &&
             facts.intersect(translator_.parameter(size.name).le_set(translator_.constant(0))).is_empty();
    });
  };
  for (const Parameter &tiles : parameters)
    if (tiles.kind == Parameter::Kind::Tiles && isPositive(tiles.symbol))
      known = known.intersect(translator_.parameter(tiles.name).ge_set(translator_.constant(1)));
  return known;
}

void ModelBuilder::addMatrix(const ir::Matrix &matrix) {
  translator_.setLocation(matrix.location);
  MatrixModel model;
  model.matrix = &matrix;
  model.name = uniqueTileName(matrix.name);
  model.rows = translator_.tileRows(matrix);
  model.cols = translator_.columns(matrix);
  model.tiles = existingTiles(matrix, model);
  model_.matrices.emplace(matrix.name, std::move(model));
}

isl::set ModelBuilder::existingTiles(const ir::Matrix &matrix, const MatrixModel &model) const {
  const isl::pw_aff zero = translator_.constant(0);
  const isl::pw_aff i = translator_.parameter(rowName), j = translator_.parameter(columnName);
  isl::set tiles = i.ge_set(zero).intersect(i.lt_set(model.rows));
  tiles = tiles.intersect(j.ge_set(zero)).intersect(j.lt_set(model.cols));
  // The first and the last slice column of tile column i.
  const isl::val slices(ctx_, static_cast<long>(matrix.isSliced() ? program_.slices : 1));
  const isl::pw_aff first = i.scale(slices), last = first.add(translator_.constant(slices.num_si() - 1));
  if (matrix.kind == ir::MatrixKind::Lower)
    tiles = tiles.intersect(j.le_set(last));
  if (matrix.kind == ir::MatrixKind::Upper)
    tiles = tiles.intersect(j.ge_set(first));
  return bindTile(tiles, model.name).coalesce();
}

// Tile tuples and statement tuples share a name space in isl's text: S3 stays a statement.
std::string ModelBuilder::uniqueTileName(std::string wanted) {
  auto isStatement = [](const std::string &name) {
    return name.size() > 1 && name[0] == 'S' &&
           std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c); });
  };
  auto isMatrix = [&](const std::string &name) { return program_.findMatrix(name) && name != wanted; };
  std::string name = wanted;
  while (isStatement(name) || isMatrix(name) || tileNames_.count(name))
    name += "_";
  tileNames_.insert(name);
  return name;
}

void ModelBuilder::findHalves() {
  std::set<std::string> halved;
  ir::forEachTask(program_.body, [&](const ir::Task &task) {
    for (const ir::Argument &argument : task.arguments)
      if (auto *access = std::get_if<ir::TileAccess>(&argument); access && access->touched() != ir::Region::Full)
        halved.insert(access->matrix);
  });
  for (const std::string &name : halved) {
    MatrixModel &model = model_.matrices.at(name);
    model.lower = uniqueTileName(model.name + "L");
    model.upper = uniqueTileName(model.name + "U");
  }
}

/// `reached`: { : execution comes to this block }, with the loops' variables as parameters.
void ModelBuilder::visit(const ir::Block &block, const isl::set &reached) {
  for (const ir::Statement &statement : block) {
    if (auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
      visitLoop(**loop, reached);
    } else if (auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      translator_.setLocation((*branch)->location);
      const ir::Expr &condition = *(*branch)->condition;
      const isl::set holds = translator_.condition(condition);
      visit((*branch)->then, reached.intersect(holds));
      visit((*branch)->otherwise,
            ir::asksTiles(condition) ? reached.intersect(translator_.negation(condition)) : reached.subtract(holds));
    } else {
      visitTask(*std::get<std::unique_ptr<ir::Task>>(statement), reached);
      ++positions_.back();
    }
  }
}

void ModelBuilder::visitLoop(const ir::Loop &loop, const isl::set &reached) {
  const isl::set context = translator_.parameters().context(ctx_);
  const Iterations found = iterations(translator_, loop, reached.intersect(context), steps_);
  model_.complete = model_.complete && found.complete;
  loops_.push_back(&loop);
  directions_.push_back(found.direction);
  positions_.push_back(0);
  visit(loop.body, found.set);
  positions_.pop_back();
  directions_.pop_back();
  loops_.pop_back();
  translator_.leave(loop.variable);
  ++positions_.back();
}

void ModelBuilder::visitTask(const ir::Task &task, const isl::set &reached) {
  StatementModel statement;
  statement.task = &task;
  statement.loops = loops_;
  statement.directions = directions_;
  for (std::size_t a = 0; a < task.arguments.size(); ++a)
    if (auto *access = std::get_if<ir::TileAccess>(&task.arguments[a]))
      statement.accesses.push_back(makeAccess(task, *access, a, false));
  for (std::size_t r = 0; r < task.releases.size(); ++r)
    statement.accesses.push_back(makeAccess(task, task.releases[r], r, true));

  std::vector<std::string> variables;
  for (const ir::Loop *loop : loops_)
    variables.push_back(loop->variable);
  statement.place = makePlace(task);
  const isl::multi_id tuple = tupleOf(ctx_, statementName(task.id), variables);
  statement.domain = reached.unbind_params(tuple);
  statement.time = makeTime(statement.domain);
  statement.schedule = statement.time.as_map();
  for (AccessModel &access : statement.accesses) {
    access.tiles = access.tiles.range().unbind_params_insert_domain(tuple);
    for (isl::map &strays : access.strays)
      strays = strays.range().unbind_params_insert_domain(tuple);
  }
  statement.place = statement.place.range().unbind_params_insert_domain(tuple);
  model_.statements.push_back(std::move(statement));
}

/// The tiles of an access, as the range of a map without a domain, over loop variables that are parameters: visitTask()
/// binds them. finish() makes `regions` and `cells` of it.
AccessModel ModelBuilder::makeAccess(const ir::Task &task, const ir::TileAccess &access, std::size_t argument,
                                     bool release) {
  translator_.setLocation(access.location.line ? access.location : task.location);
  const isl::pw_aff i = translator_.parameter(rowName), j = translator_.parameter(columnName);
  const isl::pw_aff row = translator_.value(*access.row), column = translator_.value(*access.column);
  isl::set tiles =
      access.columnEnd ? j.ge_set(column).intersect(j.lt_set(translator_.value(*access.columnEnd))) : j.eq_set(column);
  tiles = access.rowEnd ? tiles.intersect(i.ge_set(row)).intersect(i.lt_set(translator_.value(*access.rowEnd)))
                        : tiles.intersect(i.eq_set(row));
  if (access.rowStep)
    tiles = tiles.intersect(everyStep(*access.rowStep, i.sub(row)));
  const isl::set range = bindTile(tiles, model_.matrices.at(access.matrix).name);
  return {argument,
          release,
          &access,
          isl::manage(isl_map_from_range(range.copy())),
          makeStrays(tiles, access),
          isl::union_map::empty(ctx_),
          isl::union_map::empty(ctx_)};
}

/// `tiles`: those of the access, over the tile coordinates as parameters.
std::vector<isl::map> ModelBuilder::makeStrays(const isl::set &tiles, const ir::TileAccess &access) {
  std::vector<isl::map> result;
  const isl::pw_aff i = translator_.parameter(rowName), j = translator_.parameter(columnName);
  for (const ir::TileRange &range : access.inside) {
    const isl::set rows = i.ge_set(translator_.value(*range.row)).intersect(i.lt_set(translator_.value(*range.rowEnd)));
    const isl::set columns =
        j.ge_set(translator_.value(*range.column)).intersect(j.lt_set(translator_.value(*range.columnEnd)));
    const isl::set strays = bindTile(tiles.subtract(rows.intersect(columns)), model_.matrices.at(access.matrix).name);
    result.push_back(isl::manage(isl_map_from_range(strays.copy())));
  }
  return result;
}

/// The tiles of a panel at these distances from its first, by its step. A cover has all tiles in between as well.
isl::set ModelBuilder::everyStep(const ir::Expr &step, const isl::pw_aff &distance) const {
  if (const auto constant = ir::evaluate(step, {}); constant && *constant > 0)
    return distance.mod(isl::val(ctx_, static_cast<long>(*constant))).eq_set(translator_.constant(0));
  if (steps_ == Steps::Constant)
    translator_.fail(step, "is not affine: the step of a panel is not a constant");
  return translator_.universe();
}

/// Where the task's main output stands (Model::place): that of its first tile, as makeAccess() has tiles. Made from the
/// bounds of a panel, so that one without tiles has a place, too.
isl::map ModelBuilder::makePlace(const ir::Task &task) {
  ir::TileAccess first = std::get<ir::TileAccess>(task.arguments[task.mainOutput]);
  first.rowEnd = first.rowStep = first.columnEnd = nullptr;
  const AccessModel access = makeAccess(task, first, task.mainOutput, false);
  return isl::manage(isl_map_reset_tuple_id(access.tiles.copy(), isl_dim_out))
      .apply_range(model_.place(*program_.findMatrix(first.matrix)));
}

isl::union_map ModelBuilder::byRegion(const isl::map &tiles, const ir::TileAccess &access) const {
  const MatrixModel &matrix = model_.matrices.at(access.matrix);
  if (matrix.lower.empty())
    return tiles;
  isl::union_map result = isl::union_map::empty(ctx_);
  if (access.touched() != ir::Region::Upper)
    result = result.unite(tiles.set_range_tuple(matrix.lower));
  if (access.touched() != ir::Region::Lower)
    result = result.unite(tiles.set_range_tuple(matrix.upper));
  return result;
}

isl::union_map ModelBuilder::byCell(const isl::union_map &regions, const ir::TileAccess &access) const {
  if (!program_.findMatrix(access.matrix)->isSliced())
    return regions;
  isl::union_map result = isl::union_map::empty(ctx_);
  regions.foreach_map([&](const isl::map &map) { result = result.unite(splitSliceColumns(map, program_.slices)); });
  return result;
}

// Now that all parameters are known: the same ones, in the same order, everywhere.
void ModelBuilder::finish() {
  auto align = [&](const isl::set &set) {
    return isl::manage(isl_set_align_params(set.copy(), model_.context.space().release()));
  };
  for (auto &[name, matrix] : model_.matrices)
    matrix.tiles = align(matrix.tiles.intersect_params(model_.context).coalesce());
  for (StatementModel &statement : model_.statements) {
    statement.domain = align(statement.domain.intersect_params(model_.context).coalesce());
    statement.schedule = statement.time.as_map().intersect_domain(statement.domain);
    statement.place = statement.place.intersect_domain(statement.domain).coalesce();
    for (AccessModel &access : statement.accesses) {
      access.tiles = access.tiles.intersect_domain(statement.domain).coalesce();
      for (isl::map &strays : access.strays)
        strays = strays.intersect_domain(statement.domain);
      access.regions = byRegion(access.tiles, *access.access);
      access.cells = byCell(access.regions, *access.access);
    }
  }
}

isl::multi_aff ModelBuilder::makeTime(const isl::set &domain) const {
  const isl::space space = domain.space();
  const isl::multi_aff variables = isl::multi_aff::identity_on_domain(space);
  const isl::aff zero = isl::aff::zero_on_domain(space);
  isl::aff_list time(ctx_, static_cast<int>(2 * depth_ + 1));
  for (std::size_t level = 0; level <= depth_; ++level) {
    time = time.add(level < positions_.size() ? zero.add_constant(positions_[level]) : zero);
    if (level < loops_.size())
      time = time.add(variables.at(static_cast<int>(level)).scale(isl::val(ctx_, long{directions_[level]})));
    else if (level < depth_)
      time = time.add(zero);
  }
  return isl::multi_aff(space.add_unnamed_tuple(2 * depth_ + 1), time);
}

} // namespace

Model buildModel(const ir::Program &program, ContextOwner ctx, Steps steps) {
  Model model;
  model.ctx = std::move(ctx);
  ModelBuilder(program, model, steps).build();
  return model;
}

} // namespace hetc::dependence
