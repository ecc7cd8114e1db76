#include "compiler/ir/until.hpp"

#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/simplify.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace hetc::ir {

namespace {

ExprRef binary(ExprKind kind, const ExprRef &left, const ExprRef &right) { return makeBinary(kind, left, right); }
ExprRef isPart(int part) { return binary(ExprKind::Eq, makeVar(stagePart), makeInt(part)); }

Statement makeIf(const ExprRef &condition, Block then, const Location &location, Block otherwise = {}) {
  return std::make_unique<If>(If{condition, std::move(then), std::move(otherwise), location});
}

/// Whether the loop adds to its variable, and does not subtract.
bool goesUp(const Loop &loop) { return stepSize(loop).adds; }

std::size_t placeOfLoop(const Program &program) {
  const auto isIt = [&](const Statement &statement) {
    const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement);
    return loop && (*loop)->variable == program.until->loop;
  };
  const auto place = std::ranges::find_if(program.body, isIt);
  assert(place != program.body.end() && "the front end finds it among the outermost statements");
  return static_cast<std::size_t>(place - program.body.begin());
}

/// The statements from `first` on, except `last` and those behind it.
Block taken(Block &from, std::size_t first, std::size_t last) {
  Block result;
  for (std::size_t i = first; i < std::min(last, from.size()); ++i)
    result.push_back(std::move(from[i]));
  return result;
}

/// A program in its four parts.
struct Parts {
  explicit Parts(const Program &program) {
    Block body = copyOf(program.body);
    const std::size_t place = placeOfLoop(program), all = body.size();
    before = taken(body, 0, place);
    loop = std::move(std::get<std::unique_ptr<Loop>>(body[place]));
    after = taken(body, place + 1, all);
    first = taken(loop->body, 0, program.until->position);
    second = taken(loop->body, program.until->position, loop->body.size());
    loop->body.clear();
  }
  Block before, first, second, after;
  std::unique_ptr<Loop> loop;
};

/// The variable is that of one of the first `count` iterations.
ExprRef isAmong(const Loop &loop, const ExprRef &count) {
  const ExprRef way = binary(ExprKind::Mul, count, stepSize(loop).size);
  return goesUp(loop) ? binary(ExprKind::Lt, makeVar(loop.variable), binary(ExprKind::Add, loop.init, way))
                      : binary(ExprKind::Gt, makeVar(loop.variable), binary(ExprKind::Sub, loop.init, way));
}

using Values = std::map<std::string, ExprRef>;

void substituteIn(Block &block, const Values &values);
void substituteIn(Loop &loop, const Values &values) {
  for (ExprRef *expr : {&loop.init, &loop.condition, &loop.next})
    *expr = substitute(*expr, values);
  substituteIn(loop.body, values);
}
void substituteIn(If &branch, const Values &values) {
  branch.condition = substitute(branch.condition, values);
  substituteIn(branch.then, values);
  substituteIn(branch.otherwise, values);
}
void substituteIn(Task &task, const Values &values) {
  for (Argument &argument : task.arguments)
    if (auto *tile = std::get_if<TileAccess>(&argument))
      *tile = substitute(*tile, values);
    else
      argument = substitute(std::get<ExprRef>(argument), values);
  for (TileAccess &tile : task.releases)
    tile = substitute(tile, values);
  if (task.priority)
    task.priority = substitute(task.priority, values);
}
void substituteIn(Call &call, const Values &values) {
  for (ExprRef &argument : call.arguments)
    argument = substitute(argument, values);
}
void substituteIn(Block &block, const Values &values) {
  for (Statement &statement : block)
    std::visit([&](const auto &child) { substituteIn(*child, values); }, statement);
}

/// A task that stands for the test: it needs the element's tile. Tasks write something, so it writes that, too.
std::unique_ptr<Task> readingTask(const Program &program) {
  auto task = std::make_unique<Task>();
  task->id = program.until->task;
  task->kernel = testKernel;
  TileAccess tile;
  tile.matrix = program.until->matrix;
  tile.row = tile.column = makeInt(0);
  tile.access = Access::ReadWrite;
  tile.location = task->location = program.until->location;
  task->arguments = {tile};
  return task;
}

} // namespace

std::string print(const Until &until) {
  return print(*binary(until.compare, makeVar("tla::value(" + until.matrix + ")"), until.bound));
}

