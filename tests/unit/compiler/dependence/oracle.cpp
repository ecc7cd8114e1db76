#include "tests/unit/compiler/dependence/oracle.hpp"

#include <algorithm>

namespace hetc::test {

namespace {
using dependence::Model;
using dependence::Relations;
using Point = std::vector<std::int64_t>;

std::string textOf(const std::string &name, const Point &indices) {
  std::string text = name + "[";
  for (std::size_t d = 0; d < indices.size(); ++d)
    text.append(d ? "," : "").append(std::to_string(indices[d]));
  return text + "]";
}

std::vector<Point> pointsOf(const isl::set &set) {
  std::vector<Point> points;
  set.foreach_point([&](const isl::point &point) {
    const isl::multi_val values = point.multi_val();
    Point indices;
    for (unsigned d = 0; d < set.tuple_dim(); ++d)
      indices.push_back(values.at(static_cast<int>(d)).num_si());
    points.push_back(indices);
  });
  return points;
}

/// Relations of one model at one choice of sizes.
class Instantiation {
public:
  Instantiation(const Model &model, const ir::Sizes &sizes) : here_(model.context) {
    const isl::set universe = isl::set::universe(here_.space());
    for (const dependence::Parameter &parameter : model.parameters)
      here_ =
          here_.intersect(universe.param_pw_aff_on_domain(parameter.name)
                              .eq_set(universe.pw_aff_on_domain(static_cast<long>(sizes.values.at(parameter.symbol)))));
  }

  std::vector<Point> points(const isl::set &set) const {
    return pointsOf(set.intersect_params(here_).project_out_all_params());
  }

  /// Pairs { S -> A } or triples { S -> [S -> A] }, every part as text.
  std::vector<std::vector<std::string>> tuples(const isl::union_map &relation) const {
    std::vector<std::vector<std::string>> result;
    relation.foreach_map([&](const isl::map &map) {
      std::vector<isl::space> parts = {map.domain().space()};
      if (map.has_range_tuple_id()) {
        parts.push_back(map.range().space());
      } else {
        parts.push_back(map.range().unwrap().domain().space());
        parts.push_back(map.range().unwrap().range().space());
      }
      for (const Point &point : points(isl::manage(isl_set_flatten(map.wrap().release()))))
        result.push_back(split(parts, point));
    });
    return result;
  }

private:
  static std::vector<std::string> split(const std::vector<isl::space> &parts, const Point &point) {
    std::vector<std::string> result;
    auto next = point.begin();
    for (const isl::space &part : parts) {
      const auto end = next + isl_space_dim(part.get(), isl_dim_set);
      result.push_back(textOf(isl_space_get_tuple_name(part.get(), isl_dim_set), Point(next, end)));
      next = end;
    }
    return result;
  }

  isl::set here_;
};

/// Text of the regions one access of a tile touches.
class TileNames {
public:
  explicit TileNames(const ir::Program &program) : program_(program) {
    ir::forEachTask(program.body, [&](const ir::Task &task) {
      for (const ir::Argument &argument : task.arguments)
        if (auto *access = std::get_if<ir::TileAccess>(&argument); access && access->region != ir::Region::Full)
          halved_.insert(access->matrix);
    });
  }

  std::vector<std::string> operator()(const ir::TileRef &tile) const {
    const std::string &name = program_.matrices[tile.matrix].name;
    if (!halved_.count(name))
      return {textOf(name, {tile.row, tile.column})};
    std::vector<std::string> result;
    if (tile.region != ir::Region::Upper)
      result.push_back(textOf(name + "L", {tile.row, tile.column}));
    if (tile.region != ir::Region::Lower)
      result.push_back(textOf(name + "U", {tile.row, tile.column}));
    return result;
  }

private:
  const ir::Program &program_;
  std::set<std::string> halved_;
};

std::string nameOf(const ir::TaskInstance &instance) {
  return textOf(dependence::statementName(instance.task->id), instance.indices);
}

void addOrder(const Model &model, const Instantiation &instantiation, Facts &facts) {
  std::vector<std::pair<Point, std::string>> timeline;
  for (const dependence::StatementModel &statement : model.statements) {
    const isl::map map = statement.schedule;
    for (const Point &point : instantiation.points(isl::manage(isl_set_flatten(map.wrap().release())))) {
      const auto split = point.begin() + static_cast<std::ptrdiff_t>(statement.loops.size());
      timeline.emplace_back(Point(split, point.end()),
                            textOf(dependence::statementName(statement.task->id), Point(point.begin(), split)));
    }
  }
  std::sort(timeline.begin(), timeline.end());
  for (std::size_t time = 0; time < timeline.size(); ++time)
    facts.insert(timeline[time].second + " at " + std::to_string(time));
}

const char *kindName(ir::Dependence::Kind kind) {
  switch (kind) {
  case ir::Dependence::Kind::Flow:
    return "flow ";
  case ir::Dependence::Kind::Anti:
    return "anti ";
  case ir::Dependence::Kind::Output:
    return "output ";
  }
  return "";
}
} // namespace

ir::Sizes makeSizes(std::map<std::string, std::int64_t> values) {
  ir::Sizes sizes;
  sizes.values = std::move(values);
  sizes.nb = 1;
  return sizes;
}

Facts factsOf(const Relations &relations, const isl::union_map &lastUses, const ir::Sizes &sizes) {
  const Instantiation instantiation(relations.model, sizes);
  Facts facts;
  auto addEdges = [&](const std::string &kind, const isl::union_map &edges) {
    for (const auto &parts : instantiation.tuples(edges))
      facts.insert(kind + parts[0] + " -> " + parts[1] + " on " + parts[2]);
  };
  addEdges("flow ", relations.flow);
  addEdges("anti ", relations.anti);
  addEdges("output ", relations.output);
  for (const auto &parts : instantiation.tuples(relations.initialReads))
    facts.insert(parts[0] + " reads initial " + parts[1]);
  for (const auto &parts : instantiation.tuples(lastUses))
    facts.insert(parts[0] + " last uses " + parts[1]);
  addOrder(relations.model, instantiation, facts);
  return facts;
}

Facts factsOf(const ir::Program &program, const std::vector<ir::TaskInstance> &instances) {
  const TileNames names(program);
  Facts facts;
  for (const ir::Dependence &edge : ir::dependences(instances))
    for (const std::string &tile : names(edge.tile))
      facts.insert(kindName(edge.kind) + nameOf(instances[edge.from]) + " -> " + nameOf(instances[edge.to]) + " on " +
                   tile);
  std::set<std::string> written;
  std::map<std::string, std::string> lastUser;
  for (std::size_t time = 0; time < instances.size(); ++time) {
    const std::string name = nameOf(instances[time]);
    facts.insert(name + " at " + std::to_string(time));
    for (const auto &use : instances[time].uses)
      for (const std::string &tile : names(use.tile)) {
        lastUser[tile] = name;
        if (use.access != ir::Access::Write && !written.count(tile))
          facts.insert(name + " reads initial " + tile);
      }
    for (const auto &use : instances[time].uses)
      for (const std::string &tile : names(use.tile))
        if (use.access != ir::Access::Read)
          written.insert(tile);
  }
  for (const auto &[tile, name] : lastUser)
    facts.insert(name + " last uses " + tile);
  return facts;
}

} // namespace hetc::test
