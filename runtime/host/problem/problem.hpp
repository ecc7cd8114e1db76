// One run's data: sizes, sources, storage.
#pragma once

#include "runtime/host/files/matrix_file.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/host/problem/patterns.hpp"
#include "runtime/host/problem/scalars.hpp"
#include "runtime/host/problem/settings.hpp"
#include "runtime/host/problem/sizes.hpp"
#include "runtime/host/ranks/parallel.hpp"

#include <tla/runtime/executor.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace tla::host {

/// A matrix parameter with everything it got.
struct ProblemMatrix {
  const runtime::MatrixParameter *parameter = nullptr;
  Extent extent{};                      ///< 0 x 0 for a workspace
  std::unique_ptr<MatrixSource> source; ///< not null after makeSources
  MatrixFile *file = nullptr;           ///< the file that the source reads, if it reads one
  bool hermitian = false; ///< whether the stored part stands for a Hermitian matrix, and not for a triangular one
  std::optional<StorageRef> storage;    ///< storage, after allocateMatrices()
  const Placement *placement = nullptr; ///< the problem's
};

struct Problem {
  const runtime::Algorithm *algorithm = nullptr;
  std::vector<runtime::ScalarValue> scalars;
  runtime::Values values; ///< points into scalars
  int nb = 0;
  Cut cut;                                  ///< cut of tiles of nb columns, by chooseCut()
  std::optional<Period> period;             ///< period that the user asks for, whatever the distribution's is
  std::shared_ptr<const Patterns> patterns; ///< null: all tiles are there; values point to it
  std::uint64_t seed = 0;
  Placement placement;                 ///< one rank, until somebody says otherwise
  std::vector<ProblemMatrix> matrices; ///< one for each matrix, in the order of the description

  const ProblemMatrix *find(const std::string &name) const;
  /// The value of a scalar parameter, or the constant that the text is (constantScalar).
  runtime::ScalarValue scalar(const std::string &name) const;
  /// The value of a number, as a complex one.
  std::complex<double> number(const std::string &name) const;
};

/// The values where the problem's matrices have this distribution.
runtime::Values onDistribution(const Problem &problem, runtime::Values values, const Distribution &distribution);

/// A check's arguments by position, found in the problem.
struct CheckOperands {
  const Problem &problem;

  const char *name(int position) const { return problem.algorithm->checkArguments[position]; }
  const ProblemMatrix &matrix(int position) const { return *problem.find(name(position)); }
  /// Op, Uplo, Side or Diag.
  template <typename Enum> Enum option(int position) const {
    return static_cast<Enum>(problem.scalar(name(position)).integer);
  }
};

/// Sizes, scalars and opened input files as the settings say: throws UsageError early and cheaply. On the heap because
/// values, and matrices at the placement, point into it.
std::unique_ptr<Problem> describeProblem(const runtime::Algorithm &algorithm, const Settings &settings);

/// A problem of the given sizes and scalars, without input files.
std::unique_ptr<Problem> makeProblem(const runtime::Algorithm &algorithm, std::vector<runtime::ScalarValue> scalars,
                                     const runtime::Values &values);

/// A copy of the problem on tiles of nb, cut so, without data: to plan or count with.
std::unique_ptr<Problem> onTiles(const Problem &problem, int nb, Cut cut);

/// Makes the generators and reads the input files. Takes memory and time: after problemBytes was found to fit.
void makeSources(Problem &problem, const Settings &settings);

/// Options of the executor that runs with these settings, as far as they bound its memory: of a size that is given
/// renaming and forwarding have small parts, alike on all ranks.
runtime::Options memoryOptions(const Settings &settings);

/// Bytes of this rank's part of the index space of the algorithm's workspaces: more than they ever take.
double workspaceBytes(const Problem &problem);

/// Bytes of this rank's tiles of the matrices, of tables, input files, checks and the runtime's window.
double problemBytes(const Problem &problem, const Settings &settings, int threads);

/// Bytes of the host that accelerators on it may take for this rank's tiles: each no more than it has memory, and
/// hardly more than the tiles take.
double acceleratorBytes(const Problem &problem, const std::vector<runtime::AcceleratorProperties> &accelerators);

/// Storage for every matrix and memory for this rank's tiles, not touched yet (layout.hpp). Throws std::bad_alloc.
void allocateMatrices(Problem &problem);

/// Fills this rank's tiles of every matrix from its source, in parallel. Throws UsageError for what a file must not
/// hold: NaN or Inf, and what a Hermitian matrix cannot have; the first in column-major order, matrix by matrix,
/// on all ranks.
void fillMatrices(Problem &problem, const Team &team);

} // namespace tla::host
