// What a model answers: its statements and matrices, and relations of all its statements together.
#include "compiler/dependence/model.hpp"
#include "compiler/dependence/slice_columns.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>

namespace hetc::dependence {

const StatementModel &Model::statement(unsigned task) const {
  auto found = std::find_if(statements.begin(), statements.end(),
                            [&](const StatementModel &statement) { return statement.task->id == task; });
  assert(found != statements.end() && "every task is a statement");
  return *found;
}

std::size_t countCommonLoops(const StatementModel &first, const StatementModel &second) {
  return std::ranges::mismatch(first.loops, second.loops).in1 - first.loops.begin();
}

// The common loops' variables decide, and where they are equal the positions in the innermost of them. To compare the
// whole of both times takes isl several times as long.
isl::map runsBefore(const StatementModel &first, const StatementModel &second) {
  const std::size_t loops = countCommonLoops(first, second);
  const auto position = [&](const StatementModel &statement) {
    return statement.time.at(static_cast<int>(2 * loops)).constant_val().num_si();
  };
  const bool isFirstInside = position(first) < position(second);
  if (loops == 0) {
    const isl::space pairs = isl::manage(
        isl_space_map_from_domain_and_range(first.domain.space().release(), second.domain.space().release()));
    return isFirstInside ? isl::map::universe(pairs) : isl::map::empty(pairs);
  }
  const auto times = [&](const StatementModel &statement) {
    const isl::space space = statement.domain.space();
    isl::aff_list values(space.ctx(), static_cast<int>(loops));
    for (std::size_t level = 0; level < loops; ++level)
      values = values.add(statement.time.at(static_cast<int>(2 * level + 1)));
    return isl::multi_pw_aff(isl::multi_aff(space.add_unnamed_tuple(loops), values));
  };
  const auto compare = isFirstInside ? isl_multi_pw_aff_lex_le_map : isl_multi_pw_aff_lex_lt_map;
  return isl::manage(compare(times(first).release(), times(second).release()));
}

isl::map Model::place(const ir::Matrix &matrix) const {
  const int slices = matrix.isSliced() ? 1 : program->slices;
  const std::string further = std::to_string(matrix.copy());
  const isl::map byColumns(ctx.get(),
                           "{ [I, J] -> [I, " + std::to_string(slices * program->copies) + " J + " + further + "] }");
  if (!matrix.byRows())
    return byColumns;
  const std::string copies = std::to_string(program->copies), all = std::to_string(program->copies * program->copies);
  const isl::map byRows(ctx.get(), "{ [I, J] -> [I, " + all + " * floor(J/" + copies + ") + " + copies + " * (I mod " +
                                       copies + ") + " + further + "] }");
  return byRows.intersect_params(translator->condition(*matrix.byRows()))
      .unite(byColumns.intersect_params(translator->negation(*matrix.byRows())));
}

const MatrixModel &Model::matrixOf(const std::string &tuple) const {
  const auto found = std::ranges::find_if(matrices, [&](const auto &entry) {
    const MatrixModel &matrix = entry.second;
    return matrix.name == tuple || matrix.lower == tuple || matrix.upper == tuple;
  });
  assert(found != matrices.end() && "every tuple of tiles is a matrix'");
  return found->second;
}

isl::union_set Model::domain() const {
  isl::union_set result = isl::union_set::empty(ctx.get());
  for (const StatementModel &statement : statements)
    result = result.unite(statement.domain);
  return result;
}

isl::union_map Model::schedule() const {
  isl::union_map result = isl::union_map::empty(ctx.get());
  for (const StatementModel &statement : statements)
    result = result.unite(statement.schedule);
  return result;
}

namespace {
template <typename Predicate>
isl::union_map unite(const Model &model, isl::union_map AccessModel::*accesses, Predicate &&include) {
  isl::union_map result = isl::union_map::empty(model.ctx.get());
  for (const StatementModel &statement : model.statements)
    for (const AccessModel &access : statement.accesses)
      if (!access.release && include(*access.access))
        result = result.unite(access.*accesses);
  return result;
}
} // namespace

isl::union_map Model::reads() const {
  return unite(*this, &AccessModel::regions, [](const ir::TileAccess &access) { return dependence::reads(access); });
}

isl::union_map Model::writes() const {
  return unite(*this, &AccessModel::regions, [](const ir::TileAccess &access) { return dependence::writes(access); });
}

isl::union_map Model::readCells() const {
  return unite(*this, &AccessModel::cells, [](const ir::TileAccess &access) { return dependence::reads(access); });
}

isl::union_map Model::writeCells() const {
  return unite(*this, &AccessModel::cells, [](const ir::TileAccess &access) { return dependence::writes(access); });
}

isl::union_map Model::regionsOfCells() const {
  isl::union_map result = isl::union_map::empty(ctx.get());
  for (const auto &[name, matrix] : matrices)
    for (const std::string &tuple : {matrix.name, matrix.lower, matrix.upper})
      if (!tuple.empty())
        result = result.unite(matrix.matrix->isSliced()
                                  ? joinSliceColumns(ctx.get(), tuple, program->slices)
                                  : isl::map(ctx.get(), "{ " + tuple + "[i, j] -> " + tuple + "[i, j] }"));
  return result;
}

} // namespace hetc::dependence
