#include <tla/runtime/call.hpp>

#include "runtime/bootstrap/settings.hpp"
#include "runtime/bootstrap/sizes.hpp"

#include <tla/kernels/table.hpp>

#include <cassert>

namespace tla::runtime {

namespace {

std::string text(long rows, long columns) { return std::to_string(rows) + " x " + std::to_string(columns); }

/// The values of m, n and k that all shapes agree on.
Values sizesOf(const Algorithm &algorithm, Storage *const *matrices, const std::vector<ScalarValue> &scalars) {
  std::vector<bootstrap::GivenShape> shapes;
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (!algorithm.matrices[i].workspace)
      shapes.push_back({i, matrices[i]->m(), matrices[i]->n(), {}});
  return bootstrap::resolveSizes(algorithm, {}, shapes, scalars);
}

void checkLeadingDimensions(const Algorithm &algorithm, Storage *const *matrices) {
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (const Storage &matrix = *matrices[i]; !matrix.tiled() && matrix.ld(0) < matrix.m())
      throw UsageError(std::string(algorithm.matrices[i].name) + " has " + std::to_string(matrix.m()) +
                       " rows, more than its leading dimension " + std::to_string(matrix.ld(0)));
}

/// The tile size of all matrices; 1 when there is none.
int tileSizeOf(const Algorithm &algorithm, Storage *const *matrices) {
  int first = -1;
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const MatrixParameter &parameter = algorithm.matrices[i];
    const Storage &matrix = *matrices[i];
    if (parameter.workspace)
      continue;
    if (first < 0)
      first = i;
    const int nb = matrices[first]->nb();
    if (matrix.mb() != nb || matrix.nb() != nb)
      throw UsageError(std::string(parameter.name) + " has tiles of " + text(matrix.mb(), matrix.nb()) +
                       ", but those of " + algorithm.matrices[first].name + " are " + text(nb, nb) +
                       "; all matrices of a call have square tiles of one size");
  }
  return first < 0 ? 1 : matrices[first]->nb();
}

void checkWorkspaces(const Algorithm &algorithm, Storage *const *matrices, const Values &values, int nb) {
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const WorkspaceShape *shape = algorithm.matrices[i].workspace;
    if (!shape)
      continue;
    const Storage &given = *matrices[i];
    const long rows = shape->rows(values, nb), cols = shape->cols(values, nb);
    const long height = shape->tileRows(values, nb), width = shape->tileCols(values, nb);
    if (given.m() != rows || given.n() != cols || given.mb() != height || given.nb() != width)
      throw UsageError(std::string(algorithm.matrices[i].name) + " is " + text(given.m(), given.n()) + " in tiles of " +
                       text(given.mb(), given.nb()) + "; " + algorithm.name + " asks for " + text(rows, cols) +
                       " in tiles of " + text(height, width));
  }
}

void installKernelsOnce() {
  static const kernels::KernelStatus status = kernels::installKernels();
  static_cast<void>(status);
}

} // namespace

Outcome call(Executor &executor, const Algorithm &algorithm, std::initializer_list<Storage *> matrices,
             std::initializer_list<ScalarValue> scalars) {
  assert(static_cast<int>(matrices.size()) == algorithm.matrixCount && "the header is of another algorithm");
  assert(static_cast<int>(scalars.size()) == algorithm.scalarCount && "the header is of another algorithm");
  const std::vector<ScalarValue> values(scalars);
  checkLeadingDimensions(algorithm, matrices.begin());
  const int nb = tileSizeOf(algorithm, matrices.begin());
  checkWorkspaces(algorithm, matrices.begin(), sizesOf(algorithm, matrices.begin(), values), nb);
  installKernelsOnce();
  return executor.run(algorithm, {matrices.begin(), values.data()});
}

} // namespace tla::runtime
