#include "compiler/specialize/scan.hpp"

#include "compiler/specialize/form_writer.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

namespace hetc::specialize {

namespace {
using ir::ExprKind;
using ir::ExprRef;

/// Whether the form has no divisions.
bool isFree(const Form &form) {
  return std::ranges::all_of(form.divisions, [](std::int64_t factor) { return factor == 0; });
}

/// The equality as a remainder, if it is f == m * e, where e is f / m rounded down and nothing else.
std::optional<Remainder> remainderOf(const Form &equality, const std::vector<Division> &divisions) {
  const auto isUsed = [](std::int64_t factor) { return factor != 0; };
  if (std::ranges::count_if(equality.divisions, isUsed) != 1)
    return std::nullopt;
  const std::size_t e = std::ranges::find_if(equality.divisions, isUsed) - equality.divisions.begin();
  const std::int64_t factor = equality.divisions[e];
  Form form = factor < 0 ? equality : -1 * equality;
  form.divisions[e] = 0;
  Form more = divisions[e].numerator - form; // may round f up to the next multiple
  const std::int64_t up = std::exchange(more.constant, 0);
  if (std::abs(factor) != divisions[e].denominator || more != 0 * more || up < 0 || up >= divisions[e].denominator)
    return std::nullopt;
  return Remainder{std::move(form), divisions[e].denominator};
}

/// a * v + g mod m == 0, for the variable v of this level, solved for v.
std::optional<Stride> strideOf(const Remainder &remainder, int level) {
  const std::int64_t m = remainder.modulus;
  const std::int64_t a = (remainder.form.dimensions[level] % m + m) % m;
  for (std::int64_t inverse = 1; inverse < m; ++inverse)
    if (a * inverse % m == 1) {
      Form others = remainder.form;
      others.dimensions[level] = 0;
      return Stride{-inverse * others, m};
    }
  return std::nullopt;
}

/// One convex set of values of the loops' variables, level by level.
class Scanner {
public:
  Scanner(FormWriter &writer, const isl::basic_set &set, const isl::basic_set &context,
          const std::vector<NestVariable> &variables)
      : writer_(writer), set_(set), context_(context), variables_(variables) {
    nest_.levels.resize(variables.size());
  }

  std::optional<Nest> run();

private:
  bool addLevel(int level, const Constraints &projection);
  void testOthers(int level, const std::vector<Stride> &strides, const Stride &taken);
  void addValue(int level, const Form &value, const Constraints &projection);
  bool addBounds(int level, const Stride &stride, const Constraints &projection);
  std::vector<Form> inequalitiesOf(int level, const Constraints &projection) const;
  bool addConditions(const isl::basic_set &parameters);

  /// A condition goes inside the loop of its level; -1: around all loops.
  void test(int level, const ExprRef &condition) {
    const std::size_t next = level + 1;
    ExprRef &place = next < nest_.levels.size() ? nest_.levels[next].condition : nest_.condition;
    place = conjunction(place, condition);
  }
  void testZero(int level, const Form &equality) {
    const auto remainder = remainderOf(equality, exact_.divisions);
    test(level, remainder ? writer_.isZero(*remainder) : writer_.isZero(equality));
  }
  /// Reads the constraints on the loops' variables, which may be the negatives of the dimensions.
  std::optional<Constraints> read(const isl::basic_set &set) const;

