#include "compiler/specialize/constraints.hpp"

#include <isl/aff.h>
#include <isl/mat.h>

#include <algorithm>

namespace hetc::specialize {

namespace {
using Row = std::vector<std::int64_t>;

template <typename Combine> Form combined(const Form &a, const Form &b, Combine &&combine) {
  Form result = a;
  const auto apply = [&](Row &own, const Row &other) {
    for (std::size_t i = 0; i < own.size(); ++i)
      own[i] = combine(own[i], other[i]);
  };
  apply(result.parameters, b.parameters);
  apply(result.dimensions, b.dimensions);
  apply(result.divisions, b.divisions);
  result.constant = combine(a.constant, b.constant);
  return result;
}

class Reader {
public:
  explicit Reader(const isl::basic_set &set)
      : set_(set), parameters_(isl_basic_set_dim(set.get(), isl_dim_param)),
        dimensions_(isl_basic_set_dim(set.get(), isl_dim_set)), divisions_(isl_basic_set_dim(set.get(), isl_dim_div)) {}

  std::optional<Constraints> read() {
    Constraints result;
    for (int position = 0; position < divisions_; ++position) {
      const auto division = readDivision(position);
      if (!division)
        return std::nullopt;
      result.divisions.push_back(*division);
    }
    result.equalities =
        rows(isl_basic_set_equalities_matrix(set_.get(), isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div));
    result.inequalities =
        rows(isl_basic_set_inequalities_matrix(set_.get(), isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div));
    std::erase_if(result.inequalities, [&](const Form &form) { return isDefinition(form, result.divisions); });
    return result;
  }

private:
  std::optional<Division> readDivision(int position) const {
    isl_aff *raw = isl_basic_set_get_div(set_.get(), position);
    if (!raw) {
      isl_ctx_reset_error(set_.ctx().get());
      return std::nullopt;
    }
    const isl::aff value = isl::manage(raw);
    const isl::val denominator = isl::manage(isl_aff_get_denominator_val(value.get()));
    const auto scaled = [&](const isl::val &factor) { return factor.mul(denominator).num_si(); };
    const auto factors = [&](isl_dim_type type, int count) {
      Row row;
      for (int i = 0; i < count; ++i)
        row.push_back(scaled(isl::manage(isl_aff_get_coefficient_val(value.get(), type, i))));
      return row;
    };
    const Form numerator = {factors(isl_dim_param, parameters_), factors(isl_dim_in, dimensions_),
                            factors(isl_dim_div, divisions_), scaled(value.constant_val())};
    return Division{numerator, denominator.num_si()};
  }

  std::vector<Form> rows(isl_mat *matrix) const {
    std::vector<Form> result;
    for (int row = 0; row < isl_mat_rows(matrix); ++row) {
      int column = 0;
      const auto next = [&] { return isl::manage(isl_mat_get_element_val(matrix, row, column++)).num_si(); };
      const auto several = [&](int count) {
        Row values(count);
        std::ranges::generate(values, next);
        return values;
      };
      Form form;
      form.constant = next();
      form.parameters = several(parameters_);
      form.dimensions = several(dimensions_);
      form.divisions = several(divisions_);
      result.push_back(std::move(form));
    }
    isl_mat_free(matrix);
    return result;
  }

  /// numerator - d * e >= 0 or d * e + d - 1 - numerator >= 0, where e is the division by d.
  static bool isDefinition(const Form &form, const std::vector<Division> &divisions) {
    for (std::size_t e = 0; e < divisions.size(); ++e) {
      Form remainder = divisions[e].numerator;
      remainder.divisions[e] -= divisions[e].denominator;
      Form complement = -1 * remainder;
      complement.constant += divisions[e].denominator - 1;
      if (form == remainder || form == complement)
        return true;
    }
    return false;
  }

  const isl::basic_set &set_;
  const int parameters_, dimensions_, divisions_;
};
} // namespace

Form operator-(const Form &a, const Form &b) {
  return combined(a, b, [](std::int64_t x, std::int64_t y) { return x - y; });
}

Form operator*(std::int64_t factor, Form form) {
  return combined(form, form, [factor](std::int64_t x, std::int64_t) { return factor * x; });
}

int Constraints::levelOfDivisions(const Form &form) const {
  int level = -1;
  for (std::size_t e = 0; e < form.divisions.size(); ++e)
    if (form.divisions[e] != 0)
      level = std::max(level, levelOf(divisions[e].numerator));
  return level;
}

int Constraints::levelOf(const Form &form) const {
  int level = static_cast<int>(form.dimensions.size()) - 1;
  while (level >= 0 && form.dimensions[level] == 0)
    --level;
  return std::max(level, levelOfDivisions(form));
}

std::optional<Constraints> constraintsOf(const isl::basic_set &set) { return Reader(set).read(); }

} // namespace hetc::specialize
