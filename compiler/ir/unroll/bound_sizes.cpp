#include "compiler/ir/unroll/bound_sizes.hpp"

#include "compiler/ir/unroll/compiled_expr.hpp"

#include <algorithm>

namespace hetc::ir {

namespace {

std::int64_t tiles(std::int64_t elements, std::int64_t each) { return elements <= 0 ? 0 : (elements - 1) / each + 1; }

class SizeBinder {
public:
  SizeBinder(const Program &program, const Sizes &sizes)
      : program_(program), sliceWidth_(sizes.sliceWidth), p_(sizes.p), q_(sizes.q) {
    bindSizes(sizes);
    if (program.slices > 1 && (sliceWidth_ <= 0 || sizes.nb <= (program.slices - 1) * sliceWidth_))
      throw Stop{{"tiles of " + std::to_string(sizes.nb) + " columns have no room for " +
                      std::to_string(program.slices - 1) + " slices of " + std::to_string(sliceWidth_) +
                      " and one more",
                  {}}};
    dimensions_.resize(program.matrices.size());
    for (const bool workspaces : {false, true}) // a workspace's size may name matrices behind it
      for (std::size_t index = 0; index < program.matrices.size(); ++index)
        if ((program.matrices[index].kind == MatrixKind::Workspace) == workspaces)
          bindMatrix(index, sizes.nb);
    for (const std::string &size : program.sizes) // not visible in the body
      if (!program.findScalar(size))
        constants_.variables.erase(size);
  }

  BoundSizes take() { return {std::move(constants_), std::move(dimensions_)}; }

private:
  void bindSizes(const Sizes &sizes) {
    if (sizes.nb <= 0)
      throw Stop{{"the tile size nb must be positive, not " + std::to_string(sizes.nb), {}}};
    constants_.variables = sizes.values;
    for (const auto &[name, value] : program_.sizeDefaults)
      bindDefault(name, value);
    for (const Scalar &scalar : program_.scalars)
      bindDefault(scalar.name, scalar.defaultValue);
  }

  void bindDefault(const std::string &name, const ExprRef &value) {
    if (!value || constants_.variables.contains(name))
      return;
    if (const std::optional<std::int64_t> number = evaluate(*value, constants_))
      constants_.variables[name] = *number;
  }

  void bindMatrix(std::size_t index, std::int64_t nb) {
    const Matrix &matrix = program_.matrices[index];
    const auto size = [&](const ExprRef &expr) { return value(CompiledExpr(*expr, constants_, {}), matrix.location); };
    Dimensions dimensions{size(matrix.rows), size(matrix.cols), nb, nb, 0, 0, 0};
    if (matrix.isCut()) {
      dimensions.mb = dimensions.nb = std::max<std::int64_t>(1, size(matrix.tileRows));
    } else if (matrix.kind == MatrixKind::Workspace) {
      dimensions.mb = std::max<std::int64_t>(1, size(matrix.tileRows));
      dimensions.nb = std::max<std::int64_t>(1, size(matrix.tileCols));
      if (__builtin_mul_overflow(dimensions.m, dimensions.mb, &dimensions.m) ||
          __builtin_mul_overflow(dimensions.n, dimensions.nb, &dimensions.n))
        throw Stop{{"workspace '" + matrix.name + "' is too large", matrix.location}};
    }
    dimensions.mt = tiles(dimensions.m, dimensions.mb);
    dimensions.nt = tiles(dimensions.n, dimensions.nb);
    dimensions.ns = slicesOf(matrix, dimensions);
    const auto bind = [&](Extent extent, std::int64_t value) { constants_.extents[{matrix.name, extent}] = value; };
    bind(Extent::M, dimensions.m);
    bind(Extent::N, dimensions.n);
    bind(Extent::Mb, dimensions.mb);
    bind(Extent::Nb, dimensions.nb);
    bind(Extent::P, p_);
    bind(Extent::Q, q_);
    bind(Extent::Mt, dimensions.mt);
    bind(Extent::Nt, dimensions.nt);
    bind(Extent::Ns, dimensions.ns);
    bind(Extent::Has, static_cast<std::int64_t>(matrix.kind));
    dimensions_[index] = dimensions;
  }

  /// Slice columns; those of whole tiles are the tiles.
  std::int64_t slicesOf(const Matrix &matrix, const Dimensions &size) const {
    if (!matrix.isSliced() || size.nt == 0)
      return size.nt;
    const std::int64_t last = size.n - (size.nt - 1) * size.nb;
    return (size.nt - 1) * program_.slices + std::min<std::int64_t>(program_.slices, tiles(last, sliceWidth_));
  }

  static std::int64_t value(const CompiledExpr &expr, const Location &location) {
    try {
      return expr({});
    } catch (const EvaluationError &error) {
      throw Stop{{error.what(), location}};
    }
  }

  const Program &program_;
  const std::int64_t sliceWidth_, p_, q_;
  Environment constants_;
  std::vector<Dimensions> dimensions_;
};

} // namespace

BoundSizes bindMatrices(const Program &program, const Sizes &sizes) { return SizeBinder(program, sizes).take(); }

} // namespace hetc::ir
