#include "tests/unit/compiler/specialize/reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace hetc::test {

namespace {

std::string pointText(const std::vector<std::int64_t> &point, char open, char close) {
  std::string text(1, open);
  for (std::size_t i = 0; i < point.size(); ++i)
    text += (i ? ", " : "") + std::to_string(point[i]);
  return text + close;
}

std::string tileText(const std::string &matrix, std::int64_t row, std::int64_t column, ir::Region region) {
  static const char *regions[] = {"", ".lower()", ".upper()"};
  return matrix + pointText({row, column}, '(', ')') + regions[static_cast<int>(region)];
}

std::string taskText(unsigned id, const std::vector<std::int64_t> &indices) {
  return "S" + std::to_string(id) + pointText(indices, '[', ']');
}

std::int64_t valueOf(const ir::ExprRef &expr, const ir::Environment &environment) {
  const auto value = ir::evaluate(*expr, environment);
  if (!value)
    throw std::runtime_error("no value for " + ir::print(*expr));
  return *value;
}

ir::Environment environmentOf(const ir::Program &program, const ir::Sizes &sizes) {
  return std::get<ir::Environment>(ir::bindSizes(program, sizes));
}

using Variables = std::map<unsigned, std::vector<std::string>>; ///< variables of the loops around each task

constexpr std::size_t nobody = -1; ///< the producer of what is there from the beginning

class Books {
public:
  Books(const ir::Program &program, const ir::Sizes &sizes, const tla::Distribution &distribution)
      : program_(program), distribution_(distribution), environment_(environmentOf(program, sizes)),
        instances_(std::get<std::vector<ir::TaskInstance>>(ir::unroll(program, sizes))),
        actions_(distribution.nodes()) {
    variables_ = ir::loopsAround(program.body);
    for (ir::TaskInstance &instance : instances_)
      sortUses(instance);
    for (const ir::TaskInstance &instance : instances_)
      for (const auto &use : instance.uses)
        if (use.tile.region != ir::Region::Full)
          halved_.insert(use.tile.matrix);
    // A program that has no instance that uses a half may still do so at other sizes.
    ir::forEachTask(program.body, [&](const ir::Task &task) {
      for (const ir::Argument &argument : task.arguments)
        if (const auto *tile = std::get_if<ir::TileAccess>(&argument); tile && tile->touched() != ir::Region::Full)
          halved_.insert(program.findMatrix(tile->matrix) - program.matrices.data());
    });
    for (std::size_t t = 0; t < instances_.size(); ++t)
      for (const auto &use : instances_[t].uses)
        if (use.access != ir::Access::Read)
          for (const ir::TileRef &part : partsOf(use.tile))
            lastWriter_[part] = t;
  }

  std::vector<Actions> run() {
    for (std::size_t t = 0; t < instances_.size(); ++t) {
      const ir::TaskInstance &instance = instances_[t];
      const int node = nodeOf(instance);
      for (const auto &use : instance.uses)
        if (use.access != ir::Access::Write)
          fetch(use.tile, node);
      actions_[node].push_back(taskText(instance.task->id, instance.indices));
      for (const auto &use : instance.uses)
        if (use.access != ir::Access::Read)
          for (const ir::TileRef &part : partsOf(use.tile))
            versions_[part] = {t, node, {node}};
      for (const auto &use : instance.uses)
        if (use.access != ir::Access::Read)
          sendHome(use.tile, t, node);
      release(instance);
    }
    return actions_;
  }

private:
  struct Version {
    std::size_t producer;
    int node;
    std::set<int> at;
  };

  /// In the order of the task's accesses, where the list has that of its arguments.
  static void sortUses(ir::TaskInstance &instance) {
    const std::vector<std::size_t> order = ir::accessOrder(*instance.task);
    std::ranges::stable_sort(instance.uses, {}, [&](const ir::TaskInstance::Use &use) {
      return std::ranges::find(order, use.argument) - order.begin();
    });
  }

  std::vector<ir::TileRef> partsOf(const ir::TileRef &tile) const {
    if (!halved_.count(tile.matrix) || tile.region != ir::Region::Full)
      return {tile};
    ir::TileRef lower = tile, upper = tile;
    lower.region = ir::Region::Lower;
    upper.region = ir::Region::Upper;
    return {lower, upper};
  }

  int homeOf(const ir::TileRef &tile) const { return nodeOf(program_.matrices[tile.matrix], tile.row, tile.column); }
  /// Where the tile, or the tile of the slice, is at home.
  int nodeOf(const ir::Matrix &matrix, std::int64_t row, std::int64_t column) const {
    return distribution_.node(static_cast<int>(row),
                              static_cast<int>(matrix.isSliced() ? column / program_.slices : column));
  }
  bool isParameter(const ir::TileRef &tile) const { return program_.isParameter(program_.matrices[tile.matrix]); }

