#include "compiler/specialize/scan.hpp"

#include "compiler/ir/sum.hpp"
#include "compiler/specialize/constraints.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace hetc::specialize {

namespace {
using ir::ExprKind;
using ir::ExprRef;

/// Without divisions.
bool isFree(const Form &form) {
  return std::ranges::all_of(form.divisions, [](std::int64_t factor) { return factor == 0; });
}

/// form mod modulus == 0.
struct Remainder {
  Form form;
  std::int64_t modulus;
};

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

/// The loop's variable is residue mod modulus.
struct Stride {
  Form residue;
  std::int64_t modulus = 1;
};

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

/// Of a parameter's value.
struct Limits {
  std::optional<std::int64_t> least, greatest;
};

/// Forms as expressions. Remembers which names hold no negative values, as division and remainder are simple then.
class Writer {
public:
  Writer(std::vector<ExprRef> parameters, std::vector<Limits> limits, std::vector<std::string> variables)
      : parameters_(std::move(parameters)), limits_(std::move(limits)), variables_(std::move(variables)),
        signs_(variables_.size()) {}

  void setDivisions(std::vector<Division> divisions) { divisions_ = std::move(divisions); }
  /// The variable is >= 0 for 1, <= 0 for -1.
  void setSign(int level, int sign) { signs_[level] = sign; }
  /// A parameter was wanted that the program has no expression for, or a bound of several cases.
  bool hasNoText() const { return hasNoText_; }

  bool isNonNegative(const Form &form) const;
  ExprRef value(const Form &form) { return ir::toExpr(sum(form)); }
  ExprRef isZero(const Form &form);
  ExprRef isZero(const Remainder &remainder) {
    const ExprRef rest = ir::makeBinary(ExprKind::Rem, value(remainder.form), ir::makeInt(remainder.modulus));
    return ir::makeBinary(ExprKind::Eq, rest, ir::makeInt(0));
  }
  ExprRef isNotNegative(const Form &form) { return ir::toComparison(sum(form), /*isEquality=*/false); }
  /// floor(form / divisor).
  ExprRef quotient(const Form &form, std::int64_t divisor);
  /// The least value of the stride that is >= form / divisor.
  ExprRef ceiling(const Form &form, std::int64_t divisor, const Stride &stride);

private:
  ir::Sum sum(const Form &form);
  bool isBelow(const Form &form, std::int64_t limit) const;
  Form reduced(Form form, std::int64_t modulus) const;

