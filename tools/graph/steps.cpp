#include "tools/graph/steps.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hetc::graph {
namespace {

std::string shortName(const std::string &kernel) { return kernel.substr(kernel.rfind(':') + 1); }

/// The unit of messages.
struct Part {
  Tile tile;
  int half;
  auto operator<=>(const Part &) const = default;
};

struct TooMany {
  std::size_t tiles;
};

class Maker {
public:
  Maker(const ir::Program &program, const tla::Distribution &distribution) : distribution_(distribution) {
    steps_.name = program.name;
    steps_.distribution = distribution.name();
    steps_.nodes = distribution.nodes();
  }

  Steps make(const ir::Program &program, const ir::Environment &environment,
             const std::vector<ir::TaskInstance> &instances) {
    findMatrices(program, environment, instances);
    for (const ir::TaskInstance &instance : instances)
      addTask(instance);
    setSteps(instances);
    addMessages(instances);
    return std::move(steps_);
  }

private:
  void findMatrices(const ir::Program &program, const ir::Environment &environment,
                    const std::vector<ir::TaskInstance> &instances) {
    std::set<std::size_t> named, halves;
    for (const ir::TaskInstance &instance : instances)
      for (const auto &use : instance.uses) {
        named.insert(use.tile.matrix);
        if (use.tile.region != ir::Region::Full)
          halves.insert(use.tile.matrix);
      }
    const auto extent = [&](std::size_t number, ir::Extent which) {
      return static_cast<int>(environment.extents.at({program.matrices[number].name, which}));
    };
    std::size_t tiles = 0;
    for (const std::size_t number : named)
      tiles += static_cast<std::size_t>(extent(number, ir::Extent::Mt)) * extent(number, ir::Extent::Nt);
    if (tiles > mostTiles)
      throw TooMany{tiles};
    for (const std::size_t number : named) {
      numbers_[number] = static_cast<int>(steps_.matrices.size());
      Matrix matrix{program.matrices[number].name, extent(number, ir::Extent::Mt), extent(number, ir::Extent::Nt), {}};
      matrix.owners.assign(static_cast<std::size_t>(matrix.rows) * matrix.columns, -1);
      steps_.matrices.push_back(std::move(matrix));
      if (halves.contains(number))
        halved_.insert(numbers_[number]);
      if (!program.isParameter(program.matrices[number]))
        workspaces_.insert(numbers_[number]);
    }
  }

  Tile tileOf(const ir::TileRef &tile) {
    const int row = static_cast<int>(tile.row), column = static_cast<int>(tile.column);
    const int number = numbers_.at(tile.matrix);
    Matrix &matrix = steps_.matrices[number];
    matrix.owners[row + static_cast<std::size_t>(column) * matrix.rows] = distribution_.node(row, column);
    return {number, row, column};
  }

  void addTask(const ir::TaskInstance &instance) {
    const std::string kernel = shortName(instance.task->kernel);
    auto known = std::ranges::find(steps_.kernels, kernel);
    if (known == steps_.kernels.end())
      known = steps_.kernels.insert(known, kernel);
    Task task{
        static_cast<int>(known - steps_.kernels.begin()), static_cast<int>(instance.task->location.line), 0, 0, {}, {}};
    std::set<Tile> writes, reads;
    bool isPlaced = false; // by its first tile, where the main output is a panel
    for (const auto &use : instance.uses) {
      const Tile tile = tileOf(use.tile);
      if (use.argument == instance.task->mainOutput && !std::exchange(isPlaced, true))
        task.node = distribution_.node(tile.row, tile.column);
      if (use.access != ir::Access::Read)
        writes.insert(tile);
      if (use.access != ir::Access::Write)
        reads.insert(tile);
    }
    task.writes.assign(writes.begin(), writes.end());
    task.reads.assign(reads.begin(), reads.end());
    steps_.tasks.push_back(std::move(task));
  }

  void setSteps(const std::vector<ir::TaskInstance> &instances) {
    for (const ir::Dependence &dependence : ir::dependences(instances)) // in the order of `to`, or not
      before_[dependence.to].push_back(dependence.from);
    for (std::size_t task = 0; task < steps_.tasks.size(); ++task) {
      for (const std::size_t before : before_[task])
        steps_.tasks[task].step = std::max(steps_.tasks[task].step, steps_.tasks[before].step + 1);
      steps_.count = std::max(steps_.count, steps_.tasks[task].step + 1);
    }
  }