  ir::Environment environmentAt(const ir::TaskInstance &instance) const {
    ir::Environment here = environment_;
    for (std::size_t i = 0; i < instance.indices.size(); ++i)
      here.variables[variables_.at(instance.task->id)[i]] = instance.indices[i];
    return here;
  }

  int nodeOf(const ir::TaskInstance &instance) const {
    const auto &main = std::get<ir::TileAccess>(instance.task->arguments[instance.task->mainOutput]);
    const ir::Environment here = environmentAt(instance);
    return nodeOf(*program_.findMatrix(main.matrix), valueOf(main.row, here), valueOf(main.column, here));
  }

  /// The present version, if there is one.
  Version *versionOf(const ir::TileRef &part) {
    if (!versions_.count(part) && isParameter(part))
      versions_[part] = {nobody, homeOf(part), {homeOf(part)}};
    const auto found = versions_.find(part);
    return found == versions_.end() ? nullptr : &found->second;
  }

  void fetch(const ir::TileRef &tile, int node) {
    std::vector<ir::TileRef> missing;
    for (const ir::TileRef &part : partsOf(tile))
      if (const Version *version = versionOf(part); version && !version->at.count(node))
        missing.push_back(part);
    if (missing.size() == 2 && versionOf(missing[0])->producer == versionOf(missing[1])->producer) {
      transfer(tile, versionOf(missing[0])->node, node);
    } else
      for (const ir::TileRef &part : missing)
        transfer(part, versionOf(part)->node, node);
    for (const ir::TileRef &part : missing)
      versionOf(part)->at.insert(node);
  }

  static ir::TileRef whole(ir::TileRef tile) {
    tile.region = ir::Region::Full;
    return tile;
  }

  /// Follows the program's release clauses.
  void release(const ir::TaskInstance &instance) {
    const ir::Environment here = environmentAt(instance);
    for (const ir::TileAccess &clause : instance.task->releases) {
      const std::int64_t row = valueOf(clause.row, here), column = valueOf(clause.column, here);
      actions_[nodeOf(*program_.findMatrix(clause.matrix), row, column)].push_back(
          "release " + tileText(clause.matrix, row, column, ir::Region::Full));
    }
  }

  std::string textOf(const ir::TileRef &tile) const {
    return tileText(program_.matrices[tile.matrix].name, tile.row, tile.column, tile.region);
  }

  void sendHome(const ir::TileRef &tile, std::size_t writer, int node) {
    const int home = homeOf(tile);
    if (!isParameter(tile) || home == node)
      return;
    std::vector<ir::TileRef> due; // of the whole tile, as another argument may write the other half
    for (const ir::TileRef &part : partsOf(whole(tile))) {
      const auto last = lastWriter_.find(part);
      if (last != lastWriter_.end() && last->second == writer && !versionOf(part)->at.count(home))
        due.push_back(part);
    }
    if (due.size() == partsOf(whole(tile)).size())
      transfer(whole(tile), node, home);
    else
      for (const ir::TileRef &part : due)
        transfer(part, node, home);
    for (const ir::TileRef &part : due)
      versionOf(part)->at.insert(home);
  }

  void transfer(const ir::TileRef &tile, int from, int to) {
    const std::string text = textOf(tile);
    actions_[from].push_back("send " + text + " to " + std::to_string(to));
    actions_[to].push_back("receive " + text + " from " + std::to_string(from));
  }

  const ir::Program &program_;
  const tla::Distribution &distribution_;
  const ir::Environment environment_;
  std::vector<ir::TaskInstance> instances_;
  Variables variables_;
  std::set<std::size_t> halved_;
  std::map<ir::TileRef, std::size_t> lastWriter_;
  std::map<ir::TileRef, Version> versions_;
  std::vector<Actions> actions_;
};

class Interpreter {
public:
  Interpreter(ir::Environment environment, const Variables &variables, const tla::Distribution &distribution, int node)
      : environment_(std::move(environment)), variables_(variables), distribution_(distribution), node_(node) {}

  void run(const specialize::Block &block) {
    for (const specialize::Statement &statement : block)
      std::visit([this](const auto &child) { run(child); }, statement);
  }
  NodeRun result;

private:
  std::int64_t value(const ir::ExprRef &expr) const { return valueOf(expr, environment_); }

