// The search for a call whose arguments do not fit together: the program's loops at small sizes.
#include "compiler/dependence/arguments.hpp"
#include "compiler/dependence/describe.hpp"
#include "compiler/dependence/enumerations.hpp"
#include "compiler/ir/period.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/ir/unroll.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace hetc::dependence {

using ir::ExprKind;
using ir::ExprRef;
using ir::Extent;

namespace {

/// Tiles of two elements: 0 to 4 tiles, ragged or not.
constexpr std::int64_t searchedTile = 2, largestSearched = 7;
constexpr std::size_t tasksOfOneSize = 2'000;

/// Rows or columns [first, first + count) of a tile.
struct Range {
  std::int64_t first = 0, count = 0;
  bool meets(const Range &other) const {
    return first < other.first + other.count && other.first < first + count && count > 0 && other.count > 0;
  }
};

/// The kernel's view of one argument.
struct Shape {
  std::vector<const ir::TileRef *> tiles; ///< several, or none, of a panel
  Range rows, cols;                       ///< rows and columns; for a panel those of all its tiles together
  bool isTransposed = false;

  /// As the tile lies in memory.
  const Range &storedRows() const { return isTransposed ? cols : rows; }
  const Range &storedCols() const { return isTransposed ? rows : cols; }
};

/// One task instance at concrete sizes.
class Call {
public:
  /// `values`: those of all names at the instance.
  Call(const ir::Program &program, const ir::Environment &values, const ir::TaskInstance &instance)
      : program_(program), task_(*instance.task), kernel_(*program.findKernel(task_.kernel)), values_(values) {
    shapes_.resize(task_.arguments.size());
    for (const ir::TaskInstance::Use &use : instance.uses)
      shapes_[use.argument].tiles.push_back(&use.tile);
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (const auto *tile = std::get_if<ir::TileAccess>(&task_.arguments[i]))
        measure(*tile, shapes_[i]);
  }

  /// "gemm requires A.m() == C.m(), but ...", where one does not hold. A call of which all outputs are empty requires
  /// nothing.
  std::optional<std::string> brokenRequirement() const {
    if (writesNothing())
      return std::nullopt;
    const ir::Environment arguments = argumentValues();
    for (const ExprRef &requirement : kernel_.requirements)
      if (ir::evaluate(*requirement, arguments) == 0)
        return name() + " requires " + ir::print(*requirement) + ", but " + seen(*requirement);
    return std::nullopt;
  }

  /// The arguments, of which the first is written, that share elements.
  std::optional<std::pair<std::size_t, std::size_t>> sharedTile() const {
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      for (std::size_t j = i + 1; j < shapes_.size(); ++j)
        if (isTile(i) && isTile(j) && (isWritten(i) || isWritten(j)) && !ir::mayAlias(kernel_, task_, i, j) &&
            share(i, j))
          return isWritten(i) ? std::pair(i, j) : std::pair(j, i);
    return std::nullopt;
  }

  std::string describeSharing(std::size_t written, std::size_t other) const {
    const std::string &first = kernel_.parameters[written].name, &second = kernel_.parameters[other].name;
    return name() + " writes " + first + ", which is " + tileText(written) + " and shares elements with " + second +
           ", which is " + tileText(other) +
           (shapes_[written].isTransposed != shapes_[other].isTransposed
                ? "; one tile is not seen as it is and transposed by one call"
                : "; a kernel that can take that says alias(" + first + ", " + second + ")");
  }

private:
  bool isTile(std::size_t i) const { return std::holds_alternative<ir::TileAccess>(task_.arguments[i]); }
  bool isWritten(std::size_t i) const {
    return std::get<ir::TileAccess>(task_.arguments[i]).access != ir::Access::Read;
  }
  bool writesNothing() const {
    for (std::size_t i = 0; i < shapes_.size(); ++i)
      if (isTile(i) && isWritten(i) && shapes_[i].rows.count > 0 && shapes_[i].cols.count > 0)
        return false;
    return true;
  }
  std::string name() const { return task_.kernel.substr(task_.kernel.rfind(':') + 1); }

