// The loop nest of a space: iterators in an order that their definitions allow, every derived value and constraint in
// the outermost loop where what it needs is known.
//
// Beyond that, constraints are used early. A test is a cut when, as its loop's iterator grows, it can only turn from
// true to false: its first failure ends the loop. If the same holds for the iterators of all loops from some loop l
// inwards, the constraint is weakest where these are at their first values; where it fails then, it fails for all of
// them. This relaxed test is made in loop l already, as a cut. One that must come to pass is what lets an iterator be
// open-ended.
#pragma once

#include "kernels/tuning/space.hpp"

#include <map>

namespace hetc::tuning {

/// A level of the nest: 0 is the outermost loop.
inline constexpr int beforeLoops = -1;

struct Test {
  int constraint = 0;
  int level = beforeLoops; ///< the loop in which it is made
  bool isCut = false;
  /// The symbols that a relaxed test binds: the iterators inside, at their first values, and derived values over them,
  /// in the order of their computation.
  std::vector<int> bindings;
};

/// An action of a loop on a point before it goes inside: computes a derived value, or tests.
struct Step {
  bool isTest = false;
  int index = 0; ///< index into Space::symbols or EnumerationPlan::tests
};

struct Loop {
  int iterator = 0;
  std::vector<Step> steps;          ///< cuts come before other tests
  std::vector<std::int64_t> values; ///< values of an iterator over a list
  bool countsDiffer = false;        ///< how many points are inside may depend on the iterator's value
  std::vector<int> rangeNeeds;      ///< derived values that its range is computed from, in their order
};

struct EnumerationPlan {
  Space space;
  std::map<int, std::int64_t> constants; ///< parameters, and derived values over them
  std::vector<int> levels;               ///< by symbol: the loop from which on it is known
  std::vector<int> order;                ///< all symbols, each after those that it names
  std::vector<int> constraintLevels;     ///< level of each constraint
  std::vector<Test> tests;               ///< in the order in which they are made
  std::vector<Step> prologue;            ///< tests of constants
  std::vector<Loop> loops;
  int sharedLevel = 0; ///< the points of this loop are shared out among workers

  const Symbol &iterator(std::size_t level) const { return space.symbols[loops[level].iterator]; }
};

/// Rejects: spaces without iterators, iterators that never end, lists that do not ascend, constants that cannot be
/// computed.
std::variant<EnumerationPlan, Diagnostic> plan(Space space);

/// The derived values that an expression needs, directly or through others, and that are known in or outside loop
/// `level`, but not outside loop `after`; in the order of their computation.
std::vector<int> derivedFor(const EnumerationPlan &plan, const std::set<int> &symbols, int after, int level);

} // namespace hetc::tuning