  std::vector<ExprRef> parameters_;
  std::vector<Limits> limits_; ///< by parameter
  std::vector<std::string> variables_;
  std::vector<int> signs_; ///< by variable; 0: not known
  std::vector<Division> divisions_;
  bool hasNoText_ = false;
};

bool Writer::isNonNegative(const Form &form) const {
  for (std::size_t p = 0; p < form.parameters.size(); ++p)
    if (form.parameters[p] < 0 || (form.parameters[p] > 0 && limits_[p].least.value_or(-1) < 0))
      return false;
  for (std::size_t d = 0; d < form.dimensions.size(); ++d)
    if (form.dimensions[d] != 0 && form.dimensions[d] * signs_[d] <= 0)
      return false;
  for (std::size_t e = 0; e < form.divisions.size(); ++e)
    if (form.divisions[e] < 0 || (form.divisions[e] > 0 && !isNonNegative(divisions_[e].numerator)))
      return false;
  return form.constant >= 0;
}

ir::Sum Writer::sum(const Form &form) {
  ir::Sum result;
  result.constant = form.constant;
  for (std::size_t p = 0; p < form.parameters.size(); ++p)
    if (form.parameters[p] != 0 && !parameters_[p])
      hasNoText_ = true;
    else
      result.add(parameters_[p], form.parameters[p]);
  for (std::size_t d = 0; d < form.dimensions.size(); ++d)
    result.add(ir::makeVar(variables_[d]), form.dimensions[d]);
  for (std::size_t e = 0; e < form.divisions.size(); ++e)
    if (form.divisions[e] != 0)
      result.add(quotient(divisions_[e].numerator, divisions_[e].denominator), form.divisions[e]);
  return result;
}

ExprRef Writer::isZero(const Form &form) {
  const ir::Sum one = sum(form); // name == 1 rather than 1 == name
  return ir::toComparison(one.negative.empty() ? sum(-1 * form) : one, /*isEquality=*/true);
}

ExprRef Writer::quotient(const Form &form, std::int64_t divisor) {
  if (divisor == 1)
    return value(form);
  const ExprRef by = ir::makeInt(divisor);
  return isNonNegative(form) ? ir::makeBinary(ExprKind::Div, value(form), by) : floorDivision(value(form), by);
}

/// Equal mod modulus, with terms that are not negative where that is known.
Form Writer::reduced(Form form, std::int64_t modulus) const {
  const auto reduce = [modulus](std::int64_t &factor) { factor = (factor % modulus + modulus) % modulus; };
  std::ranges::for_each(form.parameters, reduce);
  std::ranges::for_each(form.divisions, reduce);
  for (std::size_t d = 0; d < form.dimensions.size(); ++d) {
    reduce(form.dimensions[d]);
    if (signs_[d] < 0 && form.dimensions[d] > 0)
      form.dimensions[d] -= modulus;
  }
  reduce(form.constant);
  return form;
}

/// 0 <= form < limit.
bool Writer::isBelow(const Form &form, std::int64_t limit) const {
  if (!isNonNegative(form))
    return false;
  Form others = form;
  std::int64_t greatest = std::exchange(others.constant, 0);
  for (std::size_t p = 0; p < form.parameters.size(); ++p)
    if (const std::int64_t factor = form.parameters[p]; factor > 0 && limits_[p].greatest) {
      greatest += factor * *limits_[p].greatest;
      others.parameters[p] = 0;
    }
  return others == 0 * others && greatest < limit;
}

ExprRef Writer::ceiling(const Form &form, std::int64_t divisor, const Stride &stride) {
  if (divisor > 1) {
    hasNoText_ |= stride.modulus > 1;
    Form up = form;
    up.constant += divisor - 1;
    return quotient(up, divisor);
  }
  if (stride.modulus == 1)
    return value(form);
  const Form distance = reduced(stride.residue - form, stride.modulus);
  Form constant = 0 * distance;
  constant.constant = distance.constant;
  if (distance == constant)
    return value(form - -1 * constant);
  const ExprRef by = ir::makeInt(stride.modulus);
  ExprRef rest = value(distance);
  if (!isBelow(distance, stride.modulus))
    rest = ir::makeBinary(ExprKind::Rem, rest, by);
  if (!isNonNegative(distance))
    rest = ir::makeBinary(ExprKind::Rem, ir::makeBinary(ExprKind::Add, rest, by), by);
  ir::Sum result = sum(form);
  result.add(rest, 1);
  return ir::toExpr(result);
}

/// One convex set of values of the loops' variables, level by level.
class Scanner {
public:
  Scanner(Writer &writer, const isl::basic_set &set, const isl::basic_set &context,
          const std::vector<NestVariable> &variables)
      : writer_(writer), set_(set), context_(context), variables_(variables) {
    nest_.levels.resize(variables.size());
  }

  std::optional<Nest> run();

private:
  bool addLevel(int level, const Constraints &projection);
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
  /// Of the loops' variables, which may be the negatives of the dimensions.
  std::optional<Constraints> read(const isl::basic_set &set) const;

