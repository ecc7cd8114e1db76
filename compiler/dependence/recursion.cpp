// Calls end if some number is smaller at each call, and never negative. Such numbers are sums of what a function is
// called with: rows and columns of tiles of its parts, and ints. Each call is an edge from the caller to the callee
// with the set of the caller's parameters for which it is made.
#include "compiler/dependence/recursion.hpp"

#include "compiler/dependence/affine.hpp"
#include "compiler/dependence/context.hpp"
#include "compiler/dependence/loops.hpp"
#include "compiler/dependence/trials/small_sizes.hpp"
#include "compiler/ir/diagnose.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/unroll.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace hetc::dependence {

using ir::ExprKind;
using ir::ExprRef;

namespace {

/// A number of a function's call that may fall: tiles of a part in one direction, or an int.
struct Number {
  ExprRef value;          ///< value over the function's parameters
  std::string name;       ///< "A", "level"
  bool isTiles = false;   ///< a number of tiles, which is never negative
  bool isColumns = false; ///< columns of tiles of a part whose rows are the number before
};

std::vector<Number> numbersOf(const ir::Function &function) {
  const auto variable = [&](std::size_t index) { return ir::makeVar(function.parameters[index]); };
  const auto length = [&](std::size_t begin, std::size_t end) {
    return ir::makeBinary(ExprKind::Max, ir::makeInt(0), ir::makeBinary(ExprKind::Sub, variable(end), variable(begin)));
  };
  std::vector<Number> numbers;
  std::set<std::size_t> bounds;
  for (const ir::MatrixPart &part : function.parts) {
    numbers.push_back({length(part.row, part.rowEnd), part.name, true, false});
    if (part.column != part.row)
      numbers.push_back({length(part.column, part.columnEnd), part.name, true, true});
    bounds.insert({part.row, part.rowEnd, part.column, part.columnEnd});
  }
  for (std::size_t i = 0; i < function.parameters.size(); ++i)
    if (!bounds.contains(i))
      numbers.push_back({variable(i), function.parameters[i], false, false});
  return numbers;
}

struct Edge {
  const ir::Function *from = nullptr, *to = nullptr;
  const ir::Call *call = nullptr;
  isl::set made;       ///< { : the call is made }, or more than that; all names are parameters
  bool isExact = true; ///< `made` holds no more than that
};

/// The calls of one program.
class Calls {
public:
  explicit Calls(const ir::Program &program)
      : program_(program), ctx_(makeContext()), guard_(ctx_.get(), {}), translator_(ctx_.get(), program, true) {
    for (const ir::Function &function : program.functions)
      for (const std::string &name : function.parameters)
        translator_.enter(name);
    for (const ir::Function &function : program.functions) {
      numbers_[&function] = numbersOf(function);
      visit(function, function.body, required(program.requirements).intersect(required(function.requirements)), true);
    }
  }

  std::vector<ir::Diagnostic> check() {
    std::vector<ir::Diagnostic> said;
    std::set<const ir::Function *> seen;
    for (const ir::Function &function : program_.functions)
      if (!seen.contains(&function)) {
        const std::vector<const ir::Function *> group = groupOf(function);
        seen.insert(group.begin(), group.end());
        checkGroup(group, said);
      }
    return said;
  }

private:
  //
  // Where calls are made
  //

  /// { : the requirements hold }, as far as they are affine: they are checked before.
  isl::set required(const std::vector<ir::Requirement> &requirements) {
    isl::set all = translator_.universe();
    for (const ir::Requirement &requirement : requirements)
      if (const auto holds = where(*requirement.condition))
        all = all.intersect(*holds);
    return all;
  }

