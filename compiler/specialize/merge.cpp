#include "compiler/specialize/merge.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

// The idea, on the first inner loop of Cholesky on a grid of 2 x 1 nodes, as --emit=nodes --dist 2dbc:2x1 prints it.
// The program has one loop over i with one task, trsm. A node has three events there, each with a nest of its own, that
// come to this loop, inside that over k, whose ranges are k__0, k__1, ..., with
//
//   its trsm               i = k + (x__ + k + 1) % 2 + 1 .. nt - 1, step 2             when k is in k__1
//   sends of A(k, k)       i = k + 1 .. min(k + 2, nt - 1)                             when k is in k__3
//   receives of A(k, k)    i = k + (x__ + k + 1) % 2 + 1 .. min(k + 2, nt - 1), step 2  when k is in k__1
//
// Three loops behind each other would send everything before the first task. So there is one loop, over the union of
// the three ranges, in ascending order and each value once; in its body a bool for each range says whether the value is
// one of its own, and the events stand there in the order of ProgramPoint:
//
//   for (int i in i__0: [k + (x__ + k + 1) % 2 + 1, nt - 1] step 2 if k__1, i__1: [...] if k__3, i__2: [...] if k__1)
//     if (i__1) send ..; if (i__2) receive ..; if (i__0) trsm(..)
//
// The test i__0 implies k__1, which therefore is not tested again. Events with the same range share it.
namespace hetc::specialize {

using ir::ExprRef;

namespace {
const std::string tileVariables[] = {"row__", "column__"};

std::string variableOf(const ir::Loop &loop, int direction) {
  return direction > 0 ? loop.variable : "down__" + loop.variable;
}

bool same(const ExprRef &a, const ExprRef &b) { return a == b || (a && b && ir::equal(*a, *b)); }

/// An event inside the loops around the present place: it happens there `when` this holds (null: always).
struct Active {
  Event *event;
  ExprRef when;
};

class Merger {
public:
  Block merge(const ir::Block &program, std::vector<Event> &events) {
    std::vector<Active> all;
    for (Event &event : events)
      all.push_back({&event, nullptr});
    Block result;
    visit(program, 0, all, result);
    return result;
  }

private:
  using MakeBody = std::function<void(const std::vector<Active> &, Block &)>;

  void visit(const ir::Block &block, std::size_t depth, const std::vector<Active> &around, Block &out);
  void visitLoop(const ir::Loop &loop, std::size_t depth, const std::vector<Active> &around, Block &out);
  void visitTask(const ir::Task &task, std::size_t depth, const std::vector<Active> &around, Block &out);
  void addLoop(const std::string &variable, std::size_t level, std::vector<Active> events, const MakeBody &makeBody,
               Block &out);
  void addTileLoops(int count, std::size_t depth, std::vector<Active> events, const MakeBody &makeBody, Block &out,
                    int number = 0);
  ExprRef named(const ExprRef &condition, Block &out);
  static void addGuarded(const ExprRef &condition, Block body, Block &out);

  int lets_ = 0;
};

// An if of the program is part of the events' conditions.
void Merger::visit(const ir::Block &block, std::size_t depth, const std::vector<Active> &around, Block &out) {
  for (const ir::Statement &statement : block) {
    if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
      visitLoop(**loop, depth, around, out);
    } else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      visit((*branch)->then, depth, around, out);
      visit((*branch)->otherwise, depth, around, out);
    } else
      visitTask(*std::get<std::unique_ptr<ir::Task>>(statement), depth, around, out);
  }
}

void Merger::visitLoop(const ir::Loop &loop, std::size_t depth, const std::vector<Active> &around, Block &out) {
  std::vector<Active> inside;
  std::ranges::copy_if(around, std::back_inserter(inside), [&](const Active &active) {
    const auto &loops = active.event->place.statement->loops;
    return depth < loops.size() && loops[depth] == &loop;
  });
  if (inside.empty())
    return;
  const std::string variable = variableOf(loop, inside.front().event->place.statement->directions[depth]);
  addLoop(
      variable, depth, std::move(inside),
      [&](const std::vector<Active> &events, Block &body) { visit(loop.body, depth + 1, events, body); }, out);
}

void Merger::visitTask(const ir::Task &task, std::size_t depth, const std::vector<Active> &around, Block &out) {
  std::vector<Active> here;
  std::ranges::copy_if(around, std::back_inserter(here),
                       [&](const Active &active) { return active.event->place.statement->task == &task; });
  const auto place = [](const Active &active) {
    return std::pair(active.event->place.phase, active.event->place.position);
  };
  std::ranges::stable_sort(here, {}, [&](const Active &active) {
    return std::tuple_cat(place(active), std::tuple(active.event->place.isUpper));
  });
  const auto addBodies = [](const std::vector<Active> &events, Block &body) {
    for (const Active &active : events)
      addGuarded(conjunction(active.when, active.event->nest.condition), std::move(active.event->body), body);
  };
  for (auto begin = here.begin(); begin != here.end();) {
    const auto end =
        std::find_if(begin, here.end(), [&](const Active &other) { return place(other) != place(*begin); });
    addTileLoops(begin->event->place.tileLoops, depth, {begin, end}, addBodies, out);
    begin = end;
  }
}