  /// The parts of the tile of a use: its lower and its upper half, or a single part where its matrix has no halves.
  std::vector<Part> partsOf(const ir::TileRef &ref) {
    const Tile tile = tileOf(ref);
    if (!halved_.contains(tile.matrix))
      return {{tile, 0}};
    if (ref.region != ir::Region::Full)
      return {{tile, ref.region == ir::Region::Lower ? 0 : 1}};
    return {{tile, 0}, {tile, 1}};
  }

  void addMessages(const std::vector<ir::TaskInstance> &instances) {
    std::map<Part, std::size_t> lastWriters;
    for (std::size_t number = 0; number < instances.size(); ++number)
      for (const auto &use : instances[number].uses)
        if (use.access != ir::Access::Read)
          for (const Part &part : partsOf(use.tile))
            lastWriters[part] = number;
    for (std::size_t number = 0; number < instances.size(); ++number) {
      const int node = steps_.tasks[number].node;
      for (const auto &use : instances[number].uses)
        if (use.access != ir::Access::Write)
          send(partsOf(use.tile), node);
      for (const auto &use : instances[number].uses)
        if (use.access != ir::Access::Read)
          for (const Part &part : partsOf(use.tile))
            contents_[part] = {static_cast<long>(number), steps_.tasks[number].step, {node}};
      for (const auto &use : instances[number].uses)
        if (use.access != ir::Access::Read && !workspaces_.contains(numbers_.at(use.tile.matrix)))
          sendHome(partsOf(use.tile), lastWriters, number);
    }
  }

  /// The parts that the node has not: together where one task wrote them.
  void send(const std::vector<Part> &parts, int node) {
    std::set<long> sent; // writers
    for (const Part &part : parts) {
      const auto [found, isNew] = contents_.try_emplace(part);
      Content &content = found->second;
      if (isNew)
        content.nodes = {ownerOf(part.tile)};
      if (std::ranges::find(content.nodes, node) != content.nodes.end())
        continue;
      if (sent.insert(content.writer).second)
        steps_.messages.push_back({content.nodes.front(), node, part.tile, content.step});
      content.nodes.push_back(node);
    }
  }

  /// The last content of a tile of the caller's.
  void sendHome(std::vector<Part> parts, const std::map<Part, std::size_t> &lastWriters, std::size_t writer) {
    std::erase_if(parts, [&](const Part &part) { return lastWriters.at(part) != writer; });
    if (!parts.empty())
      send(parts, ownerOf(parts.front().tile));
  }

  int ownerOf(const Tile &tile) const { return distribution_.node(tile.row, tile.column); }

  /// The present content of a part.
  struct Content {
    long writer = -1;       ///< task; -1: it was there before
    int step = -1;          ///< step of that task
    std::vector<int> nodes; ///< nodes that have it, the writer's first
  };

  const tla::Distribution &distribution_;
  Steps steps_;
  std::map<std::size_t, int> numbers_; ///< numbers of matrices that are named
  std::map<std::size_t, std::vector<std::size_t>> before_;
  std::set<int> halved_, workspaces_; ///< matrices of which some task names a half; of the algorithm's own
  std::map<Part, Content> contents_;
};

} // namespace

std::variant<Steps, std::string> stepsOf(const ir::Program &program, const ir::Sizes &sizes,
                                         const tla::Distribution &distribution) {
  if (distribution.copies() > 1)
    return distribution.name() + ": what copies of nodes do is not drawn; leave copies away";
  if (distribution.nodes() > mostNodes)
    return distribution.name() + " has " + std::to_string(distribution.nodes()) + " nodes; a picture has room for " +
           std::to_string(mostNodes);
  auto environment = ir::bindSizes(program, sizes);
  if (const auto *error = std::get_if<ir::UnrollError>(&environment))
    return error->message;
  const auto unrolled = ir::unroll(program, sizes, mostTasks);
  if (const auto *error = std::get_if<ir::UnrollError>(&unrolled))
    return error->message;
  const auto &instances = std::get<std::vector<ir::TaskInstance>>(unrolled);
  if (instances.empty())
    return "there are no tasks at these sizes";
  try {
    return Maker(program, distribution).make(program, std::get<ir::Environment>(environment), instances);
  } catch (const TooMany &many) {
    return "its matrices have " + std::to_string(many.tiles) + " tiles; a picture has room for " +
           std::to_string(mostTiles);
  }
}

} // namespace hetc::graph
