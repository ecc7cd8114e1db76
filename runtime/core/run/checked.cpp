#include <tla/generated/checked.hpp>

#include "dsl/base/text.hpp"

#include <tla/generated/integers.hpp>
#include <tla/generated/nested_calls.hpp>
#include <tla/runtime/error.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <span>
#include <string>

namespace tla::runtime {

namespace {

/// The names of LAPACK's options, by their values.
std::string optionName(int value) {
  switch (value) {
  case static_cast<int>(Op::NoTrans):
    return "NoTrans";
  case static_cast<int>(Op::Trans):
    return "Trans";
  case static_cast<int>(Op::ConjTrans):
    return "ConjTrans";
  case static_cast<int>(Uplo::Upper):
    return "Upper";
  case static_cast<int>(Uplo::Lower):
    return "Lower";
  case static_cast<int>(Diag::NonUnit):
    return "NonUnit";
  case static_cast<int>(Diag::Unit):
    return "Unit";
  case static_cast<int>(Side::Left):
    return "Left";
  case static_cast<int>(Side::Right):
    return "Right";
  default:
    return std::to_string(value);
  }
}

std::string numberText(const SeenArgument &argument) {
  return argument.imaginary != 0 ? format("%g + %gi", argument.real, argument.imaginary) : format("%g", argument.real);
}

std::string describe(const SeenArgument &argument) {
  const std::string name = argument.parameter;
  if (!argument.tile)
    return argument.n == SeenArgument::Integer  ? name + " is " + std::to_string(argument.m)
           : argument.n == SeenArgument::Option ? name + " is " + optionName(argument.m)
                                                : name + " is " + numberText(argument);
  return name + (*argument.tile ? std::string(", which is ") + argument.tile + "," : "") + " is " +
         std::to_string(argument.m) + " x " + std::to_string(argument.n) +
         (argument.nb > 0 ? " in tiles of " + std::to_string(argument.nb) + " (--nb)" : "");
}

std::string describe(std::initializer_list<SeenArgument> arguments) {
  std::string all;
  for (const SeenArgument &argument : arguments)
    if (const std::string text = describe(argument); !text.empty())
      all += (all.empty() ? "" : "; ") + text;
  return all;
}

std::string stepText(const LoopText &loop) { return std::string(loop.place) + ": " + loop.step; }

} // namespace

bool meetOthers(AddressRange *ranges, int count, int others) {
  const auto byBegin = [](const AddressRange &a, const AddressRange &b) { return a.begin < b.begin; };
  const std::span first(ranges, static_cast<std::size_t>(count)),
      second(ranges + count, static_cast<std::size_t>(others));
  std::ranges::sort(first, byBegin);
  std::ranges::sort(second, byBegin);
  // Of the ranges that begin earlier than the next one, on each side the one that ends last is all that can reach it.
  std::intptr_t reached[2] = {INTPTR_MIN, INTPTR_MIN};
  for (std::size_t i = 0, j = 0; i < first.size() || j < second.size();) {
    const bool side = i == first.size() || (j < second.size() && byBegin(second[j], first[i]));
    const AddressRange &next = side ? second[j++] : first[i++];
    if (next.begin == next.end)
      continue;
    if (next.begin < reached[!side])
      return true;
    reached[side] = std::max(reached[side], next.end);
  }
  return false;
}

void failStep(const LoopText &loop, std::initializer_list<NamedValue> scalars, const char *remedy) {
  std::string values;
  for (const NamedValue &scalar : scalars)
    values += (values.empty() ? "" : ", ") + std::string(scalar.name) + " = " + std::to_string(scalar.value);
  const std::string mend = *remedy ? std::string("; ") + remedy : "";
  throw UsageError((values.empty() ? stepText(loop) : values + " (" + stepText(loop) + ")") + ": the loop over " +
                   loop.variable + " would not end" + mend);
}

void failProgress(const LoopText &loop, long value, long next) {
  if (next > INT_MAX || next < INT_MIN)
    throw UsageError(std::string(loop.place) + ": the loop over " + loop.variable + " goes on to " +
                     std::to_string(next) + ", which does not fit 'int' (" + loop.step + ")");
  throw UsageError("the loop over " + std::string(loop.variable) + " does not end: its step takes it from " +
                   std::to_string(value) + " to " + std::to_string(next) + " (" + stepText(loop) + ")");
}

/// Half of what a thread has, and no more than leaves room for all that a call may do.
static long bytesForCalls() {
  constexpr long most = 4L << 20;
  rlimit limit{};
  const bool isKnown = getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  return isKnown ? std::min(most, static_cast<long>(limit.rlim_cur / 2)) : most;
}

Nesting::Nesting() : begin(static_cast<const char *>(__builtin_frame_address(0))), mostBytes(bytesForCalls()) {}

void failNesting(int calls, const char *place, const char *algorithm) {
  throw UsageError(std::string(place) + ": more than " + std::to_string(calls) +
                   " calls are inside one another, the last "
                   "one of " +
                   algorithm +
                   ": it calls itself without end, or with ranges that are hardly smaller; call "
                   "it with halves, and not at all with one tile");
}

void failRange(const char *expression, long value, const char *type, const char *what) {
  const std::string number = std::to_string(value), name = expression;
  throw UsageError((what ? std::string(what) + ": " : "") + (name == number ? number : name + " is " + number + ",") +
                   (name == number ? " does not fit '" : " which does not fit '") + type + "'");
}

void failOverflow(const char *expression) { throw UsageError(std::string(expression) + " does not fit 64 bits"); }

void failRequirement(const char *requirement, std::initializer_list<SeenArgument> arguments) {
  throw Error("requires " + std::string(requirement) + ", but " + describe(arguments));
}

void failArguments(const char *algorithm, const char *requirement, std::initializer_list<SeenArgument> arguments) {
  throw UsageError(std::string(algorithm) + " requires " + requirement + ", but " + describe(arguments));
}

void requirePeriod(Period period, std::initializer_list<SeenPeriod> matrices) {
  const auto text = [](int rows, int columns) { return std::to_string(rows) + " x " + std::to_string(columns); };
  for (const SeenPeriod &seen : matrices)
    if (Period{seen.rows, seen.columns} != period)
      throw UsageError(std::string("p() x q() of ") + seen.matrix + " is " + text(seen.rows, seen.columns) +
                       ", and these loops are for " + text(period.rows, period.columns));
}

void failAlias(const char *written, const char *writtenTile, const char *other, const char *otherTile) {
  throw Error("writes " + std::string(written) + ", which is " + writtenTile + " and shares elements with " + other +
              ", which is " + otherTile + "; a kernel that can take that says alias(" + written + ", " + other + ")");
}

} // namespace tla::runtime
