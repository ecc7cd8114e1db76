#include "c/arguments.hpp"

#include "c/blas_guard.hpp"
#include "runtime/interfaces/scalars.hpp"

#include <tla/generated/call.hpp>
#include <tla/runtime/error.hpp>
#include <tla/runtime/ranks.hpp>
#include <tla/runtime/tile_size.hpp>

#include <algorithm>
#include <limits>
#include <mutex>
#include <string>

namespace hetc {

using tla::UsageError;
using tla::runtime::Algorithm;
using tla::runtime::ElementType;
using tla::runtime::MatrixParameter;
using tla::runtime::ScalarValue;

namespace {

void requireCount(const Algorithm &algorithm, int expected, int given, const char *what, const char *plural) {
  if (expected != given)
    throw UsageError(std::string(algorithm.name) + " takes " + std::to_string(expected) + " " +
                     (expected == 1 ? what : plural) + ", not " + std::to_string(given));
}

void requireWindow(const MatrixParameter &parameter, const hetc_matrix &matrix, bool isPart) {
  const std::string text =
      std::string(parameter.name) + " is " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.columns);
  asSize(matrix.rows, text);
  asSize(matrix.columns, text);
  if (matrix.leading < 0 || matrix.leading > std::numeric_limits<int>::max())
    throw UsageError(text + ", columns " + std::to_string(matrix.leading) +
                     " apart, which must not be negative, and below 2^31");
  if (isPart)
    return;
  if (matrix.rows > 0 && matrix.columns > 0 && !matrix.data)
    throw UsageError(text + ", but its array is null");
  if (matrix.leading < matrix.rows)
    throw UsageError(text + ": more rows than its leading dimension " + std::to_string(matrix.leading));
}

int chooseTile(const Algorithm &algorithm, const tla::runtime::Values &values, const std::vector<ScalarValue> &scalars,
               int threads) {
  static std::mutex mutex;
  static auto &sizes = *new tla::host::CallTileSizes;
  const std::lock_guard lock(mutex);
  return sizes.choose(algorithm, values, scalars, threads, BlasGuard::kernels().backEnd);
}

} // namespace

int asSize(int64_t number, const std::string &what) {
  if (number < 0)
    throw UsageError(what + ": sizes must not be negative");
  if (number > std::numeric_limits<int>::max())
    throw UsageError(what + ": sizes must be below 2^31");
  return static_cast<int>(number);
}

std::vector<ScalarValue> scalarsOf(const Algorithm &algorithm, const hetc_scalar *scalars, int count) {
  if (count != 0)
    requireCount(algorithm, algorithm.scalarCount, count, "scalar", "scalars");
  std::vector<ScalarValue> values;
  for (int i = 0; i < algorithm.scalarCount; ++i) {
    const tla::runtime::ScalarParameter &parameter = algorithm.scalars[i];
    if (count != 0)
      values.push_back({static_cast<long>(scalars[i].integer), scalars[i].real, scalars[i].imag});
    else if (parameter.hasDefault || parameter.candidateCount > 0)
      values.push_back(parameter.hasDefault ? parameter.defaultValue : ScalarValue{parameter.candidates[0], 0, 0});
    else
      throw UsageError(std::string(algorithm.name) + ": " + parameter.name + " has no default: give all scalars");
  }
  tla::runtime::requireScalars(algorithm, values.data());
  return values;
}

Matrices::Matrices(const Algorithm &algorithm, const hetc_matrix *matrices, int count,
                   const std::vector<ScalarValue> &scalars, int tile, const tla::runtime::Executor &executor,
                   tla::host::CallDevices *devices, const Residence &residence, bool isToReside)
    : algorithm_(algorithm), executor_(executor), tile_(tile) {
  requireCount(algorithm, algorithm.matrixCount, count, "matrix", "matrices");
  if (tile < 0)
    throw UsageError("tiles of " + std::to_string(tile) + ": their size must be positive, or 0: one that suits");
  if (tile == 0 && executor.transport())
    throw UsageError("no size of tiles is given: on several ranks it is the blocks' of the local arrays");
  int64_t largest = 1;
  for (int i = 0; i < count; ++i)
    if (algorithm.matrices[i].workspace) {
      if (matrices[i].data)
        throw UsageError(std::string(algorithm.matrices[i].name) + " is a workspace: its array must be null");
    } else {
      requireWindow(algorithm.matrices[i], matrices[i], executor.transport() != nullptr);
      largest = std::max({largest, matrices[i].rows, matrices[i].columns});
    }
  describe(matrices, static_cast<int>(largest)); // what sizes are can be asked of matrices only
  tla::runtime::Values values = tla::runtime::sizesOf(algorithm, {storages_.data(), scalars.data()});
  values.period = tla::runtime::periodOf(executor);
  if (const int resident = isToReside || hasResidents(matrices, residence) ? residence.tile() : 0) {
    if (tile_ != 0 && tile_ != resident)
      throw UsageError("tiles of " + std::to_string(tile_) + ": those of the resident matrices are " +
                       std::to_string(resident) + "; give that, or 0");
    tile_ = resident;
  }
  if (devices) {
    const tla::host::CallPlan &plan =
        devices->plan(algorithm, values, scalars, tile_, executor.threads(), BlasGuard::kernels());
    tile_ = plan.nb;
    shares_ = plan.shares;
  }
  if (tile_ == 0)
    tile_ = chooseTile(algorithm, values, scalars, executor.threads());
  describe(matrices, tile_);
  wrap(matrices, residence);
  addWorkspaces(values);
}

