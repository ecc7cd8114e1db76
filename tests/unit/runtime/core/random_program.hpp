// Random streams of tasks over a few matrices, and their serial execution: the oracle for the runtime.
#pragma once

#include "runtime/distribution/distribution.hpp"

#include <tla/runtime/executor.hpp>

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

namespace tla::test {

using Element = std::uint64_t;

struct ProgramMatrix {
  int m, n, nb;
  bool workspace, regions, wrapped;
  Cut cut = {};
};

struct ProgramAccess {
  int matrix, row, column; ///< a slice column, if the matrix is cut
  runtime::Access access;
  Region region;
};

struct ProgramTask {
  std::vector<ProgramAccess> accesses;
  int priority = 0;
  int panelFirst = -1, panelCount = 0; ///< accesses appended as one PanelAccess
  struct Release {
    int matrix, row, column;
  };
  std::vector<Release> releases; ///< releases behind the task
};

struct Program {
  std::vector<ProgramMatrix> matrices;
  std::vector<ProgramTask> tasks;
};

/// Makes a program of `tasks` tasks, the same for the same seed; about one in ten has a panel longer than a task's own
/// room. `tasks` tasks; about one in ten has a panel longer than a task's own room. Of programs with even seeds the
/// matrices without regions are cut, into 2, 3 or 4 slices.
Program makeProgram(unsigned seed, int tasks);

/// The matrices of a program with their content. Workspaces have tiles of their own only for a serial run.
class ProgramData {
public:
  ProgramData(const Program &program, bool serial);
  Storage &storage(int matrix) { return *storages_[matrix]; }
  /// The content of all matrices but workspaces, element by element in a fixed order; without tiles that were
  /// forgotten.
  std::vector<Element> content() const;

  /// Forgets the tiles of other ranks, on one of several.
  void keepTilesOf(const Distribution &distribution, int rank);
  /// The content that the ranks have together, each its own tiles.
  static std::vector<Element> content(const std::vector<std::unique_ptr<ProgramData>> &ranks,
                                      const Distribution &distribution);

private:
  template <typename StorageOf> std::vector<Element> content(StorageOf storageOf) const;

  const Program &program_;
  std::vector<std::unique_ptr<Storage>> storages_;
  std::vector<std::unique_ptr<Element[]>> arrays_;
};

/// Runs task after task on the calling thread.
void runSerially(const Program &program, ProgramData &data);
/// Appends all tasks to a run.
void generate(const Program &program, ProgramData &data, runtime::Generator &generator);

/// Every node occurs.
Distribution randomTable(int nodes, unsigned seed);

/// How many random programs: as usual, or TLA_TEST_SEEDS.
int seeds(int usual);

} // namespace tla::test
