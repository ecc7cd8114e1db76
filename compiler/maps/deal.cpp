#include "compiler/maps/deal.hpp"

#include "compiler/maps/nests.hpp"
#include "compiler/maps/updates.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace hetc::maps {

using ir::ExprKind;
using ir::ExprRef;
using ir::Extent;

namespace {

constexpr const char *taskVariable = "s__", *partVariable = "part__";

std::string partsOf(const std::string &matrix) { return matrix + "__parts"; }

ExprRef plus(const ExprRef &expr, std::int64_t value) {
  return ir::makeBinary(ExprKind::Add, expr, ir::makeInt(value));
}

std::unique_ptr<ir::Loop> makeLoop(const std::string &variable, const ExprRef &first, const ExprRef &end,
                                   const ir::Location &location, ir::Block body) {
  const ExprRef self = ir::makeVar(variable);
  return std::make_unique<ir::Loop>(
      ir::Loop{variable, first, ir::makeBinary(ExprKind::Lt, self, end), plus(self, 1), std::move(body), location});
}

void append(ir::Block from, ir::Block &block) { std::ranges::move(from, std::back_inserter(block)); }

/// Makes the program of a nest.
class NestDealer {
public:
  NestDealer(const ir::Program &program, const std::set<unsigned> &updates, const ProductNest &nest)
      : program_(program), updates_(updates), nest_(nest) {}

  ir::Block operator()() const {
    ir::Block result;
    const ir::Block before = beside(/*before=*/true), behind = beside(/*before=*/false);
    append(aroundTiles(before, "__before"), result);
    result.push_back(makeLoop(taskVariable, ir::makeInt(0), asked(Extent::DealtCount), nest_.step->location, task()));
    append(aroundTiles(behind, "__behind"), result);
    return result;
  }

private:
  ExprRef asked(Extent extent) const { return ir::makeExtent(nest_.matrix, extent); }
  ExprRef ofTask(Extent extent) const { return ir::makeExtent(nest_.matrix, extent, ir::makeVar(taskVariable)); }

  /// The statements beside the step's loop, before or behind it.
  ir::Block beside(bool before) const {
    if (!nest_.around)
      return {};
    const auto loop = std::ranges::find_if(*nest_.around, [](const auto &statement) { return asLoop(statement); });
    const auto position = loop - nest_.around->begin();
    ir::Block result = copyOf(*nest_.around);
    if (before)
      result.erase(result.begin() + position, result.end());
    else
      result.erase(result.begin(), result.begin() + position + 1);
    return result;
  }

  /// Puts statements into the loops over tiles, with variables of their own.
  ir::Block aroundTiles(const ir::Block &block, const std::string &suffix) const {
    ir::Block result;
    if (block.empty())
      return result;
    std::map<std::string, ExprRef> renamed;
    for (const ir::Loop *loop : {nest_.outer, nest_.inner})
      if (loop)
        renamed[loop->variable] = ir::makeVar(loop->variable + suffix);
    result = withVariables(block, renamed);
    for (const ir::Loop *loop : {nest_.inner, nest_.outer})
      if (loop) {
        ir::Block around;
        around.push_back(makeLoop(loop->variable + suffix, ir::makeInt(0), endOf(program_, *loop), loop->location,
                                  std::move(result)));
        result = std::move(around);
      }
    return result;
  }

  static ir::Block withVariables(const ir::Block &block, const std::map<std::string, ExprRef> &renamed) {
    ir::Block result;
    for (const ir::Statement &statement : block)
      if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
        result.push_back(makeIf(ir::substitute((*branch)->condition, renamed), (*branch)->location,
                                withVariables((*branch)->then, renamed), withVariables((*branch)->otherwise, renamed)));
      else
        result.push_back(withVariables(*std::get<std::unique_ptr<ir::Task>>(statement), renamed));
    return result;
  }

  static std::unique_ptr<ir::Task> withVariables(const ir::Task &task, const std::map<std::string, ExprRef> &renamed) {
    auto copy = std::make_unique<ir::Task>(task);
    for (ir::Argument &argument : copy->arguments)
      if (auto *tile = std::get_if<ir::TileAccess>(&argument))
        *tile = ir::substitute(*tile, renamed);
      else
        argument = ir::substitute(std::get<ExprRef>(argument), renamed);
    if (copy->priority)
      copy->priority = ir::substitute(copy->priority, renamed);
    for (ir::TileAccess &tile : copy->releases)
      tile = ir::substitute(tile, renamed);
    return copy;
  }

  /// One task of the order: in loops of one iteration, which give the variables their values.
  ir::Block task() const {
    const ir::Task &update = *nest_.update;
    ir::Block body;
    ir::Block opened;
    opened.push_back(clear(update));
    body.push_back(makeIf(ofTask(Extent::DealtOpens), update.location, std::move(opened)));
    append(Rewriter([&](const ir::Task &task, const auto &, ir::Block &block) { addTask(task, block); })(*nest_.body),
           body);
    ir::Block closed;
    closed.push_back(join(update));
    body.push_back(makeIf(ofTask(Extent::DealtCloses), update.location, std::move(closed)));
    for (const auto &[loop, extent] :
         {std::pair(nest_.step, Extent::DealtStep), std::pair(nest_.column, Extent::DealtColumn),
          std::pair(nest_.row, Extent::DealtRow)})
      if (loop) {
        ir::Block around;
        around.push_back(
            makeLoop(loop->variable, ofTask(extent), plus(ofTask(extent), 1), loop->location, std::move(body)));
        body = std::move(around);
      }
    return body;
  }

