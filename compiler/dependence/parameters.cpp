#include "compiler/dependence/parameters.hpp"
#include "compiler/dependence/enumerations.hpp"

#include <algorithm>

namespace hetc::dependence {

namespace {
using Kind = Parameter::Kind;

void collectLoopVariables(const ir::Block &block, std::set<std::string> &names) {
  for (const ir::Statement &statement : block) {
    if (auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
      names.insert((*loop)->variable);
      collectLoopVariables((*loop)->body, names);
    } else if (auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      collectLoopVariables((*branch)->then, names);
      collectLoopVariables((*branch)->otherwise, names);
    }
  }
}

bool isSymbol(const ir::ExprRef &expr, const std::string &symbol) {
  return expr && expr->kind == ir::ExprKind::Var && expr->text == symbol;
}

/// Position of the symbol in the program, for a stable order of parameters.
std::size_t rank(const ir::Program &program, const Parameter &parameter) {
  auto size = std::find(program.sizes.begin(), program.sizes.end(), parameter.symbol);
  if (size != program.sizes.end())
    return size - program.sizes.begin();
  auto scalar = std::find_if(program.scalars.begin(), program.scalars.end(),
                             [&](const ir::Scalar &s) { return s.name == parameter.symbol; });
  return program.sizes.size() + (scalar - program.scalars.begin());
}
} // namespace

ir::ExprRef nameOfSize(const ir::Program &program, const std::string &symbol, ir::Extent rows, ir::Extent cols) {
  for (const ir::Matrix &matrix : program.matrices) {
    if (matrix.kind == ir::MatrixKind::Workspace)
      continue;
    if (isSymbol(matrix.cols, symbol))
      return ir::makeExtent(matrix.name, cols);
    if (isSymbol(matrix.rows, symbol))
      return ir::makeExtent(matrix.name, rows);
  }
  return nullptr;
}

ir::ExprRef slicedColumns(const ir::Program &program, const ir::Matrix &matrix) {
  if (!matrix.isSliced() || (matrix.kind == ir::MatrixKind::Workspace && !matrix.isCut()))
    return nullptr;
  ir::ExprRef columns = matrix.cols;
  while (columns->kind == ir::ExprKind::Extent &&
         (columns->extent == ir::Extent::M || columns->extent == ir::Extent::N)) {
    const ir::Matrix &asked = *program.findMatrix(columns->text);
    columns = columns->extent == ir::Extent::M ? asked.rows : asked.cols;
  }
  return columns;
}

ParameterTable::ParameterTable(const ir::Program &program) : program_(program) {
  collectLoopVariables(program.body, taken_);
  for (const ir::Scalar &scalar : program.scalars)
    taken_.insert(scalar.name);
}

const Parameter &ParameterTable::tiles(const std::string &symbol) {
  return add({Kind::Tiles, symbol, "T_" + symbol, nameOfSize(program_, symbol, ir::Extent::Mt, ir::Extent::Nt), 0, {}});
}

const Parameter &ParameterTable::slices(const std::string &symbol) {
  tiles(symbol); // bounds it
  const auto isCounted = [&](const ir::Matrix &matrix) { return isSymbol(slicedColumns(program_, matrix), symbol); };
  const auto matrix = std::ranges::find_if(program_.matrices, isCounted);
  return add({Kind::Slices,
              symbol,
              "S_" + symbol,
              matrix == program_.matrices.end() ? nullptr : ir::makeExtent(matrix->name, ir::Extent::Ns),
              0,
              {}});
}

const Parameter &ParameterTable::size(const std::string &symbol) {
  return add({Kind::Size, symbol, symbol, nameOfSize(program_, symbol, ir::Extent::M, ir::Extent::N), 0, {}});
}

const Parameter &ParameterTable::extent(const std::string &key, const std::string &name, std::int64_t minimum,
                                        ir::ExprRef expr) {
  return add({Kind::Extent, key, name, std::move(expr), minimum, {}});
}

const Parameter *ParameterTable::scalar(const std::string &symbol) {
  const ir::Scalar *scalar = program_.findScalar(symbol);
  if (!scalar)
    return nullptr;
  if (scalar->type == "int")
    return &add({Kind::Integer, symbol, symbol, ir::makeVar(symbol), {}, {}});
  const auto members = enumMembers(scalar->type);
  if (members.empty())
    return nullptr;
  return &add({Kind::Enum, symbol, symbol, ir::makeVar(symbol), members.front().second, members.back().second});
}

const Parameter &ParameterTable::truth(const ir::ExprRef &comparison) {
  return add({Kind::Truth, ir::print(*comparison), "is_" + ir::variables(*comparison).front(), comparison, 0, 1});
}

const Parameter &ParameterTable::add(Parameter parameter) {
  for (const auto &known : parameters_)
    if (known->kind == parameter.kind && known->symbol == parameter.symbol)
      return *known;
  const bool isArgument = parameter.kind == Kind::Integer || parameter.kind == Kind::Enum;
  if (!isArgument)
    parameter.name = uniqueName(parameter.name);
  parameters_.push_back(std::make_unique<Parameter>(std::move(parameter)));
  return *parameters_.back();
}

std::string ParameterTable::uniqueName(std::string wanted) const {
  auto isTaken = [&] {
    return taken_.count(wanted) || std::any_of(parameters_.begin(), parameters_.end(),
                                               [&](const auto &known) { return known->name == wanted; });
  };
  while (isTaken())
    wanted += "_";
  return wanted;
}

std::vector<Parameter> ParameterTable::ordered() const {
  std::vector<Parameter> result;
  for (const auto &parameter : parameters_)
    result.push_back(*parameter);
  std::stable_sort(result.begin(), result.end(), [&](const Parameter &a, const Parameter &b) {
    return std::pair(a.kind, rank(program_, a)) < std::pair(b.kind, rank(program_, b));
  });
  return result;
}

isl::set ParameterTable::context(isl::ctx ctx) const {
  const auto parameters = ordered();
  isl::space space = isl::space::unit(ctx).params();
  for (const Parameter &p : parameters)
    space = space.add_param(p.name);
  const isl::set universe = isl::set::universe(space);
  // { [] -> [p] } and { [] -> [c] } over the parameters.
  auto value = [&](const Parameter &p) { return universe.param_pw_aff_on_domain(p.name); };
  auto constant = [&](std::int64_t c) { return universe.pw_aff_on_domain(static_cast<long>(c)); };

  isl::set result = universe;
  for (const Parameter &p : parameters) {
    if (p.minimum)
      result = result.intersect(value(p).ge_set(constant(*p.minimum)));
    if (p.maximum)
      result = result.intersect(value(p).le_set(constant(*p.maximum)));
  }
  // Every tile has at least one element.
  for (const Parameter &p : parameters)
    for (const Parameter &q : parameters)
      if (p.kind == Kind::Tiles && q.kind == Kind::Size && p.symbol == q.symbol)
        result = result.intersect(value(p).le_set(value(q)));
  // Every tile has at least one slice, and all but the last tile all slices.
  for (const Parameter &p : parameters)
    for (const Parameter &q : parameters)
      if (p.kind == Kind::Slices && q.kind == Kind::Tiles && p.symbol == q.symbol) {
        const isl::pw_aff most = value(q).scale(isl::val(ctx, static_cast<long>(program_.slices)));
        result = result.intersect(value(p).le_set(most));
        result = result.intersect(value(p).gt_set(most.sub(constant(program_.slices))));
      }
  // Of two sizes the larger one needs no fewer tiles, and the difference in tiles is at most that in elements.
  const auto tilesOf = [&](const Parameter &size) -> const Parameter * {
    const auto found = std::ranges::find_if(parameters, [&](const Parameter &candidate) {
      return candidate.kind == Kind::Tiles && candidate.symbol == size.symbol;
    });
    return found == parameters.end() ? nullptr : &*found;
  };
  const auto grow = [&](const Parameter &less, const Parameter &more) {
    const isl::pw_aff elements = value(more).sub(value(less)), tiles = value(*tilesOf(more)).sub(value(*tilesOf(less)));
    return tiles.ge_set(constant(0)).intersect(tiles.le_set(elements));
  };
  for (auto p = parameters.begin(); p != parameters.end(); ++p)
    for (auto q = std::next(p); q != parameters.end(); ++q)
      if (p->kind == Kind::Size && q->kind == Kind::Size && tilesOf(*p) && tilesOf(*q))
        result = result.intersect(grow(*p, *q).unite(grow(*q, *p)));
  return result;
}

} // namespace hetc::dependence
