#include "tests/fuzz/interpreter.hpp"

#include "tests/fuzz/names.hpp"
#include "tests/fuzz/shapes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fuzz {

namespace {

constexpr std::uint64_t mostTasks = 4000, mostSteps = 200000;
constexpr int mostCalls = 100; // inside one another

constexpr int asValuesSay = -1;

class Interpreter : private Names {
public:
  Interpreter(const Program &program, const Sizes &sizes, int iterations)
      : Names(program, sizes), iterations_(iterations) {}

  using Names::extents;

  Tally run() {
    try {
      run(program_.body);
    } catch (const Overflow &) {
      tally_.overflows = true;
    }
    return tally_;
  }

private:
  void run(const Block &block) {
    const std::size_t visible = values_.size();
    ++depth_;
    for (const Statement &statement : block)
      if (!leaves_)
        run(statement);
    --depth_;
    values_.resize(visible);
  }

  void run(const Statement &statement) {
    switch (statement.kind) {
    case Statement::Kind::Loop:
      return runLoop(statement);
    case Statement::Kind::If:
      return run(evaluate(statement.condition).truth() ? statement.body : statement.otherwise);
    case Statement::Kind::Local:
      return declare(statement.type, statement.variable, evaluate(statement.first));
    case Statement::Kind::Task:
      return runTask(statement);
    case Statement::Kind::Call:
      return runCall(statement);
    case Statement::Kind::Swap:
      return swapNames(statement.arguments[0].matrix, statement.arguments[1].matrix);
    case Statement::Kind::Until:
      return test(statement);
    }
  }

  void test(const Statement &until) {
    if (loops_ != 1 || depth_ != 2)
      throw Invalid{"a break that is not directly in an outermost loop"};
    const std::string counter = original(until.arguments[0].matrix);
    tally_.unwritten |= !written_.count({Place{counter, 0, 0}, 0}) || !written_.count({Place{counter, 0, 0}, 1});
    const double bound = static_cast<double>(evaluate(until.first).value);
    leaves_ = iterations_ == asValuesSay ? holds(counters_[counter], until.stepSign, bound)
                                         : iterations_ == tally_.iterations;
    tally_.endedEarly = leaves_;
  }

  static bool holds(double a, const std::string &sign, double b) {
    return sign == "<"    ? a < b
           : sign == "<=" ? a <= b
           : sign == ">"  ? a > b
           : sign == ">=" ? a >= b
           : sign == "==" ? a == b
                          : a != b;
  }

  /// Throws unless the loop counts by a constant.
  static void requireCounting(const Statement &loop) {
    const bool counts = loop.step.kind == Operator::Number && loop.stepSign != "*=" &&
                        !loop.condition.operands.empty() && loop.condition.operands[0] == name(loop.variable);
    if (!counts)
      throw Invalid{"a loop that an element ends does not count by a constant"};
  }

  void runLoop(const Statement &loop) {
    values_.push_back({loop.variable, evaluate(loop.first)});
    const std::size_t own = values_.size() - 1;
    const bool mayLeave = std::any_of(loop.body.begin(), loop.body.end(), [](const Statement &statement) {
      return statement.kind == Statement::Kind::Until;
    });
    if (mayLeave) {
      requireCounting(loop);
      tally_.iterations = 0;
    }
    ++loops_;
    while (!leaves_ && evaluate(loop.condition).truth()) {
      if (++steps_ > mostSteps)
        throw Invalid{"a loop without an end"};
      tally_.iterations += mayLeave;
      run(loop.body);
      const long double step = evaluate(loop.step).value;
      long double &value = values_[own].second.value;
      value = loop.stepSign == "*=" ? value * step : loop.stepSign == "+=" ? value + step : value - step;
    }
    --loops_;
    leaves_ = false;
    values_.resize(own);
  }

  void runCall(const Statement &call) {
    const auto callee = std::find_if(program_.callees.begin(), program_.callees.end(),
                                     [&](const Callee &candidate) { return candidate.name == call.callee; });
    if (callee == program_.callees.end() || callee->parameters.size() != call.arguments.size())
      throw Invalid{"no algorithm " + call.callee};
    auto aliases = aliases_;
    const std::size_t visible = values_.size();
    std::vector<Number> given;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const Argument &argument = call.arguments[i];
      if (argument.kind == Argument::Kind::Matrix)
        aliases[callee->parameters[i].name] = meaningOf(argument);
      given.push_back(argument.kind == Argument::Kind::Value ? evaluate(argument.value) : Number{});
    }
    for (std::size_t i = 0; i < given.size(); ++i)
      if (call.arguments[i].kind == Argument::Kind::Value)
        declare(callee->parameters[i].type, callee->parameters[i].name, given[i]);
    if (++calls_ > mostCalls)
      throw Invalid{"calls without an end"};
    std::erase_if(written_,
                  [&](const auto &half) { return program_.find(std::get<0>(half.first))->owner == callee->name; });
    aliases_.swap(aliases);
    run(callee->body);
    aliases_.swap(aliases);
    --calls_;
    values_.resize(visible);
  }

