#include "compiler/dependence/confirm.hpp"

#include "compiler/ir/unroll.hpp"

#include <algorithm>

namespace hetc::dependence {

namespace {

constexpr std::int64_t largestSize = 7, largestTile = 3;
constexpr std::size_t taskLimit = 20'000;

bool restsOnOwnSize(const ir::Program &program, const Violation &violation) {
  return std::any_of(violation.scalars.begin(), violation.scalars.end(), [&](const auto &binding) {
    const bool isSize = std::find(program.sizes.begin(), program.sizes.end(), binding.first) != program.sizes.end();
    return !isSize && !program.findScalar(binding.first);
  });
}

/// Whether the program is for these sizes, as far as they decide that.
bool isAllowed(const ir::Program &program, const ir::Sizes &sizes) {
  const auto bound = ir::bindSizes(program, sizes);
  const auto *known = std::get_if<ir::Environment>(&bound);
  if (!known) // a workspace of the caller's may rest on numbers that the counterexample does not name
    return true;
  ir::Environment names = *known;
  names.variables.insert(sizes.values.begin(), sizes.values.end());
  return std::ranges::none_of(program.requirements, [&](const ir::Requirement &requirement) {
    return ir::evaluate(*requirement.condition, names) == 0;
  });
}

bool happens(const ir::Program &program, const ir::Sizes &sizes, const Violation &violation) {
  if (!isAllowed(program, sizes))
    return false;
  const auto result = ir::unroll(program, sizes, taskLimit);
  const auto *error = std::get_if<ir::UnrollError>(&result);
  return error && error->location == violation.location;
}

/// All combinations of the sizes from `next` on.
bool happensFor(const ir::Program &program, ir::Sizes &sizes, std::size_t next, const Violation &violation) {
  if (next == program.sizes.size())
    return happens(program, sizes, violation);
  for (std::int64_t size = 0; size <= largestSize; ++size) {
    sizes.values[program.sizes[next]] = size;
    if (happensFor(program, sizes, next + 1, violation))
      return true;
  }
  return false;
}

} // namespace

bool isConfirmed(const ir::Program &program, const Violation &violation) {
  if (!restsOnOwnSize(program, violation))
    return true;
  ir::Sizes sizes;
  for (const auto &[name, value] : violation.scalars)
    if (program.findScalar(name))
      sizes.values[name] = value;
  for (const auto &[name, value] : violation.periods)
    (name.ends_with(".p()") ? sizes.p : sizes.q) = value;
  for (sizes.nb = 1; sizes.nb <= largestTile; ++sizes.nb)
    if (happensFor(program, sizes, 0, violation))
      return true;
  return false;
}

} // namespace hetc::dependence
