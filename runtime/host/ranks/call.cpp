#include <tla/generated/call.hpp>

#include "dsl/base/text.hpp"
#include "runtime/distribution/distribution.hpp"
#include "runtime/interfaces/scalars.hpp"

#include <tla/kernels/table.hpp>
#include <tla/runtime/ranks.hpp>

#include <cassert>
#include <utility>
#include <vector>

namespace tla::runtime {

namespace {

/// Whether this rank has what is its part.
void checkPart(const std::string &name, const Storage &matrix, const Executor &executor) {
  for (int j = 0; j < matrix.nt(); ++j)
    for (int i = 0; i < matrix.mt(); ++i)
      if (matrix.stores(i, j) && ownsTile(executor, matrix, i, j) && !matrix.tile(i, j))
        throw UsageError(format("%s has no memory for tile (%d, %d), which is this rank's: its array is null, or laid "
                                "out for other ranks",
                                name.c_str(), i, j));
  if (matrix.tiled() || matrix.mt() == 0 || matrix.nt() == 0)
    return;
  const long rows = LocalPart(executor, matrix.m(), matrix.n(), matrix.mb(), matrix.nb()).rows();
  if (matrix.ld(0) < rows)
    throw UsageError(name + " has " + std::to_string(rows) + " rows here, more than its leading dimension " +
                     std::to_string(matrix.ld(0)));
}

void checkMatrix(const std::string &name, const Storage &matrix, const Executor &executor) {
  if (matrix.m() < 0 || matrix.n() < 0)
    throw UsageError(name + " is " + std::to_string(matrix.m()) + " x " + std::to_string(matrix.n()) +
                     ": sizes must not be negative");
  if (matrix.m() > 0 && matrix.n() > 0 && (matrix.mb() < 1 || matrix.nb() < 1))
    throw UsageError(name + " is in tiles of " + std::to_string(matrix.mb()) + " x " + std::to_string(matrix.nb()) +
                     ": their size must be positive");
  if (const Cut cut = matrix.cut(); matrix.m() > 0 && matrix.n() > 0 && !cut.fits(matrix.nb()))
    throw UsageError(name + " is in tiles of " + std::to_string(matrix.nb()) + " columns, which cannot be cut into " +
                     std::to_string(cut.slices - 1L) + " slices of " + std::to_string(cut.width) + " and another one");
  if (executor.transport())
    return checkPart(name, matrix, executor);
  if (matrix.m() > 0 && matrix.n() > 0 && !matrix.tile(0, 0))
    throw UsageError(name + " is " + std::to_string(matrix.m()) + " x " + std::to_string(matrix.n()) +
                     ", but its array is null");
  if (!matrix.tiled() && matrix.ld(0) < matrix.m())
    throw UsageError(name + " has " + std::to_string(matrix.m()) + " rows, more than its leading dimension " +
                     std::to_string(matrix.ld(0)));
}

/// Where nodes stand in copies, tiles are where the caller's matrix says that they are: nothing moves them.
void checkHome(const Algorithm &algorithm, int number, const Storage &matrix, const Executor &executor,
               const Values &values) {
  const MatrixParameter &parameter = algorithm.matrices[number];
  const bool byRows = parameter.byRows && parameter.byRows(values);
  if (executor.distribution().copies() == 1 || byRows == matrix.byRows())
    return;
  throw UsageError(format("%s of %s is at home by %s with copies of the nodes, and the matrix given is by %s; say "
                          "storage().setByRows(%s) of it before its tiles are filled, or take another matrix",
                          parameter.name, algorithm.name, byRows ? "rows" : "columns", byRows ? "columns" : "rows",
                          byRows ? "true" : "false"));
}

/// A run says of its matrices how they are dealt; afterwards they are as the caller had them.
class KeepHomes {
public:
  explicit KeepHomes(std::initializer_list<Storage *> matrices) {
    for (Storage *matrix : matrices)
      before_.emplace_back(matrix, matrix->byRows());
  }
  ~KeepHomes() {
    for (const auto &[matrix, byRows] : before_)
      if (matrix->byRows() != byRows) // what several calls read at one time is not written to
        matrix->setByRows(byRows);
  }
  KeepHomes(const KeepHomes &) = delete;
  KeepHomes &operator=(const KeepHomes &) = delete;

private:
  std::vector<std::pair<Storage *, bool>> before_;
};

void installKernelsOnce() {
  static const auto &status = *new kernels::KernelStatus(kernels::installKernels());
  static_cast<void>(status);
}

} // namespace

Outcome call(Executor &executor, const Algorithm &algorithm, std::initializer_list<Storage *> matrices,
             std::initializer_list<ScalarValue> scalars) {
  assert(static_cast<int>(matrices.size()) == algorithm.matrixCount && "the header is of another algorithm");
  assert(static_cast<int>(scalars.size()) == algorithm.scalarCount && "the header is of another algorithm");
  const std::vector<ScalarValue> values(scalars);
  const Arguments arguments{matrices.begin(), values.data()};
  const KeepHomes keep(matrices);
  agreeOnCall(executor, [&] {
    for (int i = 0; i < algorithm.matrixCount; ++i) {
      checkHome(algorithm, i, *matrices.begin()[i], executor, {.scalars = values.data()});
      checkMatrix(algorithm.matrices[i].name, *matrices.begin()[i], executor);
    }
    requireScalars(algorithm, values.data());
    installKernelsOnce();
    return describeCall(executor, algorithm, arguments);
  });
  return executor.run(algorithm, arguments);
}

} // namespace tla::runtime
