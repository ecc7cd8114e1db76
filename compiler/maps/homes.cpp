#include "compiler/maps/homes.hpp"

#include "compiler/dependence/enumerations.hpp"
#include "compiler/ir/paths.hpp"
#include "compiler/maps/updates.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

namespace hetc::maps {

using ir::ExprKind;
using ir::ExprRef;

const ir::Loop *stepOf(const ir::TileAccess &tile, const dependence::RunEnds &ends,
                       const std::vector<const ir::Loop *> &loops) {
  const auto step = std::ranges::find_if(loops, [&](const ir::Loop *loop) {
    const std::string &name = loop->variable;
    return !names(tile.row, name) && !names(tile.column, name) && (names(ends.begins, name) || names(ends.ends, name));
  });
  return step == loops.end() ? nullptr : *step;
}

bool isAlone(const dependence::RunEnds &ends) {
  const auto isTrue = [](const ExprRef &condition) { return condition->kind == ExprKind::Int && condition->value; };
  return isTrue(ends.begins) && isTrue(ends.ends);
}

Homes::Homes(ir::Program &program, const dependence::Runs &runs) : program_(program), runs_(runs) {
  for (const ir::Path &path : ir::pathsOf(program)) {
    rows_.emplace_back();
    conditions_.push_back(path.condition ? path.condition : ir::makeInt(1));
    count(path.program.body);
  }
  makeArguments();
  for (ir::Matrix &matrix : program.matrices)
    matrix.mapping = ir::InCopies{0, whereByRows(matrix.name)};
}

std::optional<bool> Homes::atTask(unsigned task, const ir::Matrix &matrix) const {
  if (!matrix.byRows())
    return false;
  std::set<bool> sides;
  for (const ir::Environment &arguments : arguments_)
    for (const std::size_t path : paths_.at(task))
      if (ir::evaluate(*conditions_[path], arguments).value_or(1))
        sides.insert(ir::evaluate(*matrix.byRows(), arguments).value_or(0) != 0);
  return sides.size() == 1 ? std::optional(*sides.begin()) : std::nullopt;
}

void Homes::count(const ir::Block &body) {
  Rewriter([&](const ir::Task &task, const std::vector<const ir::Loop *> &loops, ir::Block &) {
    paths_[task.origin.value_or(task.id)].push_back(rows_.size() - 1);
    const auto ends = runs_.ends.find(task.origin.value_or(task.id));
    if (ends == runs_.ends.end() || isAlone(ends->second))
      return;
    const ir::Loop *step = stepOf(mainTile(task), ends->second, loops);
    for (const ir::Argument &argument : task.arguments)
      if (const auto *tile = std::get_if<ir::TileAccess>(&argument); tile && step)
        rows_.back()[tile->matrix] += names(tile->row, step->variable) - names(tile->column, step->variable);
  })(body);
}

void Homes::makeArguments() {
  arguments_ = {{}};
  for (const ir::Scalar &scalar : program_.scalars) {
    if (std::ranges::none_of(conditions_, [&](const ExprRef &condition) { return names(condition, scalar.name); }))
      continue;
    std::vector<ir::Environment> further;
    for (const auto &[name, value] : dependence::enumMembers(scalar.type))
      for (ir::Environment environment : arguments_) {
        environment.variables[scalar.name] = value;
        further.push_back(std::move(environment));
      }
    if (!further.empty())
      arguments_ = std::move(further);
  }
}

bool Homes::isByRows(const std::string &matrix, const ir::Environment &arguments) const {
  for (std::size_t path = 0; path < rows_.size(); ++path)
    if (const auto votes = rows_[path].find(matrix); votes != rows_[path].end() && votes->second > 0)
      if (ir::evaluate(*conditions_[path], arguments).value_or(0))
        return true;
  return false;
}

bool Homes::isWhere(const ExprRef &condition, const std::string &matrix) const {
  return std::ranges::all_of(arguments_, [&](const ir::Environment &arguments) {
    return (ir::evaluate(*condition, arguments).value_or(0) != 0) == isByRows(matrix, arguments);
  });
}

ExprRef Homes::whereByRows(const std::string &matrix) const {
  std::vector<ExprRef> candidates = {ir::makeInt(1)};
  for (const ir::Scalar &scalar : program_.scalars)
    for (const auto &[name, value] : arguments_.front().variables.contains(scalar.name)
                                         ? dependence::enumMembers(scalar.type)
                                         : std::vector<std::pair<std::string, std::int64_t>>())
      for (const ExprKind kind : {ExprKind::Eq, ExprKind::Ne})
        candidates.push_back(ir::makeBinary(kind, ir::makeVar(scalar.name), ir::makeEnum(name, value)));
  const auto found =
      std::ranges::find_if(candidates, [&](const ExprRef &condition) { return isWhere(condition, matrix); });
  return found == candidates.end() ? nullptr : *found;
}

} // namespace hetc::maps