  void runTask(const Statement &task) {
    if (++tally_.tasks > mostTasks)
      throw Invalid{"too many tasks"};
    named_.clear();
    callee_ = task.callee;
    for (const Expression &priority : task.priority)
      evaluate(priority);
    for (const Argument &argument : task.arguments)
      read(isOnlyWritten(task, argument) ? overwritten(argument) : argument);
    for (const Argument &argument : task.arguments)
      if (argument.isTile() && argument.access != Access::Read)
        for (const int half : halves(argument))
          written_.insert({place(argument, evaluate(argument.row).integer()), half});
    count(task);
    if (task.release >= 0) {
      const Argument &released = task.arguments[task.release];
      for (const int half : halves(released))
        written_.erase({place(released, evaluate(released.row).integer()), half});
    }
    const bool twice = namesOneTileTwice(false);
    tally_.aliases |= twice;
    tally_.misfits |=
        (twice && !maySeeOneTileTwice(task.callee)) || namesOneTileTwice(true) || !fits(task.callee, seen(task));
  }

  /// By renew, which says so, with a beta that is the constant 0. Where a loop decides what beta is the tile counts as
  /// read: such a program is examined at fewer sizes.
  static bool isOnlyWritten(const Statement &task, const Argument &argument) {
    const auto isZero = [](const Expression &beta) {
      return beta == convert("T", number(0)) || beta == convert("T", real("0.0"));
    };
    return task.callee == "renew" && &argument == &task.arguments.back() && isZero(task.arguments.front().value);
  }
  static Argument overwritten(Argument argument) {
    argument.access = Access::Overwrite;
    return argument;
  }

  /// Sets a counter's first element.
  void count(const Statement &task) {
    const Argument &last = task.arguments.back();
    if (last.kind != Argument::Kind::Tile || last.access == Access::Read)
      return;
    const std::string name = original(last.matrix);
    if (!program_.find(name)->counter)
      return;
    if (task.callee == "advance" || task.callee == "advanceAfter")
      counters_[name] += static_cast<double>(evaluate(task.arguments[0].value).integer());
    else
      counters_[name] = task.callee == "fill" ? 0.25 : 0;
  }

  /// The arguments' sizes and values; of panels nothing, as no kernel asks.
  std::vector<SeenArgument> seen(const Statement &task) const {
    std::vector<SeenArgument> result;
    for (const Argument &argument : task.arguments) {
      SeenArgument one;
      if (argument.kind == Argument::Kind::Value && argument.value.kind == Operator::Name)
        one.option = argument.value.text;
      if (argument.kind == Argument::Kind::Value)
        one.value = evaluate(argument.value).integer();
      if (argument.isTile()) {
        const Extents extents = extentsOf(argument.matrix);
        one.m = extents.tileRows(evaluate(argument.row).integer());
        one.n = extents.tileCols(evaluate(argument.column).integer());
        if (argument.transposed)
          std::swap(one.m, one.n);
      }
      result.push_back(std::move(one));
    }
    return result;
  }

  void read(const Argument &argument) {
    if (argument.kind == Argument::Kind::Value)
      evaluate(argument.value);
    if (argument.kind == Argument::Kind::Tile)
      readTile(argument, evaluate(argument.row).integer());
    if (argument.kind != Argument::Kind::Panel)
      return;
    const long begin = evaluate(argument.row).integer(), end = evaluate(argument.rowEnd).integer();
    tally_.emptyPanels |= argument.access != Access::Read && begin >= end;
    const long step = evaluate(argument.rowStep).integer();
    if (step < 1)
      throw Invalid{"a panel whose step is " + std::to_string(step)};
    for (long row = begin; row < end; row += step)
      readTile(argument, row);
  }

