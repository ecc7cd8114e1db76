#include "runtime/core/passes/blocked_program.hpp"

#include "runtime/core/schedule/activity.hpp"
#include "runtime/core/window/halves.hpp"
#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace tla::runtime {

/// Returns a number that a step has room for; throws Error where it has not.
template <typename Narrow> static Narrow narrowed(std::size_t number) {
  if (number > std::numeric_limits<Narrow>::max())
    throw Error("this program has too many tasks or matrices to be put in the order that --order says; the program's "
                "own order, --order program, has no such limit");
  return static_cast<Narrow>(number);
}

class BlockedProgram::Recorder final : public DryPass {
public:
  explicit Recorder(BlockedProgram &program) : program_(program) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = program_.tables_.table(storage, name, workspace, regions);
    program_.namings_.push_back({&storage, name, workspace, regions, &table});
    return table;
  }
  void keep(const StorageRef &storage) override { program_.tables_.keep(storage), program_.kept_.push_back(storage); }
  void setParameters(const void *parameters) override { program_.parameters_.push_back(parameters); }
  void append(const TaskCall &call) override {
    Step step = begin(call.accessCount);
    step.taskClass = numberOf(call.taskClass);
    step.priority = call.priority;
    step.firstIndex = narrowed<std::uint32_t>(program_.indices_.size());
    step.indexCount = narrowed<std::uint16_t>(static_cast<std::size_t>(call.indexCount));
    program_.indices_.insert(program_.indices_.end(), call.indices, call.indices + call.indexCount);
    for (int i = 0; i < call.accessCount; ++i)
      add(call.accesses[i].tile(), call.accesses[i].access);
    program_.steps_.push_back(step);
  }
  void release(const TileRef &tile) override {
    Step step = begin(1);
    step.isRelease = true;
    add(tile, Access::Write);
    program_.steps_.push_back(step);
  }

private:
  Step begin(int accessCount) const {
    return {.firstAccess = narrowed<std::uint32_t>(program_.uses_.size()),
            .firstIndex = 0,
            .accessCount = accessCount,
            .priority = 0,
            .taskClass = 0,
            .parameters = narrowed<std::uint16_t>(program_.parameters_.size()),
            .indexCount = 0,
            .isRelease = false};
  }
  void add(const TileRef &tile, Access access) {
    program_.uses_.push_back({tile.row, tile.column,
                              narrowed<std::uint16_t>(static_cast<std::size_t>(tile.matrix->number())), access,
                              tile.region});
  }
  std::uint16_t numberOf(const TaskClass &taskClass) {
    const auto [entry, isNew] = classes_.emplace(&taskClass, narrowed<std::uint16_t>(program_.classes_.size()));
    if (isNew)
      program_.classes_.push_back(&taskClass);
    return entry->second;
  }

  BlockedProgram &program_;
  std::unordered_map<const TaskClass *, std::uint16_t> classes_;
};

/// Numbers the steps, one after the other in the program's order.
class BlockedProgram::Ordering {
public:
  /// Block and step, compared in this order.
  using Number = std::uint64_t;

  Ordering(const BlockedProgram &program, const TaskBlocks &blocks, const std::vector<const TileTable *> &tables)
      : program_(program), blocks_(blocks), tables_(tables), histories_(tables.size()), writes_(tables.size()) {
    for (std::size_t matrix = 0; matrix < tables.size(); ++matrix) {
      histories_[matrix].resize(Halves::count(*tables[matrix]));
      writes_[matrix].resize(Halves::count(*tables[matrix]) / 2);
    }
    const int most = mostWritten();
    rows_ = tables.empty() ? 1 : std::max(1, tables[most]->storage().mt());
    columns_ = tables.empty() ? 1 : std::max(1, tables[most]->storage().nt());
  }

  Number next(const Step &step) {
    const TileUse *const begin = program_.uses_.data() + step.firstAccess, *const end = begin + step.accessCount;
    Number number = step.isRelease ? 0 : ownNumber(step, begin);
    forEachHalf(begin, end, [&](const History &half, Access access) {
      number = std::max(number, half.written);
      if (access != Access::Read)
        number = std::max(number, half.read);
    });
    forEachHalf(begin, end, [&](History &half, Access access) {
      Number &last = access == Access::Read ? half.read : half.written;
      last = std::max(last, number);
    });
    return number;
  }

private:
  /// Numbers of the last write of a half of a tile, and of its reads.
  struct History {
    Number written = 0, read = 0;
  };

  const TileUse *mainUse(const Step &step, const TileUse *uses) const {
    const int main = step.isRelease ? 0 : program_.classes_[step.taskClass]->mainOutput;
    if (main >= 0 && main < step.accessCount && uses[main].access != Access::Read)
      return uses + main;
    const TileUse *const end = uses + step.accessCount;
    const TileUse *const first = std::find_if(uses, end, [](const TileUse &use) { return use.access != Access::Read; });
    return first == end ? nullptr : first;
  }