  Writer &writer_;
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

/// False for a loop without bounds.
bool Scanner::addLevel(int level, const Constraints &projection) {
  std::optional<Form> value;
  std::optional<Stride> stride;
  std::vector<Form> others; // equalities that bounds and step do not ensure
  for (const Form &equality : exact_.equalities) {
    if (exact_.levelOf(equality) != level)
      continue;
    const std::int64_t factor = equality.dimensions[level];
    const auto remainder = remainderOf(equality, exact_.divisions);
    if (remainder && !value && !stride && exact_.levelOfDivisions(remainder->form) < level)
      if ((stride = strideOf(*remainder, level)))
        continue;
    if (!remainder && !value && !stride && exact_.levelOfDivisions(equality) < level && std::abs(factor) == 1) {
      value = -factor * equality;
      value->dimensions[level] = 0;
    } else
      others.push_back(equality);
  }
  if (value)
    addValue(level, *value, projection);
  else if (!addBounds(level, stride.value_or(Stride{}), projection))
    return false;
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

/// A coordinate of an instance as a form of those before it.
std::optional<Form> definitionOf(std::size_t coordinate, const std::vector<Form> &equalities) {
  for (const Form &equality : equalities) {
    const auto isLater = [](std::int64_t factor) { return factor != 0; };
    const std::int64_t factor = equality.dimensions[coordinate];
    if (std::abs(factor) != 1 || std::ranges::any_of(equality.divisions, isLater) ||
        std::any_of(equality.dimensions.begin() + coordinate + 1, equality.dimensions.end(), isLater))
      continue;
    Form value = -factor * equality;
    value.dimensions[coordinate] = 0;
    return value;
  }
  return std::nullopt;
}

/// The coordinates behind those of the loops, as forms of the latter alone.
std::optional<std::vector<Form>> coordinatesOf(const isl::basic_set &instances, std::size_t loops) {
  const auto constraints = constraintsOf(instances);
  if (!constraints)
    return std::nullopt;
  std::vector<Form> result;
  const std::size_t count = isl_basic_set_dim(instances.get(), isl_dim_set);
  for (std::size_t coordinate = loops; coordinate < count; ++coordinate) {
    auto value = definitionOf(coordinate, constraints->equalities);
    if (!value)
      return std::nullopt;
    for (std::size_t known = loops; known < coordinate; ++known)
      *value = *value - -std::exchange(value->dimensions[known], 0) * result[known - loops];
    result.push_back(std::move(*value));
  }
  return result;
}

/// The one convex set that the set is, if it is.
std::optional<isl::basic_set> convex(const isl::set &set) {
  std::vector<isl::basic_set> all;
  set.foreach_basic_set([&](const isl::basic_set &piece) { all.push_back(piece); });
  return all.size() == 1 ? std::optional(all.front().detect_equalities()) : std::nullopt;
}

/// What the context says of each parameter alone.
std::vector<Limits> limitsOf(const isl::basic_set &context) {
  std::vector<Limits> result(isl_basic_set_dim(context.get(), isl_dim_param));
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

std::optional<Nest> scan(const isl::set &instances, const std::vector<NestVariable> &variables,
                         const std::map<std::string, ExprRef> &parameters, const isl::set &context) {
  const auto set = convex(instances);
  const auto coordinates = set ? coordinatesOf(*set, variables.size()) : std::nullopt;
  if (!coordinates)
    return std::nullopt;
  const auto count = static_cast<unsigned>(variables.size());
  const isl::basic_set known = isl::manage(isl_set_simple_hull(context.copy()));
  isl_basic_set *loops = isl_basic_set_project_out(set->copy(), isl_dim_set, count, coordinates->size());
  loops = isl_basic_set_intersect_params(loops, known.copy());
  loops = isl_basic_set_remove_redundancies(isl_basic_set_detect_equalities(loops));

  std::vector<std::string> names;
  std::ranges::transform(variables, std::back_inserter(names), &NestVariable::name);
  Writer writer(namesOf(known, parameters), limitsOf(known), names);
  auto nest = Scanner(writer, isl::manage(loops), known, variables).run();
  if (!nest)
    return std::nullopt;
  for (const NestVariable &variable : variables) {
    const ExprRef value = ir::makeVar(variable.name);
    nest->coordinates.push_back(variable.direction > 0 ? value : ir::makeUnary(ExprKind::Neg, value));
  }
  for (Form form : *coordinates) {
    form.dimensions.resize(count);
    for (std::size_t d = 0; d < variables.size(); ++d)
      form.dimensions[d] *= variables[d].direction;
    nest->coordinates.push_back(writer.value(form));
  }
  return writer.hasNoText() ? std::nullopt : std::move(nest);
}

} // namespace hetc::specialize
