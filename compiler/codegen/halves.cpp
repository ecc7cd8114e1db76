#include "compiler/codegen/halves.hpp"

#include "compiler/codegen/emitter.hpp"
#include "compiler/ir/expr_properties.hpp"
#include "compiler/ir/text.hpp"

#include <algorithm>

namespace hetc::codegen {

namespace {

using ir::ExprKind;
using ir::ExprRef;

/// When a kernel stays inside a half. The lower one is without the diagonal, which only a unit triangle does not need.
enum class When { Never, Always, UnitLower, Upper };

struct Reference {
  const char *kernel, *parameter;
  When lower, upper;
};

/// The standard kernels that can take a half; others need whole tiles. The declarations' comments say what a kernel
/// references (tla/kernels); the test halves_test.cpp runs all bodies of the host on tiles of which the rest is
/// poisoned.
constexpr Reference references[] = {
    {"laset", "A", When::Always, When::Always},
    {"copyUnitLower", "A", When::Always, When::Never},
    {"unmqr", "V", When::Always, When::Never},
    {"tsqrt", "R", When::Never, When::Always},
    {"ttqrt", "R", When::Never, When::Always},
    {"ttqrt", "R2", When::Never, When::Always},
    {"ttmqr", "V", When::Never, When::Always},
    {"trsm", "A", When::UnitLower, When::Upper},
    {"trmm", "A", When::UnitLower, When::Upper},
    {"trtri", "A", When::UnitLower, When::Upper},
    {"potrf", "A", When::Never, When::Upper},
    {"lauum", "A", When::Never, When::Upper},
    {"lascl", "A", When::Never, When::Upper},
    {"symm", "A", When::Never, When::Upper},
    {"hemm", "A", When::Never, When::Upper},
    {"gemmt", "C", When::Never, When::Upper},
    {"syrk", "C", When::Never, When::Upper},
    {"herk", "C", When::Never, When::Upper},
    {"tradd", "A", When::Never, When::Upper},
    {"tradd", "B", When::Never, When::Upper},
    {"requireNonsingular", "R", When::Never, When::Always},
};

ExprRef is(const char *parameter, const char *name, int value) {
  return ir::makeBinary(ExprKind::Eq, ir::makeVar(parameter), ir::makeEnum(name, value));
}

ExprRef conditionOf(When when) { // the values are CBLAS's: dsl/include/tla/types.hpp
  switch (when) {
  case When::Never:
    return nullptr;
  case When::Always:
    return ir::makeInt(1);
  case When::UnitLower:
    return ir::makeBinary(ExprKind::And, is("uplo", "Lower", 122), is("diag", "Unit", 132));
  case When::Upper:
    return is("uplo", "Upper", 121);
  }
  return nullptr;
}

When whenInside(const std::string &kernel, const std::string &parameter, ir::Region region) {
  const auto *const found = std::ranges::find_if(references, [&](const Reference &reference) {
    return kernel == reference.kernel && parameter == reference.parameter;
  });
  if (found == std::end(references))
    return When::Never;
  return region == ir::Region::Lower ? found->lower : found->upper;
}

} // namespace

GivenHalf::Verdict GivenHalf::verdict(const ir::Kernel &kernel, const ir::Task &task) const {
  if (!staysIf)
    return Verdict::Leaves;
  std::map<std::string, ExprRef> given;
  for (std::size_t i = 0; i < task.arguments.size(); ++i)
    if (const auto *value = std::get_if<ExprRef>(&task.arguments[i]))
      given[kernel.parameters[i].name] = *value;
  const auto stays = ir::evaluate(*ir::substitute(staysIf, given), {});
  return !stays ? Verdict::Open : *stays ? Verdict::Stays : Verdict::Leaves;
}

std::vector<GivenHalf> givenHalves(const ir::Kernel &kernel, const ir::Task &task) {
  std::vector<GivenHalf> halves;
  for (std::size_t i = 0; i < task.arguments.size() && isStandard(kernel); ++i)
    if (const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i]); tile && tile->touched() != ir::Region::Full)
      halves.push_back({i, conditionOf(whenInside(shortName(kernel.name), kernel.parameters[i].name, tile->region))});
  return halves;
}

std::string describe(const GivenHalf &half, const ir::Kernel &kernel, const ir::Task &task) {
  const auto &tile = std::get<ir::TileAccess>(task.arguments[half.argument]);
  const std::string what = kernel.parameters[half.argument].name + ", which is " + ir::print(tile);
  const std::string name = shortName(kernel.name);
  return half.staysIf ? name + " stays inside " + what + ", only if " + ir::print(*half.staysIf)
                      : name + " does not stay inside " + what;
}

} // namespace hetc::codegen