/// The tile loops from `number` on, of `count`; `depth` is that of the next one in the events' nests.
void Merger::addTileLoops(int count, std::size_t depth, std::vector<Active> events, const MakeBody &makeBody,
                          Block &out, int number) {
  if (number == count)
    return makeBody(events, out);
  const auto inner = [&](const std::vector<Active> &active, Block &body) {
    addTileLoops(count, depth + 1, active, makeBody, body, number + 1);
  };
  addLoop(tileVariables[number], depth, std::move(events), inner, out);
}

/// The condition as a name, so that inner loops do not evaluate it again: a bool when__<n> in front, shared by equal
/// conditions of one block.
ExprRef Merger::named(const ExprRef &condition, Block &out) {
  if (!condition || condition->kind == ir::ExprKind::Var)
    return condition;
  for (const Statement &statement : out)
    if (const Let *let = std::get_if<Let>(&statement); let && same(let->value, condition))
      return ir::makeVar(let->name);
  const std::string name = "when__" + std::to_string(lets_++);
  out.push_back(Let{name, condition});
  return ir::makeVar(name);
}

void Merger::addGuarded(const ExprRef &condition, Block body, Block &out) {
  if (!condition) {
    std::move(body.begin(), body.end(), std::back_inserter(out));
    return;
  }
  auto branch = std::make_unique<If>();
  branch->condition = condition;
  branch->then = std::move(body);
  out.push_back(std::move(branch));
}

/// One loop over the values that any of the events has on this level of its nest. On the way in each event's `when` is
/// what must hold for it outside this loop; makeBody gets it with what must hold inside:
///
///   ranges   the event's condition outside   inside
///   one      the same for all events         none: an if around the loop has it
///   one      different ones                  its own; around the loop an if has their disjunction
///   several  the same as of all its range's  the range's member, which implies it
///   several  different ones                  the member and its own; the range has their disjunction
void Merger::addLoop(const std::string &variable, std::size_t level, std::vector<Active> events,
                     const MakeBody &makeBody, Block &out) {
  std::vector<Range> ranges;
  std::vector<std::size_t> rangeOf;
  for (Active &active : events) {
    const NestLevel &own = active.event->nest.levels[level];
    active.when = named(conjunction(active.when, own.condition), out);
    auto known = std::ranges::find_if(ranges, [&](const Range &range) {
      return range.step == own.step && same(range.first, own.first) && same(range.last, own.last);
    });
    rangeOf.push_back(known - ranges.begin());
    if (known == ranges.end())
      ranges.push_back({own.first, own.last, own.step, active.when, ""});
    else if (!active.when || !known->when)
      known->when = nullptr;
    else if (!same(known->when, active.when))
      known->when = named(ir::makeBinary(ir::ExprKind::Or, known->when, active.when), out);
  }
  for (std::size_t e = 0; e < events.size(); ++e) {
    Range &range = ranges[rangeOf[e]];
    if (ranges.size() > 1 && range.member.empty())
      range.member = variable + "__" + std::to_string(rangeOf[e]);
    if (same(range.when, events[e].when))
      events[e].when = nullptr; // the range has it
    if (ranges.size() > 1)
      events[e].when = conjunction(ir::makeVar(range.member), events[e].when);
  }
  auto loop = std::make_unique<Loop>();
  loop->variable = variable;
  const ExprRef condition = ranges.size() == 1 ? std::exchange(ranges.front().when, nullptr) : nullptr;
  loop->ranges = std::move(ranges);
  makeBody(events, loop->body);
  Block single;
  single.push_back(std::move(loop));
  addGuarded(condition, std::move(single), out);
}

} // namespace

std::vector<NestVariable> nestVariables(const ProgramPoint &place) {
  const dependence::StatementModel &statement = *place.statement;
  std::vector<NestVariable> variables;
  for (std::size_t level = 0; level < statement.loops.size(); ++level)
    variables.push_back(
        {variableOf(*statement.loops[level], statement.directions[level]), statement.directions[level]});
  for (int loop = 0; loop < place.tileLoops; ++loop)
    variables.push_back({tileVariables[loop], 1});
  return variables;
}

Block merge(const ir::Block &program, std::vector<Event> events) { return Merger().merge(program, events); }

} // namespace hetc::specialize