  std::int64_t extent(const ir::TileRef &tile, Extent of) const {
    return values_.extents.at({program_.matrices[tile.matrix].name, of});
  }
  std::int64_t rowsOf(const ir::TileRef &tile) const {
    const std::int64_t size = extent(tile, Extent::Mb);
    return std::min(size, extent(tile, Extent::M) - tile.row * size);
  }
  std::int64_t colsOf(const ir::TileRef &tile) const {
    const std::int64_t size = extent(tile, Extent::Nb);
    return std::min(size, extent(tile, Extent::N) - tile.column * size);
  }
  Range strip(const ir::Strip &strip, std::int64_t all) const {
    if (!strip.first)
      return {0, all};
    return {ir::evaluate(*strip.first, values_).value_or(0), ir::evaluate(*strip.count, values_).value_or(0)};
  }

  void measure(const ir::TileAccess &access, Shape &shape) const {
    if (shape.tiles.empty()) // a panel without tiles
      return;
    std::int64_t rows = 0;
    for (const ir::TileRef *tile : shape.tiles)
      rows += rowsOf(*tile);
    const std::int64_t cols = colsOf(*shape.tiles.front());
    shape.isTransposed = access.isTransposed;
    shape.rows = strip(access.rows, access.isTransposed ? cols : rows);
    shape.cols = strip(access.cols, access.isTransposed ? rows : cols);
  }

  bool share(std::size_t i, std::size_t j) const {
    const Shape &a = shapes_[i], &b = shapes_[j];
    if (a.isTransposed && b.isTransposed && areOtherHalves(i, j))
      return false;
    const bool mixed = a.isTransposed != b.isTransposed; // one is a copy of the whole tile
    if (!mixed && !a.storedRows().meets(b.storedRows()) && a.tiles.size() == 1 && b.tiles.size() == 1)
      return false;
    if (!mixed && !a.storedCols().meets(b.storedCols()))
      return false;
    return std::ranges::any_of(a.tiles, [&](const ir::TileRef *x) {
      return std::ranges::any_of(b.tiles, [&](const ir::TileRef *y) { return isSame(*x, *y); });
    });
  }
  /// lower() and upper(), of what may be a transpose.
  bool areOtherHalves(std::size_t i, std::size_t j) const {
    const ir::Region a = std::get<ir::TileAccess>(task_.arguments[i]).region,
                     b = std::get<ir::TileAccess>(task_.arguments[j]).region;
    return a != ir::Region::Full && b != ir::Region::Full && a != b;
  }
  /// The same tile, or half of it.
  static bool isSame(const ir::TileRef &x, const ir::TileRef &y) {
    const bool halves = x.region != ir::Region::Full && y.region != ir::Region::Full;
    return x.matrix == y.matrix && x.row == y.row && x.column == y.column && (!halves || x.region == y.region);
  }

  /// The values of the names in a requirement.
  ir::Environment argumentValues() const {
    ir::Environment result;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const std::string &name = kernel_.parameters[i].name;
      if (const auto *value = std::get_if<ExprRef>(&task_.arguments[i])) {
        if (const auto number = ir::evaluate(**value, values_))
          result.variables[name] = *number;
        continue;
      }
      result.extents[{name, Extent::M}] = shapes_[i].rows.count;
      result.extents[{name, Extent::N}] = shapes_[i].cols.count;
      result.extents[{name, Extent::Mt}] = static_cast<std::int64_t>(shapes_[i].tiles.size());
    }
    return result;
  }

  static bool mentions(const ir::Expr &expr, const std::string &name) {
    const bool isName = expr.kind == ExprKind::Var || expr.kind == ExprKind::Extent;
    return (isName && expr.text == name) ||
           std::ranges::any_of(expr.operands, [&](const ExprRef &operand) { return mentions(*operand, name); });
  }