  FormWriter &writer_;
  const isl::basic_set set_, context_;
  const std::vector<NestVariable> &variables_;
  Constraints exact_;
  Nest nest_;
};

std::optional<Constraints> Scanner::read(const isl::basic_set &set) const {
  auto result = constraintsOf(set);
  if (!result)
    return std::nullopt;
  const auto orient = [this](Form &form) {
    form.divisions.resize(std::max(form.divisions.size(), exact_.divisions.size())); // a projection has none
    for (std::size_t d = 0; d < form.dimensions.size(); ++d)
      form.dimensions[d] *= variables_[d].direction;
  };
  std::ranges::for_each(result->equalities, orient);
  std::ranges::for_each(result->inequalities, orient);
  for (Division &division : result->divisions)
    orient(division.numerator);
  return result;
}

/// The values for which there are rational divisions.
isl::basic_set rational(isl_basic_set *set) {
  return isl::manage(isl_basic_set_remove_redundancies(isl_basic_set_remove_divs(set)));
}

std::optional<Nest> Scanner::run() {
  const auto exact = read(set_);
  if (!exact)
    return std::nullopt;
  exact_ = *exact;
  writer_.setDivisions(exact_.divisions);
  // What holds without divisions comes from rational projections: level by level they imply all of it.
  const auto levels = static_cast<unsigned>(variables_.size());
  std::vector<isl::basic_set> projections = {rational(set_.copy())};
  for (unsigned level = levels; level-- > 1;)
    projections.push_back(rational(isl_basic_set_eliminate(projections.back().copy(), isl_dim_set, level, 1)));
  isl_basic_set *outermost = projections.back().copy();
  if (!addConditions(isl::manage(isl_basic_set_drop_constraints_involving_dims(outermost, isl_dim_set, 0, levels))))
    return std::nullopt;
  for (unsigned level = 0; level < levels; ++level) {
    const auto projection = read(projections[levels - 1 - level]);
    if (!projection || !addLevel(static_cast<int>(level), *projection))
      return std::nullopt;
  }
  return std::move(nest_);
}

bool Scanner::addConditions(const isl::basic_set &parameters) {
  isl_basic_set *known = isl_basic_set_params(parameters.copy());
  const auto conditions = constraintsOf(isl::manage(isl_basic_set_gist(known, context_.copy())));
  if (!conditions)
    return false;
  for (const Form &equality : conditions->equalities)
    test(-1, writer_.isZero(equality));
  for (const Form &inequality : conditions->inequalities)
    test(-1, writer_.isNotNegative(inequality));
  for (const Form &equality : exact_.equalities)
    if (exact_.levelOf(equality) < 0 && !isFree(equality))
      testZero(-1, equality);
  for (const Form &inequality : exact_.inequalities)
    if (exact_.levelOf(inequality) < 0 && !isFree(inequality))
      test(-1, writer_.isNotNegative(inequality));
  return true;
}

Stride largest(const std::vector<Stride> &strides) {
  const auto found = std::ranges::max_element(strides, {}, &Stride::modulus);
  return found == strides.end() ? Stride{} : *found;
}

/// Tests the strides that steps by the `taken` one do not ensure: where its modulus is a multiple of theirs, it is
/// known before the loop.
void Scanner::testOthers(int level, const std::vector<Stride> &strides, const Stride &taken) {
  for (const Stride &stride : strides) {
    Form difference = stride.residue - taken.residue;
    if (stride.modulus == taken.modulus && difference == 0 * difference)
      continue;
    if (taken.modulus % stride.modulus != 0) {
      difference = stride.residue;
      difference.dimensions[level] -= 1;
    }
    test(exact_.levelOf(difference), writer_.isZero(Remainder{difference, stride.modulus}));
  }
}

/// False for a loop without bounds.
bool Scanner::addLevel(int level, const Constraints &projection) {
  std::optional<Form> value;
  std::vector<Stride> strides;
  std::vector<Form> others; // equalities that bounds and step do not ensure
  for (const Form &equality : exact_.equalities) {
    if (exact_.levelOf(equality) != level)
      continue;
    const std::int64_t factor = equality.dimensions[level];
    const auto remainder = remainderOf(equality, exact_.divisions);
    if (remainder && !value && exact_.levelOfDivisions(remainder->form) < level)
      if (const auto stride = strideOf(*remainder, level)) {
        strides.push_back(*stride);
        continue;
      }
    if (!remainder && !value && strides.empty() && exact_.levelOfDivisions(equality) < level && std::abs(factor) == 1) {
      value = -factor * equality;
      value->dimensions[level] = 0;
    } else
      others.push_back(equality);
  }
  if (value)
    addValue(level, *value, projection);
  else if (!addBounds(level, largest(strides), projection))
    return false;
  testOthers(level, strides, largest(strides));
  for (const Form &equality : others)
    testZero(level, equality);
  return true;
}

void Scanner::addValue(int level, const Form &value, const Constraints &projection) {
  NestLevel &own = nest_.levels[level];
  own.first = own.last = writer_.value(value);
  writer_.setSign(level, writer_.isNonNegative(value) ? 1 : writer_.isNonNegative(-1 * value) ? -1 : 0);
  Form equality = value;
  equality.dimensions[level] = -1;
  for (const Form &other : projection.equalities)
    if (projection.levelOf(other) == level && other != equality && other != -1 * equality)
      test(level, writer_.isZero(other));
  for (const Form &inequality : inequalitiesOf(level, projection))
    test(level, writer_.isNotNegative(inequality));
}

/// Without divisions from the projection, with them as they are.
std::vector<Form> Scanner::inequalitiesOf(int level, const Constraints &projection) const {
  std::vector<Form> result;
  for (const Form &inequality : projection.inequalities)
    if (projection.levelOf(inequality) == level)
      result.push_back(inequality);
  for (const Form &inequality : exact_.inequalities)
    if (exact_.levelOf(inequality) == level && !isFree(inequality))
      result.push_back(inequality);
  return result;
}

bool Scanner::addBounds(int level, const Stride &stride, const Constraints &projection) {
  std::vector<Form> inequalities = inequalitiesOf(level, projection);
  for (const Form &equality : projection.equalities)
    if (projection.levelOf(equality) == level)
      inequalities.insert(inequalities.end(), {equality, -1 * equality});
  std::ranges::sort(inequalities); // nests with equal bounds share a loop
  NestLevel &own = nest_.levels[level];
  own.step = stride.modulus;
  std::vector<Form> inside;
  int sign = 0;
  for (const Form &inequality : inequalities) { // factor * v + rest >= 0
    const std::int64_t factor = inequality.dimensions[level];
    if (exact_.levelOfDivisions(inequality) >= level) {
      inside.push_back(inequality);
      continue;
    }
    Form rest = inequality;
    rest.dimensions[level] = 0;
    if (factor > 0) {
      const ExprRef bound = writer_.ceiling(-1 * rest, factor, stride);
      own.first = own.first ? ir::makeBinary(ExprKind::Max, own.first, bound) : bound;
      sign = writer_.isNonNegative(-1 * rest) ? 1 : sign;
    } else {
      const ExprRef bound = writer_.quotient(rest, -factor);
      own.last = own.last ? ir::makeBinary(ExprKind::Min, own.last, bound) : bound;
      sign = writer_.isNonNegative(-1 * rest) ? -1 : sign;
    }
  }
  writer_.setSign(level, sign);
  for (const Form &inequality : inside)
    test(level, writer_.isNotNegative(inequality));
  return own.first && own.last;
}

/// numerator / denominator, which is an integer.
struct Quotient {
  Form numerator;
  std::int64_t denominator = 1;
};

/// A coordinate of an instance by those before it.
std::optional<Quotient> definitionOf(std::size_t coordinate, const std::vector<Form> &equalities) {
  std::optional<Quotient> result;
  for (const Form &equality : equalities) {
    const auto isLater = [](std::int64_t factor) { return factor != 0; };
    const std::int64_t factor = equality.dimensions[coordinate];
    const bool isWorse = result && std::abs(factor) >= result->denominator;
    if (factor == 0 || isWorse || std::ranges::any_of(equality.divisions, isLater) ||
        std::any_of(equality.dimensions.begin() + coordinate + 1, equality.dimensions.end(), isLater))
      continue;
    result = Quotient{(factor > 0 ? -1 : 1) * equality, std::abs(factor)};
    result->numerator.dimensions[coordinate] = 0;
  }
  return result;
}

/// The coordinates behind those of the loops, by the latter alone.
std::optional<std::vector<Quotient>> coordinatesOf(const isl::basic_set &instances, std::size_t loops) {
  const auto constraints = constraintsOf(instances);
  if (!constraints)
    return std::nullopt;
  std::vector<Quotient> result;
  const std::size_t count = isl_basic_set_dim(instances.get(), isl_dim_set);
  for (std::size_t coordinate = loops; coordinate < count; ++coordinate) {
    auto value = definitionOf(coordinate, constraints->equalities);
    if (!value)
      return std::nullopt;
    for (std::size_t known = loops; known < coordinate; ++known) {
      const Quotient &before = result[known - loops];
      const std::int64_t factor = std::exchange(value->numerator.dimensions[known], 0);
      if (factor == 0)
        continue;
      const std::int64_t common = std::gcd(factor, before.denominator), scale = before.denominator / common;
      value->numerator = scale * value->numerator - -(factor / common) * before.numerator;
      value->denominator *= scale;
    }
    result.push_back(std::move(*value));
  }
  return result;
}

/// The same set, of which isl has no other copy. isl 0.25's detect_equalities changes a basic set that has room for
/// what it finds in place, even where sets share it, and those may lose their divisions by that. A name that is set is
/// one's own.
isl::basic_set unshared(const isl::basic_set &set) {
  return isl::manage(isl_basic_set_set_tuple_name(set.copy(), "Unshared"));
}

/// The one convex set that the set is, if it is.
std::optional<isl::basic_set> convex(const isl::set &set) {
  std::vector<isl::basic_set> all;
  set.foreach_basic_set([&](const isl::basic_set &piece) { all.push_back(piece); });
  return all.size() == 1 ? std::optional(unshared(all.front()).detect_equalities()) : std::nullopt;
}

/// The interval of each parameter that the context gives for it alone.
std::vector<Interval> intervalsOf(const isl::basic_set &context) {
  std::vector<Interval> result(isl_basic_set_dim(context.get(), isl_dim_param));
  const auto constraints = constraintsOf(context);
  if (!constraints)
    return result;
  for (const Form &form : constraints->inequalities)
    for (std::size_t p = 0; p < result.size(); ++p) {
      Form single = 0 * form;
      single.parameters[p] = form.parameters[p];
      single.constant = form.constant;
      if (form == single && form.parameters[p] == 1)
        result[p].least = -form.constant;
      else if (form == single && form.parameters[p] == -1)
        result[p].greatest = form.constant;
    }
  return result;
}

std::vector<ExprRef> namesOf(const isl::basic_set &set, const std::map<std::string, ExprRef> &parameters) {
  std::vector<ExprRef> names;
  for (int p = 0; p < isl_basic_set_dim(set.get(), isl_dim_param); ++p)
    names.push_back(parameters.at(isl_basic_set_get_dim_name(set.get(), isl_dim_param, p)));
  return names;
}

} // namespace

bool definesDivisions(const isl::set &set) {
  bool all = true;
  set.foreach_basic_set([&](const isl::basic_set &piece) {
    const auto constraints = constraintsOf(piece);
    all = all && constraints && std::ranges::all_of(constraints->equalities, [&](const Form &equality) {
            return isFree(equality) || remainderOf(equality, constraints->divisions);
          });
  });
  return all;
}

std::optional<Nest> scan(const isl::set &instances, const std::vector<NestVariable> &variables,
                         const std::map<std::string, ExprRef> &parameters, const isl::set &context) {
  const auto set = convex(instances);
  const auto coordinates = set ? coordinatesOf(*set, variables.size()) : std::nullopt;
  if (!coordinates)
    return std::nullopt;
  const auto count = static_cast<unsigned>(variables.size());
  const isl::basic_set known = isl::manage(isl_set_simple_hull(context.copy()));
  isl_set *projected =
      isl_set_project_out(isl_set_from_basic_set(set->copy()), isl_dim_set, count, coordinates->size());
  projected = isl_set_intersect_params(projected, isl_set_from_basic_set(known.copy()));
  const auto loops = convex(isl::manage(isl_set_remove_redundancies(isl_set_compute_divs(projected))));
  if (!loops)
    return std::nullopt;

  std::vector<std::string> names;
  std::ranges::transform(variables, std::back_inserter(names), &NestVariable::name);
  FormWriter writer(namesOf(known, parameters), intervalsOf(known), names);
  auto nest = Scanner(writer, *loops, known, variables).run();
  if (!nest)
    return std::nullopt;
  for (const NestVariable &variable : variables) {
    const ExprRef value = ir::makeVar(variable.name);
    nest->coordinates.push_back(variable.direction > 0 ? value : ir::makeUnary(ExprKind::Neg, value));
  }
  for (Quotient coordinate : *coordinates) {
    Form &form = coordinate.numerator;
    form.dimensions.resize(count);
    for (std::size_t d = 0; d < variables.size(); ++d)
      form.dimensions[d] *= variables[d].direction;
    const ExprRef value = writer.value(form);
    nest->coordinates.push_back(coordinate.denominator == 1
                                    ? value
                                    : ir::makeBinary(ExprKind::Div, value, ir::makeInt(coordinate.denominator)));
  }
  return writer.hasNoText() ? std::nullopt : std::move(nest);
}

} // namespace hetc::specialize