ExprRef iterationsOf(const Loop &loop) {
  const StepSize step = stepSize(loop);
  const Expr &condition = *loop.condition;
  const bool isOpen = condition.kind == (step.adds ? ExprKind::Lt : ExprKind::Gt);
  if (!step.size || step.size->kind != ExprKind::Int || step.size->value <= 0 ||
      (!isOpen && condition.kind != (step.adds ? ExprKind::Le : ExprKind::Ge)) ||
      condition.operands[0]->kind != ExprKind::Var || condition.operands[0]->text != loop.variable ||
      std::ranges::count(variables(*condition.operands[1]), loop.variable))
    return nullptr;
  const ExprRef &end = condition.operands[1];
  const ExprRef way = step.adds ? binary(ExprKind::Sub, end, loop.init) : binary(ExprKind::Sub, loop.init, end);
  // Rounded up, of a way that is not negative.
  const ExprRef more = makeInt(step.size->value - (isOpen ? 1 : 0));
  return simplify(binary(
      ExprKind::Div,
      binary(ExprKind::Max, makeInt(0), isOpen && step.size->value == 1 ? way : binary(ExprKind::Add, way, more)),
      step.size));
}

Program withAnyEnd(const Program &program) {
  Parts parts(program);
  Loop &loop = *parts.loop;
  // One more than all: nothing ends the loop.
  const ExprRef begun = makeVar(stageBegun), others = binary(ExprKind::Sub, begun, makeInt(1)),
                all = iterationsOf(loop);
  Program result;
  static_cast<Declarations &>(result) = program;
  result.until.reset();
  std::erase_if(result.scalars, [](const Scalar &scalar) { return scalar.ofStage && scalar.name != stageBegun; });
  result.scalars.back().ofStage = false;
  result.parameterOrder.push_back(stageBegun);
  result.requirements.push_back({binary(ExprKind::Ge, begun, makeInt(1)), ""});
  Kernel kernel;
  kernel.name = testKernel;
  kernel.parameters.push_back({"r", true, false, Access::ReadWrite, nullptr});
  kernel.isTemplate = false;
  result.kernels.push_back(kernel);
  parts.first.push_back(readingTask(program));
  loop.body.push_back(makeIf(isAmong(loop, begun), std::move(parts.first), loop.location));
  if (!parts.second.empty())
    loop.body.push_back(makeIf(isAmong(loop, others), std::move(parts.second), loop.location));
  result.body = std::move(parts.before);
  result.body.push_back(std::move(parts.loop));
  substituteIn(parts.after,
               {{stageBegun, binary(ExprKind::Min, begun, all)}, {stageEnded, binary(ExprKind::Min, others, all)}});
  std::ranges::move(parts.after, std::back_inserter(result.body));
  return result;
}

Program inStages(const Program &program) {
  Parts parts(program);
  Loop &loop = *parts.loop;
  Program result;
  static_cast<Declarations &>(result) = program;
  result.until->iterations = iterationsOf(loop);
  result.until->first = loop.init;
  result.until->step = goesUp(loop) ? stepSize(loop).size->value : -stepSize(loop).size->value;
  for (Matrix &matrix : result.matrices)
    matrix.held = !program.isParameter(matrix);
  // One iteration, of those that the loop has.
  const ExprRef at = makeVar(stageAt);
  ExprRef isOne = binary(ExprKind::And, binary(goesUp(loop) ? ExprKind::Ge : ExprKind::Le, at, loop.init),
                         substitute(loop.condition, {{loop.variable, at}}));
  if (const ExprRef step = stepSize(loop).size; step->value > 1)
    isOne = binary(ExprKind::And, isOne,
                   binary(ExprKind::Eq, binary(ExprKind::Rem, binary(ExprKind::Sub, at, loop.init), step), makeInt(0)));
  const bool hasSecond = !parts.second.empty();
  loop.init = at;
  loop.condition = binary(ExprKind::Le, makeVar(loop.variable), at);
  loop.next = binary(ExprKind::Add, makeVar(loop.variable), makeInt(1));
  const ExprRef isLoop = hasSecond ? binary(ExprKind::Or, isPart(1), isPart(2)) : isPart(1);
  const Location location = loop.location;
  if (hasSecond)
    loop.body.push_back(makeIf(isPart(1), std::move(parts.first), location, std::move(parts.second)));
  else
    loop.body = std::move(parts.first);
  Block iteration;
  iteration.push_back(std::move(parts.loop));
  const auto add = [&](const ExprRef &condition, Block block) {
    if (!block.empty())
      result.body.push_back(makeIf(condition, std::move(block), location));
  };
  add(isPart(0), std::move(parts.before));
  add(binary(ExprKind::And, isLoop, isOne), std::move(iteration));
  add(isPart(3), std::move(parts.after));
  if (!program.checksContent)
    forEachTask(result.body, [](Task &task) { task.releases.clear(); });
  return result;
}

} // namespace hetc::ir