  /// "A, which is A(2, 0), is 1 x 2; ib is 0": what the requirement speaks of.
  std::string seen(const ir::Expr &requirement) const {
    std::string text;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
      const std::string &parameter = kernel_.parameters[i].name;
      if (!mentions(requirement, parameter))
        continue;
      text += text.empty() ? "" : "; ";
      text += isTile(i) ? parameter + ", which is " + tileText(i) + ", is " + std::to_string(shapes_[i].rows.count) +
                              " x " + std::to_string(shapes_[i].cols.count)
                        : parameter + " is " + scalarText(i);
    }
    return text;
  }

  std::string scalarText(std::size_t i) const {
    const ir::Expr &argument = *std::get<ExprRef>(task_.arguments[i]);
    const std::optional<std::int64_t> value = ir::evaluate(argument, values_);
    if (!value || argument.kind == ExprKind::Enum)
      return ir::print(argument);
    if (kernel_.parameters[i].number.empty()) // an option, whatever it is chosen by
      if (const std::string name = enumeratorName(*value); !name.empty())
        return name;
    return valueText(program_, argument.text, *value);
  }

  /// The argument with the numbers put in: "A(2, 0).rows(0, 1)".
  std::string tileText(std::size_t i) const {
    const auto &access = std::get<ir::TileAccess>(task_.arguments[i]);
    ir::TileAccess numbers = access;
    ir::forEachExpr(numbers, [this](ExprRef &expr) {
      if (const auto value = ir::evaluate(*expr, values_))
        expr = ir::makeInt(*value);
    });
    return ir::print(numbers);
  }

  const ir::Program &program_;
  const ir::Task &task_;
  const ir::Kernel &kernel_;
  const ir::Environment &values_;
  std::vector<Shape> shapes_; ///< one for each argument; empty for scalars
};

/// Names and the values that a search tries for each, in its order.
using Candidates = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

/// Calls visit(values) for all combinations.
template <typename Visit>
void forEachCombination(const Candidates &candidates, std::size_t next, std::map<std::string, std::int64_t> &values,
                        Visit &&visit) {
  if (next == candidates.size())
    return visit(values);
  for (const std::int64_t value : candidates[next].second) {
    values[candidates[next].first] = value;
    forEachCombination(candidates, next + 1, values, visit);
  }
}

class Search {
public:
  Search(const ir::Program &program, const ProvedArguments &proved, std::size_t budget)
      : program_(program), instances_(program), asksPeriod_(ir::asksPeriod(program)), budget_(budget),
        looks_(budget / 10), settled_(proved) {
    collectLoops(program.body);
    for (const auto &[task, loops] : loopsOf_)
      if (!isSettled(task))
        open_.insert(task);
  }