  int mostWritten() const {
    std::vector<std::size_t> tasks(tables_.size());
    for (const Step &step : program_.steps_)
      if (const TileUse *main = mainUse(step, program_.uses_.data() + step.firstAccess); main && !step.isRelease)
        ++tasks[main->matrix];
    return static_cast<int>(std::max_element(tasks.begin(), tasks.end()) - tasks.begin());
  }

  Number ownNumber(const Step &step, const TileUse *uses) {
    const TileUse *const main = mainUse(step, uses);
    if (!main || !tables_[main->matrix]->has(main->row, main->column))
      return 0;
    const Storage &storage = tables_[main->matrix]->storage();
    const auto block = [](int tile, int tiles, int blocks) {
      return static_cast<Number>(std::min(tile, tiles - 1)) * static_cast<Number>(blocks) / static_cast<Number>(tiles);
    };
    const Number number = block(main->row, rows_, blocks_.rows) * static_cast<Number>(blocks_.columns) +
                          block(storage.tileColumn(main->column), columns_, blocks_.columns);
    if (!blocks_.bySteps)
      return number << 32;
    return number << 32 | writes_[main->matrix][main->row + static_cast<std::size_t>(main->column) * storage.mt()]++;
  }

  template <typename Visit> void forEachHalf(const TileUse *begin, const TileUse *end, Visit visit) {
    for (const TileUse *use = begin; use != end; ++use) {
      const TileTable &table = *tables_[use->matrix];
      if (!table.has(use->row, use->column))
        continue; // the run will say so
      const auto [first, last] = Halves::of(table, use->region);
      for (int half = first; half <= last; ++half)
        visit(histories_[use->matrix]
                        [2 * (use->row + static_cast<std::size_t>(use->column) * table.storage().mt()) + half],
              use->access);
    }
  }

  const BlockedProgram &program_;
  const TaskBlocks blocks_;
  const std::vector<const TileTable *> &tables_;
  int rows_ = 1, columns_ = 1;
  std::vector<std::vector<History>> histories_;
  std::vector<std::vector<std::uint32_t>> writes_; // by tile
};

BlockedProgram::BlockedProgram(const std::function<void(Generator &)> &generate, const TaskBlocks &blocks,
                               LoopProgress *progress) {
  Recorder recorder(*this);
  runLoops(recorder, progress, generate);
  order(blocks);
}

void BlockedProgram::order(const TaskBlocks &blocks) {
  order_.resize(narrowed<std::uint32_t>(steps_.size()));
  std::iota(order_.begin(), order_.end(), 0u);
  if (blocks.isProgramOrder())
    return;
  std::vector<const TileTable *> tables;
  for (const Naming &naming : namings_)
    if (static_cast<std::size_t>(naming.table->number()) == tables.size())
      tables.push_back(naming.table);
  Ordering ordering(*this, blocks, tables);
  std::vector<Ordering::Number> numbers;
  numbers.reserve(steps_.size());
  for (const Step &step : steps_)
    numbers.push_back(ordering.next(step));
  isReordered_ = !std::is_sorted(numbers.begin(), numbers.end());
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return numbers[a] < numbers[b]; });
}

void BlockedProgram::operator()(Generator &generator) const {
  for (const StorageRef &storage : kept_)
    generator.keep(storage);
  std::vector<TileTable *> tables;
  for (const Naming &naming : namings_) {
    TileTable &table = naming.workspace ? generator.workspace(*naming.storage, naming.name, naming.regions)
                                        : generator.matrix(*naming.storage, naming.name, naming.regions);
    table.placeAs(*naming.table);
    const auto number = static_cast<std::size_t>(naming.table->number());
    tables.resize(std::max(tables.size(), number + 1));
    tables[number] = &table;
  }
  std::vector<TileAccess> accesses;
  std::uint16_t parameters = 0;
  for (const std::uint32_t position : order_) {
    if (generator.stopped())
      return;
    const Step &step = steps_[position];
    const TileUse *const uses = uses_.data() + step.firstAccess;
    if (step.isRelease) {
      generator.release(*tables[uses->matrix], uses->row, uses->column, uses->region);
      continue;
    }
    if (step.parameters != parameters) {
      parameters = step.parameters;
      generator.setParameters(parameters_[parameters - 1]);
    }
    accesses.clear();
    for (int i = 0; i < step.accessCount; ++i)
      accesses.push_back({tables[uses[i].matrix], uses[i].row, uses[i].column, uses[i].access, uses[i].region});
    generator.append({*classes_[step.taskClass], step.priority, indices_.data() + step.firstIndex, step.indexCount,
                      accesses.data(), step.accessCount});
  }
}

std::function<void(Generator &)> inOrder(const std::function<void(Generator &)> &generate, const TaskBlocks &blocks,
                                         LoopProgress *progress) {
  if (blocks.isProgramOrder())
    return generate;
  const auto blocked = std::make_shared<const BlockedProgram>(generate, blocks, progress);
  return [blocked](Generator &generator) { (*blocked)(generator); };
}

} // namespace tla::runtime