  void readTile(const Argument &argument, long row) {
    const Place tile = place(argument, row);
    const auto &[name, i, j] = tile;
    const Matrix *const matrix = program_.find(name);
    const Extents &extents = extents_.at(name);
    const bool transposed = isTransposed(argument);
    if (!has(name, i, j))
      throw Invalid{"no tile " + matrix->name + "(" + std::to_string(i) + ", " + std::to_string(j) + ")"};
    if (!argument.view.empty())
      checkView(argument, (argument.view == "rows") != transposed ? extents.tileRows(i) : extents.tileCols(j));
    if (matrix->own)
      requireContent(argument, tile);
    named_.push_back({tile, transposed ? "" : argument.half, argument.access != Access::Read, transposed});
  }

  bool isTransposed(const Argument &argument) const {
    return argument.transposed != meaning(argument.matrix).transposed;
  }
  /// The halves of its tile that an argument is to: for a transpose, and for a view, both.
  std::vector<int> halves(const Argument &argument) const {
    if (argument.half.empty() || !argument.view.empty() || isTransposed(argument))
      return {0, 1};
    return {argument.half == "upper"};
  }

  /// Notes where an argument finds no content in its tile's halves, unless it overwrites them: one that leaves a part
  /// of them as it is reads that part.
  void requireContent(const Argument &argument, const Place &tile) {
    const bool isPart = !argument.view.empty() || (!argument.half.empty() && isTransposed(argument));
    if (argument.access == Access::Overwrite && !isPart)
      return;
    for (const int half : halves(argument))
      if (!written_.count({tile, half})) {
        if (argument.access == Access::Update && !isPart && !alwaysReads(callee_))
          throw Invalid{std::get<0>(tile) + " is perhaps read before it is written"};
        tally_.unwritten = true;
      }
  }
  /// Whether a kernel reads what it changes whatever its scalars are: of others hetc decides that by these.
  static bool alwaysReads(const std::string &kernel) {
    static const std::set<std::string> kernels = {"stir",   "pour",     "fold",   "swapParts", "cascade",
                                                  "gather", "exchange", "narrow", "tally",     "weigh",
                                                  "widen",  "stamp",    "census", "advance",   "advanceAfter"};
    return kernels.count(kernel);
  }

  /// Written as one of them; `mixed`: once as it is, and once transposed.
  bool namesOneTileTwice(bool mixed) const {
    for (std::size_t a = 0; a < named_.size(); ++a)
      for (std::size_t b = a + 1; b < named_.size(); ++b) {
        const auto &[tileA, halfA, writesA, transposedA] = named_[a];
        const auto &[tileB, halfB, writesB, transposedB] = named_[b];
        if (tileA == tileB && (writesA || writesB) && (halfA == halfB || halfA.empty() || halfB.empty()) &&
            (!mixed || transposedA != transposedB))
          return true;
      }
    return false;
  }

  std::set<std::pair<Place, int>> written_; ///< halves of tiles
  std::string callee_;                      ///< the kernel of the task at hand
  /// By the task at hand: tile, half, whether it is written, and seen transposed.
  std::vector<std::tuple<Place, std::string, bool, bool>> named_;
  std::map<std::string, double> counters_;
  std::uint64_t steps_ = 0;
  int depth_ = 0, loops_ = 0, calls_ = 0; ///< blocks, loops and calls around the statement
  bool leaves_ = false;                   ///< the loop that an element ends
  const int iterations_;
  Tally tally_;
};

} // namespace

bool isPresent(unsigned sparse, const std::string &matrix, long i, long j) {
  std::uint64_t x = sparse * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(i) * 0xbf58476d1ce4e5b9u +
                    static_cast<std::uint64_t>(j) * 0x94d049bb133111ebu;
  for (const char c : matrix)
    x = (x ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return i == j || (x >> 33) % 3 != 0;
}

std::vector<Shape> shapesOf(const Program &program, const Sizes &sizes) {
  const Interpreter interpreter(program, sizes, asValuesSay);
  std::vector<Shape> shapes;
  for (const Matrix &matrix : program.matrices)
    if (matrix.kind != MatrixKind::Workspace)
      shapes.push_back({matrix.name, interpreter.extents(matrix.name).m, interpreter.extents(matrix.name).n});
  return shapes;
}

Tally interpret(const Program &program, const Sizes &sizes) { return Interpreter(program, sizes, asValuesSay).run(); }
Tally interpret(const Program &program, const Sizes &sizes, int iterations) {
  return Interpreter(program, sizes, iterations).run();
}

} // namespace fuzz