  void visit(const ir::Function &function, const ir::Block &block, const isl::set &reached, bool isExact) {
    for (const ir::Statement &statement : block)
      if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement))
        visit(function, **loop, reached, isExact);
      else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement))
        visit(function, **branch, reached, isExact);
      else if (const auto *call = std::get_if<std::unique_ptr<ir::Call>>(&statement))
        edges_.push_back({&function, program_.findFunction((*call)->function), call->get(), reached, isExact});
  }

  void visit(const ir::Function &function, const ir::Loop &loop, const isl::set &reached, bool isExact) {
    try {
      const Iterations found = iterations(translator_, loop, reached, Steps::Constant);
      visit(function, loop.body, found.set, isExact && found.complete);
    } catch (const NonAffine &) {
      translator_.enter(loop.variable);
      visit(function, loop.body, reached, false);
    }
    translator_.leave(loop.variable);
  }

  void visit(const ir::Function &function, const ir::If &branch, const isl::set &reached, bool isExact) {
    const ExprRef otherwise = ir::makeUnary(ExprKind::Not, branch.condition);
    const bool asks = ir::asksTiles(*branch.condition);
    for (const auto &[condition, block] :
         {std::pair(branch.condition, &branch.then), std::pair(otherwise, &branch.otherwise)}) {
      const std::optional<isl::set> holds = where(*condition);
      visit(function, *block, holds ? reached.intersect(*holds) : reached, isExact && holds && !asks);
    }
  }

  /// Nothing: it is not affine.
  std::optional<isl::set> where(const ir::Expr &condition) {
    try {
      return translator_.condition(condition);
    } catch (const NonAffine &) {
      return std::nullopt;
    }
  }

  //
  // Groups of functions that call one another
  //

  std::set<const ir::Function *> reachedFrom(const ir::Function &function) const {
    std::set<const ir::Function *> reached;
    std::vector<const ir::Function *> open{&function};
    while (!open.empty()) {
      const ir::Function *const from = open.back();
      open.pop_back();
      for (const Edge &edge : edges_)
        if (edge.from == from && reached.insert(edge.to).second)
          open.push_back(edge.to);
    }
    return reached;
  }

  std::vector<const ir::Function *> groupOf(const ir::Function &function) const {
    std::vector<const ir::Function *> group{&function};
    for (const ir::Function *other : reachedFrom(function))
      if (other != &function && reachedFrom(*other).contains(&function))
        group.push_back(other);
    return group;
  }

  void checkGroup(const std::vector<const ir::Function *> &group, std::vector<ir::Diagnostic> &said) {
    std::vector<const Edge *> edges;
    for (const Edge &edge : edges_)
      if (std::ranges::count(group, edge.from) && std::ranges::count(group, edge.to))
        edges.push_back(&edge);
    if (edges.empty() || ends(edges))
      return;
    const std::size_t before = said.size();
    for (const Edge *edge : edges)
      if (edge->from == edge->to && edge->isExact)
        if (const std::string again = describeAgain(*edge); !again.empty())
          said.push_back(ir::makeError(edge->call->location,
                                       "'" + edge->to->algorithm + "' never ends: called for " + again +
                                           ", it makes this call for as much again; make it only where there are more "
                                           "tiles, as in 'if (A.nt() > 1)', and with fewer"));
    if (said.size() == before)
      said.push_back(ir::makeRemark(edges.front()->call->location,
                                    "hetc cannot prove that the calls of '" + group.front()->algorithm +
                                        "' end: it sees no number of tiles that each of them makes smaller; a run "
                                        "stops with an error where more than " +
                                        std::to_string(ir::mostCalls) + " are inside one another"));
  }

  //
  // Numbers that fall
  //

  /// Whether numbers that rise at no call fall together in each circle of calls. Numbers of several functions are the
  /// same by their names, or else by their places.
  bool ends(const std::vector<const Edge *> &edges) {
    return fall(edges, [](const Number &a, std::size_t, const Number &b,
                          std::size_t) { return a.name == b.name && a.isColumns == b.isColumns; }) ||
           fall(edges, [](const Number &, std::size_t i, const Number &, std::size_t j) { return i == j; });
  }

  using IsSame = bool (*)(const Number &, std::size_t, const Number &, std::size_t);

  bool fall(const std::vector<const Edge *> &edges, IsSame isSame) {
    std::vector<std::size_t> kept; // numbers of the first caller
    const std::vector<Number> &first = numbers_[edges.front()->from];
    const auto numberOf = [&](const ir::Function *function, std::size_t place) -> const Number * {
      const std::vector<Number> &numbers = numbers_[function];
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (isSame(first[place], place, numbers[i], i))
          return &numbers[i];
      return nullptr;
    };
    for (std::size_t place = 0; place < first.size(); ++place)
      if (std::ranges::all_of(edges, [&](const Edge *edge) {
            const Number *const before = numberOf(edge->from, place), *const after = numberOf(edge->to, place);
            return before && after && neverRises(*edge, *before, *after);
          }))
        kept.push_back(place);
    std::vector<std::pair<const ir::Function *, const ir::Function *>> level;
    for (const Edge *edge : edges) {
      isl::set same = known(edge->made);
      for (const std::size_t place : kept)
        if (const auto equal = where(*ir::makeBinary(ExprKind::Eq, numberOf(edge->from, place)->value,
                                                     atCall(numberOf(edge->to, place)->value, *edge))))
          same = same.intersect(*equal);
      if (!same.is_empty())
        level.emplace_back(edge->from, edge->to);
    }
    return hasNoCircle(level);
  }

  /// Whether the number never rises at the call, from where it is not negative.
  bool neverRises(const Edge &edge, const Number &before, const Number &after) {
    return isNever(edge, ir::makeBinary(ExprKind::Gt, atCall(after.value, edge), before.value)) &&
           (before.isTiles || isNever(edge, ir::makeBinary(ExprKind::Lt, before.value, ir::makeInt(0))));
  }

  static bool hasNoCircle(std::vector<std::pair<const ir::Function *, const ir::Function *>> edges) {
    for (;;) { // leave out what leads to where nothing goes on
      const std::size_t removed = std::erase_if(edges, [all = edges](const auto &edge) {
        return std::ranges::none_of(all, [&](const auto &other) { return other.first == edge.second; });
      });
      if (removed == 0)
        return edges.empty();
    }
  }

  /// A value over the callee's parameters, over the caller's.
  static ExprRef atCall(const ExprRef &value, const Edge &edge) {
    std::map<std::string, ExprRef> arguments;
    for (std::size_t i = 0; i < edge.call->arguments.size(); ++i)
      arguments[edge.to->parameters[i]] = edge.call->arguments[i];
    return ir::substitute(value, arguments);
  }

  isl::set known(const isl::set &set) { return set.intersect(translator_.parameters().context(set.ctx())); }

  /// Whether the condition is seen to hold at none of these calls.
  bool isNever(const Edge &edge, const ExprRef &condition) {
    const std::optional<isl::set> holds = where(*condition);
    return holds && known(edge.made.intersect(*holds)).is_empty();
  }

  //
  // A call that is made again
  //

  /// "A of 1 x 1 tiles and level = 0", for which the call is made with as much again; empty: there is none.
  std::string describeAgain(const Edge &edge) {
    isl::set again = known(edge.made);
    const std::vector<Number> &numbers = numbers_[edge.from];
    for (const Number &number : numbers) {
      const auto same = where(*ir::makeBinary(ExprKind::Eq, atCall(number.value, edge), number.value));
      if (!same)
        return "";
      again = again.intersect(*same);
    }
    std::vector<std::int64_t> values;
    for (const Number &number : numbers)
      if (const auto value = leastOf(number.value, again))
        values.push_back(*value);
      else
        return "";
    std::string text;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const bool isBlock = i + 1 < numbers.size() && numbers[i + 1].isColumns;
      text += (text.empty() ? "" : i + 1 + isBlock == numbers.size() ? " and " : ", ") + numbers[i].name;
      text += numbers[i].isTiles
                  ? " of " + std::to_string(values[i]) + " x " + std::to_string(values[i + isBlock]) + " tiles"
                  : " = " + std::to_string(values[i]);
      i += isBlock;
    }
    return text;
  }

  /// The least value of magnitude up to some bound, which `set` is held to from then on.
  std::optional<std::int64_t> leastOf(const ExprRef &value, isl::set &set) {
    constexpr std::int64_t most = 16;
    for (std::int64_t magnitude = 0; magnitude <= most; ++magnitude)
      for (const std::int64_t number : {magnitude, -magnitude})
        if (const auto equal = where(*ir::makeBinary(ExprKind::Eq, value, ir::makeInt(number))); equal)
          if (const isl::set here = set.intersect(*equal); !here.is_empty()) {
            set = here;
            return number;
          }
    return std::nullopt;
  }

  const ir::Program &program_;
  const ContextOwner ctx_;
  const Guard guard_;
  AffineTranslator translator_;
  std::map<const ir::Function *, std::vector<Number>> numbers_;
  std::vector<Edge> edges_;
};

} // namespace

std::vector<ir::Diagnostic> checkFunctions(const ir::Program &program) {
  std::vector<ir::Diagnostic> said;
  try {
    said = Calls(program).check();
  } catch (const isl::exception &) {
    said.push_back(ir::makeRemark(program.functions.front().location, "hetc cannot prove that the calls of '" +
                                                                          program.functions.front().algorithm +
                                                                          "' end: isl gave up"));
  }
  if (!ir::hasErrors(said))
    if (auto error = trySmallSizes(program))
      said.push_back(std::move(*error));
  return said;
}

std::string whyNotAnalyzed(const ir::Program &program) {
  return "'" + program.functions.front().algorithm +
         "' calls itself, so how deep its calls are decides what its tasks touch";
}

} // namespace hetc::dependence