  Findings run() {
    Candidates sizes, scalars;
    for (const std::string &size : program_.sizes) {
      sizes.emplace_back(size, std::vector<std::int64_t>(largestSearched + 1));
      std::iota(sizes.back().second.begin(), sizes.back().second.end(), 0);
    }
    for (const ir::Scalar &scalar : program_.scalars)
      scalars.emplace_back(scalar.name, candidatesOf(scalar));
    using Values = std::map<std::string, std::int64_t>;
    std::vector<Values> all;
    Values values;
    forEachCombination(sizes, 0, values, [&](const Values &combination) { all.push_back(combination); });
    const auto sum = [](const Values &of) {
      return std::accumulate(of.begin(), of.end(), std::int64_t{0}, [](auto a, const auto &b) { return a + b.second; });
    };
    std::ranges::stable_sort(all, {}, sum);
    for (Values &combination : all)
      forEachCombination(scalars, 0, combination, [&](const Values &combined) {
        for (int p = 1; p <= (asksPeriod_ ? 2 : 1); ++p)
          if (budget_ > 0 && looks_ > 0 && !open_.empty())
            look(combined, p);
      });
    Findings findings;
    for (const Misfit &misfit : misfits_)
      seen_.erase(misfit.task);
    findings.fitting = std::move(seen_);
    findings.misfits = std::move(misfits_);
    return findings;
  }

private:
  void collectLoops(const ir::Block &block) {
    for (const ir::Statement &statement : block) {
      if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
        loops_.push_back((*loop)->variable);
        collectLoops((*loop)->body);
        loops_.pop_back();
      } else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
        collectLoops((*branch)->then);
        collectLoops((*branch)->otherwise);
      } else {
        const ir::Task &task = *std::get<std::unique_ptr<ir::Task>>(statement);
        loopsOf_[task.id] = loops_;
      }
    }
  }

  static std::vector<std::int64_t> candidatesOf(const ir::Scalar &scalar) {
    std::vector<std::int64_t> values;
    for (const auto &[member, value] : enumMembers(scalar.type))
      values.push_back(value);
    if (!values.empty())
      return values;
    return scalar.type == "int" ? std::vector<std::int64_t>{1, 2, 3} : std::vector<std::int64_t>{1};
  }

  bool isSettled(unsigned task) const { return settled_.fits.contains(task) && settled_.distinct.contains(task); }

  /// Searches at these sizes, on a distribution that repeats after p rows and p columns of tiles.
  void look(const std::map<std::string, std::int64_t> &values, int p) {
    period_ = p;
    --looks_;
    ir::Environment names;
    const auto isAllowed = [&](const ir::Environment &constants) {
      names = constants;
      return std::ranges::none_of(program_.requirements, [&](const ir::Requirement &requirement) {
        return ir::evaluate(*requirement.condition, constants) == 0;
      });
    };
    // What the loops do wrong at these sizes is said elsewhere, or when they run.
    const std::set<unsigned> tasks = open_; // which changes on the way
    instances_.forEachInstance({values, searchedTile, 1, p, p}, tasksOfOneSize, tasks, isAllowed,
                               [&](const ir::TaskInstance &instance) {
                                 examine(instance, values, names);
                                 return --budget_ > 0 && !open_.empty();
                               });
  }

  /// `names`: the values of all names but those of the loops around the task, which are set here.
  void examine(const ir::TaskInstance &instance, const std::map<std::string, std::int64_t> &values,
               ir::Environment &names) {
    const ir::Task &task = *instance.task;
    const bool fits = settled_.fits.contains(task.id), distinct = settled_.distinct.contains(task.id);
    if (fits && distinct)
      return;
    seen_.insert(task.id);
    const std::vector<std::string> &loops = loopsOf_.at(task.id);
    for (std::size_t d = 0; d < loops.size(); ++d)
      names.variables[loops[d]] = instance.indices[d];
    const Call call(program_, names, instance);
    if (const auto broken = fits ? std::nullopt : call.brokenRequirement()) {
      settled_.fits.insert(task.id);
      misfits_.push_back({task.id, task.location, circumstances(instance, values) + *broken});
    }
    if (const auto shared = distinct ? std::nullopt : call.sharedTile()) {
      settled_.distinct.insert(task.id);
      const auto &argument = std::get<ir::TileAccess>(task.arguments[std::max(shared->first, shared->second)]);
      misfits_.push_back({task.id, argument.location.line ? argument.location : task.location,
                          circumstances(instance, values) + call.describeSharing(shared->first, shared->second),
                          false});
    }
    if (isSettled(task.id))
      open_.erase(task.id);
  }

  /// "for m = 5, nb = 2, i = 2: ".
  std::string circumstances(const ir::TaskInstance &instance, const std::map<std::string, std::int64_t> &values) const {
    std::string text;
    const auto add = [&](const std::string &name, const std::string &value) {
      text += (text.empty() ? "for " : ", ") + name + " = " + value;
    };
    for (const std::string &size : program_.sizes)
      add(size, std::to_string(values.at(size)));
    add("nb", std::to_string(searchedTile));
    if (period_ > 1)
      add("p() = q()", std::to_string(period_));
    for (const ir::Scalar &scalar : program_.scalars)
      if (scalar.type != "T" && scalar.type != "real")
        add(sourceName(program_, scalar.name), valueText(program_, scalar.name, values.at(scalar.name)));
    const std::vector<std::string> &loops = loopsOf_.at(instance.task->id);
    for (std::size_t d = 0; d < loops.size(); ++d)
      add(sourceName(program_, loops[d]), std::to_string(instance.indices[d]));
    return text + ": ";
  }

  const ir::Program &program_;
  const ir::TaskSearch instances_;
  const bool asksPeriod_;
  int period_ = 1;          ///< period of the distribution that is searched
  std::size_t budget_;      ///< instances that may yet be looked at
  std::size_t looks_;       ///< combinations of sizes that may yet be tried, which takes about as long as ten instances
  ProvedArguments settled_; ///< proved, or reported
  std::set<unsigned> open_; ///< tasks of which not all is settled
  std::vector<std::string> loops_;
  std::map<unsigned, std::vector<std::string>> loopsOf_; ///< around each task, outermost first
  std::vector<Misfit> misfits_;
  std::set<unsigned> seen_;
};

} // namespace

Findings findMisfits(const ir::Program &program, const ProvedArguments &proved, std::size_t budget) {
  Findings findings = Search(program, proved, budget).run();
  std::ranges::stable_sort(findings.misfits, {}, &Misfit::task);
  return findings;
}

} // namespace hetc::dependence
