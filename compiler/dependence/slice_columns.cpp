#include "compiler/dependence/slice_columns.hpp"

#include <isl/aff.h>

#include <optional>
#include <string>

namespace hetc::dependence {

namespace {

/// value = slices * column + slice.
struct Parts {
  isl::aff column, slice;
};

/// The terms that are multiples of `slices` make the column. Nothing for a value with divisions.
std::optional<Parts> partsOf(const isl::aff &value, int slices) {
  if (isl_aff_dim(value.get(), isl_dim_div) > 0 || !isl::manage(isl_aff_get_denominator_val(value.get())).is_one())
    return std::nullopt;
  const isl::aff zero = isl::aff::zero_on_domain(value.space().domain());
  Parts parts{zero, zero};
  const isl::val modulus(value.ctx(), static_cast<long>(slices));
  for (const isl_dim_type type : {isl_dim_param, isl_dim_in})
    for (int d = 0; d < isl_aff_dim(value.get(), type); ++d) {
      const isl::val factor = isl::manage(isl_aff_get_coefficient_val(value.get(), type, d));
      const bool isMultiple = factor.is_divisible_by(modulus);
      isl::aff &part = isMultiple ? parts.column : parts.slice;
      const isl::val share = isMultiple ? factor.div(modulus) : factor;
      part = isl::manage(isl_aff_set_coefficient_val(part.release(), type, d, share.copy()));
    }
  const isl::val constant = value.constant_val(), quotient = constant.div(modulus).floor();
  parts.column = parts.column.add_constant(quotient);
  parts.slice = parts.slice.add_constant(constant.sub(quotient.mul(modulus)));
  return parts;
}

/// { S0[k, d] -> [row] } for number 0, { S0[k, d] -> [slice column] } for 1.
isl::map coordinate(const isl::map &accesses, unsigned number) {
  isl_map *plain = isl_map_reset_tuple_id(accesses.copy(), isl_dim_out);
  return isl::manage(isl_map_project_out(plain, isl_dim_out, 1 - number, 1));
}

bool isSlice(const isl::aff &slice, int slices, const isl::set &domain) {
  const isl::pw_aff value(slice), zero(isl::aff::zero_on_domain(domain.space()));
  return domain.is_subset(value.ge_set(zero).intersect(value.lt_set(zero.add_constant(slices))));
}

/// Splits accesses to the slice columns `value` into columns and slices; nothing where the value has no such parts.
std::optional<isl::map> split(const isl::map &accesses, const isl::aff &value, int slices) {
  const auto parts = partsOf(value, slices);
  if (!parts || !isSlice(parts->slice, slices, accesses.domain()))
    return std::nullopt;
  const isl::multi_aff column = isl::multi_aff(parts->column).flat_range_product(isl::multi_aff(parts->slice));
  const isl::map row = coordinate(accesses, 0);
  return isl::manage(isl_map_flat_range_product(row.copy(), column.as_map().release()))
      .set_range_tuple(accesses.range_tuple_id().name());
}

} // namespace

isl::map splitSliceColumns(const isl::map &accesses, int slices) {
  const isl::map cells = joinSliceColumns(accesses.ctx(), accesses.range_tuple_id().name(), slices).reverse(),
                 column = coordinate(accesses, 1);
  if (!column.is_single_valued())
    return accesses.apply_range(cells);
  isl::map result = isl::map::empty(accesses.apply_range(cells).space());
  isl::manage(isl_pw_multi_aff_from_map(column.copy()))
      .foreach_piece([&](const isl::set &piece, const isl::multi_aff &value) {
        const isl::map here = accesses.intersect_domain(piece);
        const auto known = split(here, value.at(0), slices);
        result = result.unite(known ? *known : here.apply_range(cells));
      });
  return result;
}

isl::map joinSliceColumns(isl::ctx ctx, const std::string &tuple, int slices) {
  const std::string s = std::to_string(slices);
  return isl::map(ctx, "{ " + tuple + "[i, j, d] -> " + tuple + "[i, " + s + " j + d] : 0 <= d < " + s + " }");
}

} // namespace hetc::dependence