  void run(const std::unique_ptr<specialize::Loop> &loop) {
    struct State {
      const specialize::Range *range;
      std::int64_t next, last;
    };
    std::vector<State> states;
    for (const specialize::Range &range : loop->ranges)
      if (!range.when || value(range.when))
        states.push_back({&range, value(range.first), value(range.last)});
    while (true) {
      std::int64_t now = INT64_MAX;
      for (const State &state : states)
        if (state.next <= state.last)
          now = std::min(now, state.next);
      if (now == INT64_MAX)
        break;
      environment_.variables[loop->variable] = now;
      for (const specialize::Range &range : loop->ranges)
        environment_.variables[range.member] = 0;
      for (State &state : states)
        if (state.next == now && now <= state.last) {
          environment_.variables[state.range->member] = 1;
          state.next += state.range->step;
        }
      ++result.iterations;
      run(loop->body);
    }
    environment_.variables.erase(loop->variable);
  }

  void run(const std::unique_ptr<specialize::If> &branch) {
    if (value(branch->condition))
      run(branch->then);
  }
  void run(const specialize::Let &let) { environment_.variables[let.name] = value(let.value); }

  void run(const specialize::OwnTask &own) {
    const unsigned id = own.task->origin.value_or(own.task->id);
    std::vector<std::int64_t> indices;
    for (const std::string &variable : variables_.at(id)) {
      const auto here = own.task->variables.find(variable);
      const ir::ExprRef expr = here == own.task->variables.end() ? ir::makeVar(variable) : here->second;
      indices.push_back(value(ir::substitute(expr, own.indices)));
    }
    result.actions.push_back(taskText(id, indices));
  }

  void run(const specialize::Transfer &transfer) {
    static const char *verbs[] = {"send ", "receive ", "release "}, *sides[] = {" to ", " from "};
    const int kind = static_cast<int>(transfer.kind);
    const std::string text =
        verbs[kind] + tileText(transfer.matrix, value(transfer.row), value(transfer.column), transfer.region);
    if (!transfer.peerX) {
      result.actions.push_back(text);
      return;
    }
    const int part = distribution_.parts().nodeAt(
        {static_cast<int>(value(transfer.peerX)), static_cast<int>(value(transfer.peerY))});
    const int peer = distribution_.nodeOfPart(part);
    if (transfer.version.empty()) {
      result.actions.push_back(text + sides[kind] + std::to_string(peer));
      return;
    }
    if (peer == node_)
      return;
    // Of a version each node gets each half once.
    const int receiver = transfer.kind == specialize::Transfer::Kind::Send ? peer : node_;
    std::vector<std::int64_t> version;
    for (const ir::ExprRef &expr : transfer.version)
      version.push_back(value(expr));
    std::vector<ir::Region> fresh;
    for (const ir::Region half : {ir::Region::Lower, ir::Region::Upper})
      if ((transfer.region == ir::Region::Full || transfer.region == half) &&
          supplied_.insert({transfer.matrix, value(transfer.row), value(transfer.column), half, receiver, version})
              .second)
        fresh.push_back(half);
    if (fresh.empty())
      return;
    const ir::Region region = fresh.size() == 2 ? ir::Region::Full : fresh.front();
    result.actions.push_back(verbs[kind] +
                             tileText(transfer.matrix, value(transfer.row), value(transfer.column), region) +
                             sides[kind] + std::to_string(peer));
  }

  ir::Environment environment_;
  const Variables &variables_;
  const tla::Distribution &distribution_;
  const int node_;
  std::set<std::tuple<std::string, std::int64_t, std::int64_t, ir::Region, int, std::vector<std::int64_t>>> supplied_;
};

} // namespace

std::vector<Actions> referenceActions(const ir::Program &program, const ir::Sizes &sizes,
                                      const tla::Distribution &distribution) {
  return Books(program, sizes, distribution).run();
}

NodeRun runNode(const specialize::NodeProgram &nodeProgram, const ir::Program &program, const ir::Sizes &sizes,
                const tla::Distribution &distribution, int node) {
  const Variables variables = ir::loopsAround(program.body);
  ir::Environment environment = environmentOf(program, sizes);
  environment.variables[specialize::nodeX] = distribution.coordinates(node).x;
  environment.variables[specialize::nodeY] = distribution.coordinates(node).y;
  int part = 0;
  for (int each = 0; each < distribution.parts().nodes(); ++each)
    if (distribution.nodeOfPart(each) == node) {
      const specialize::PartNames names = specialize::partNames(part++);
      environment.variables[names.x] = distribution.parts().coordinates(each).x;
      environment.variables[names.y] = distribution.parts().coordinates(each).y;
      environment.variables[names.exists] = 1;
    }
  for (; part < nodeProgram.parts; ++part) {
    const specialize::PartNames names = specialize::partNames(part);
    environment.variables[names.x] = environment.variables[names.y] = environment.variables[names.exists] = 0;
  }
  Interpreter interpreter(std::move(environment), variables, distribution, node);
  interpreter.run(nodeProgram.body);
  return std::move(interpreter.result);
}

} // namespace hetc::test