  void addTask(const ir::Task &task, ir::Block &block) const {
    auto own = std::make_unique<ir::Task>(task);
    if (own->device == ir::Device::Any) // where the map says, whatever else is worth it
      own->device = ir::Device::Gpu;
    if (!updates_.contains(task.id))
      return block.push_back(std::move(own));
    auto other = std::make_unique<ir::Task>(*own);
    other->arguments[task.mainOutput] = part(task, ofTask(Extent::DealtPart), ir::Access::ReadWrite);
    ir::Block mine, others;
    mine.push_back(std::move(own));
    others.push_back(std::move(other));
    block.push_back(makeIf(ofTask(Extent::DealtHome), task.location, std::move(mine), std::move(others)));
  }

  ir::TileAccess part(const ir::Task &update, const ExprRef &number, ir::Access access) const {
    const ir::TileAccess &tile = mainTile(update);
    ir::TileAccess result;
    result.matrix = partsOf(nest_.matrix);
    result.row = ir::makeBinary(ExprKind::Add, ir::makeBinary(ExprKind::Mul, number, asked(Extent::Mt)), tile.row);
    result.column = tile.column;
    result.access = access;
    result.location = tile.location;
    return result;
  }

  std::unique_ptr<ir::Task> clear(const ir::Task &update) const {
    const ExprRef zero = numberOf(program_, nest_.matrix, 0);
    auto task =
        makeTask(update, "tla::laset", {zero, zero, part(update, ofTask(Extent::DealtPart), ir::Access::Write)});
    task->device = ir::Device::Gpu; // nothing to copy: it is made where it is needed
    return task;
  }

  std::unique_ptr<ir::Loop> join(const ir::Task &update) const {
    const ExprRef one = numberOf(program_, nest_.matrix, 1);
    const ir::TileAccess sum = part(update, ir::makeVar(partVariable), ir::Access::Read);
    auto add = makeTask(update, "tla::geadd", {one, sum, one, mainTile(update)});
    add->releases = {sum};
    ir::Block adds, parts;
    adds.push_back(std::move(add));
    parts.push_back(
        makeIf(ir::makeExtent(nest_.matrix, Extent::DealtJoins, ir::makeVar(taskVariable), ir::makeVar(partVariable)),
               update.location, std::move(adds)));
    return makeLoop(partVariable, ir::makeInt(0), asked(Extent::DealtParts), update.location, std::move(parts));
  }

  const ir::Program &program_;
  const std::set<unsigned> &updates_;
  const ProductNest &nest_;
};

void addMatrices(ir::Program &program, const ProductNest &nest) {
  ir::Matrix &matrix = *std::ranges::find(program.matrices, nest.matrix, &ir::Matrix::name);
  matrix.mapping = ir::Dealt{endOf(program, *nest.row), nest.column ? endOf(program, *nest.column) : ir::makeInt(1),
                             endOf(program, *nest.step)};
  ir::Matrix parts;
  parts.name = partsOf(nest.matrix);
  parts.kind = ir::MatrixKind::Workspace;
  parts.type = matrix.type;
  parts.rows = ir::makeExtent(nest.matrix, Extent::M);
  parts.cols = ir::makeExtent(nest.matrix, Extent::N);
  parts.tileRows = ir::makeExtent(nest.matrix, Extent::Nb);
  parts.mapping = ir::Layers{nest.matrix};
  parts.location = matrix.location;
  program.matrices.push_back(std::move(parts));
}

} // namespace

std::variant<Mapped, ir::Diagnostic> deal(const ir::Program &program, const std::vector<ir::Kernel> &kernels) {
  ir::Program separated;
  static_cast<ir::Declarations &>(separated) = program;
  separated.body = copyOf(program.body);
  const std::set<unsigned> updates = separateUpdates(separated);

  Mapped result;
  static_cast<ir::Declarations &>(result.program) = separated;
  NestFinder finder(separated, updates);
  for (ir::Statement &statement : separated.body) {
    const ir::Loop *loop = asLoop(statement);
    const std::optional<ProductNest> nest = loop ? finder.find(*loop) : std::nullopt;
    if (nest && !result.program.isDealt()) { // one is enough to have one order
      append(NestDealer(separated, updates, *nest)(), result.program.body);
      addMatrices(result.program, *nest);
    } else
      result.program.body.push_back(std::move(statement));
  }
  const auto error = [&](const std::string &text) { return say(ir::Diagnostic::Severity::Error, text); };
  if (!result.program.isDealt())
    return error("a task map deals the updates of products, and '" + program.name + "' has none that it could deal: " +
                 (finder.why().empty() ? "no call of its " + kernelsOf(program) +
                                             " adds to a whole tile, by the clause sum(C) of '#pragma tla kernel'"
                                       : finder.why()));
  number(result.program);
  if (const std::string name = addKernels(result.program, kernels); !name.empty())
    return error("parts of sums are joined by " + name + ", which '" + program.name +
                 "' does not declare: #include <tla/tla.hpp>");
  return result;
}

} // namespace hetc::maps