/// Storage without memory.
void Matrices::describe(const hetc_matrix *matrices, int tile) {
  owned_.clear();
  storages_.clear();
  for (int i = 0; i < algorithm_.matrixCount; ++i) {
    const MatrixParameter &parameter = algorithm_.matrices[i];
    const hetc_matrix window = parameter.workspace ? hetc_matrix{nullptr, 0, 0, 0} : matrices[i];
    owned_.emplace_back(new tla::Storage(static_cast<int>(window.rows), static_cast<int>(window.columns), tile, tile,
                                         elementBytes(parameter.type), parameter.shape));
    storages_.push_back(&*owned_.back());
  }
}

bool Matrices::hasResidents(const hetc_matrix *matrices, const Residence &residence) const {
  if (executor_.transport()) // windows are parts, which cannot be resident
    return false;
  for (int i = 0; i < algorithm_.matrixCount; ++i)
    if (!algorithm_.matrices[i].workspace && residence.find(matrices[i], algorithm_.matrices[i]))
      return true;
  return false;
}

void Matrices::wrap(const hetc_matrix *matrices, const Residence &residence) {
  for (int i = 0; i < algorithm_.matrixCount; ++i)
    if (algorithm_.matrices[i].workspace)
      continue;
    else if (executor_.transport())
      wrapPart(i, matrices[i]);
    else if (tla::Storage *const resident = residence.find(matrices[i], algorithm_.matrices[i]))
      storages_[i] = resident;
    else if (const int earlier = sameAs(i, matrices); earlier < i)
      storages_[i] = storages_[earlier];
    else
      storages_[i]->wrap(matrices[i].data, static_cast<int>(matrices[i].leading));
}

/// The first parameter that has the same window, type and part.
int Matrices::sameAs(int number, const hetc_matrix *matrices) const {
  const auto isSame = [&](int i) {
    const hetc_matrix &a = matrices[i], &b = matrices[number];
    const MatrixParameter &p = algorithm_.matrices[i], &q = algorithm_.matrices[number];
    return !p.workspace && p.type == q.type && p.shape == q.shape && a.data && a.data == b.data && a.rows == b.rows &&
           a.columns == b.columns && a.leading == b.leading;
  };
  int first = 0;
  while (first < number && !isSame(first))
    ++first;
  return first;
}

std::vector<const tla::Storage *> Matrices::addTo(Residence &residence, const hetc_matrix *matrices) const {
  std::vector<const tla::Storage *> added;
  for (int i = 0; i < algorithm_.matrixCount; ++i)
    if (!algorithm_.matrices[i].workspace && !residence.find(matrices[i], algorithm_.matrices[i])) {
      residence.add(matrices[i], algorithm_.matrices[i], tla::StorageRef(storages_[i]));
      added.push_back(storages_[i]);
    }
  return added;
}

void Matrices::wrapPart(int number, const hetc_matrix &window) {
  const tla::Storage &whole = *storages_[number];
  const tla::runtime::LocalPart part(executor_, whole.m(), whole.n(), tile_, tile_);
  part.wrap(*storages_[number], window.data, static_cast<int>(window.leading), algorithm_.matrices[number].name);
}

void Matrices::addWorkspaces(const tla::runtime::Values &values) {
  for (int i = 0; i < algorithm_.matrixCount; ++i) {
    const tla::runtime::WorkspaceShape *const shape = algorithm_.matrices[i].workspace;
    if (!shape)
      continue;
    const auto number = [&](long (*function)(const tla::runtime::Values &, long)) {
      return static_cast<int>(function(values, tile_));
    };
    owned_.emplace_back(tla::Storage::makeWorkspace(number(shape->tilesDown), number(shape->tilesAcross),
                                                    number(shape->tileRows), number(shape->tileCols),
                                                    elementBytes(algorithm_.matrices[i].type)));
    tla::Storage &workspace = *owned_.back();
    workspace.setByRows(algorithm_.matrices[i].byRows && algorithm_.matrices[i].byRows(values));
    workspace.allocate([&](int row, int column) { return tla::runtime::ownsTile(executor_, workspace, row, column); });
    storages_[i] = &workspace;
  }
}

} // namespace hetc
