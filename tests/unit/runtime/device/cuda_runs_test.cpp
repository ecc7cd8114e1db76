// Runs of the executor on the accelerator over CUDA: what it page-locks, and that any order gives the same.
#include "tests/unit/runtime/device/cuda_accelerators.hpp"

#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <chrono>

using namespace tla;
using namespace tla::runtime;
using namespace tla::test;

namespace {

/// A workspace tile that is written here, scaled there, and read here, so that it goes there and back.
class Workspaces {
public:
  Outcome run(Executor &executor) const {
    return executor.run([this](Generator &tasks) {
      TileTable &W = tasks.workspace(W_, "W"), &A = tasks.matrix(A_.storage(), "A");
      for (int i = 0; i < tiles; ++i) {
        const TileAccess fresh{&W, i, 0, Access::Write}, scaled{&W, i, 0, Access::ReadWrite};
        const TileAccess result[] = {{&W, i, 0, Access::Read}, {&A, i, 0, Access::Write}};
        tasks.append({fill, 0, nullptr, 0, &fresh, 1});
        tasks.append({scale, 0, nullptr, 0, &scaled, 1});
        tasks.append({copy, 0, nullptr, 0, result, 2});
      }
    });
  }
  bool isRight() const {
    for (int i = 0; i < tiles; ++i)
      if (A_(i, 0)(1, 2) != 42 || A_(i, 0)(n - 1, n - 1) != 42)
        return false;
    return true;
  }

private:
  static constexpr int n = 100, tiles = 3; // of 80 KB
  static int fillWith21(const TaskView &view) {
    const Tile<double> W = view.tile<double>(0);
    std::fill_n(W.data(), n * n, 21.0);
    return 0;
  }
  static int copyTile(const TaskView &view) {
    std::copy_n(view.tile<double>(0).data(), n * n, view.tile<double>(1).data());
    return 0;
  }
  const TaskClass fill{"mix", "test:8", fillWith21, nullptr, 0, false, false, TaskDevice::Host},
      scale{"scal", "test:9", scaleByTwo, nullptr, 0, false, false, TaskDevice::Gpu},
      copy{"mix", "test:10", copyTile, nullptr, 1, false, false, TaskDevice::Host};
  mutable Storage W_{n * tiles, n, n, n, sizeof(double), Shape::General};
  Matrix<double> A_{n * tiles, n, n};
};

TEST_F(CudaAccelerators, FindTilesOfTheExecutorPinned) {
  CudaAccelerator accelerator = make();
  {
    Executor executor({.threads = 1, .accelerators = {&accelerator}});
    for (int run = 0; run < 2; ++run) {
      const Workspaces workspaces;
      const Outcome outcome = workspaces.run(executor);
      ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
      EXPECT_EQ(outcome.statistics.devices.at(0).tasks, 3u);
      EXPECT_TRUE(workspaces.isRight());
#ifdef TLA_CUDA_ON_HOST
      EXPECT_EQ(shim::registered(), 1u) << "once for all runs";
#endif
    }
    EXPECT_EQ(executor.pinningProblem(), "");
  }
#ifdef TLA_CUDA_ON_HOST
  EXPECT_EQ(shim::registered(), 0u);
#endif
}

#ifdef TLA_CUDA_ON_HOST
TEST_F(CudaAccelerators, GoOnWithMemoryThatCannotBePinned) {
  CudaAccelerator accelerator = make();
  shim::setPinning(false);
  Executor executor({.threads = 1, .accelerators = {&accelerator}});
  const Workspaces workspaces;
  const Outcome outcome = workspaces.run(executor);
  shim::setPinning(true);
  ASSERT_EQ(outcome.kind, Outcome::Kind::Finished) << outcome.message;
  EXPECT_TRUE(workspaces.isRight());
  EXPECT_EQ(executor.pinningProblem(), "cudaHostRegister of 4194304 bytes: an error");
}
#endif

/// Tiles come, are computed with, go, and leave their memory to others, as many at a time as there is room for: in any
/// order of what is on the way.
TEST_F(CudaAccelerators, AnyOrderGivesTheSame) {
#ifdef TLA_CUDA_ON_HOST
  constexpr unsigned schedules = 1000;
#else
  constexpr unsigned schedules = 10;
#endif
  CudaAccelerator accelerator = make();
  constexpr int n = 6, tiles = 7, places = 3;
  constexpr std::size_t bytes = n * n * sizeof(double);
  for (unsigned schedule = 0; schedule < schedules; ++schedule) {
#ifdef TLA_CUDA_ON_HOST
    shim::setSeed(schedule);
#endif
    std::vector<HostTile> in, out;
    std::vector<void *> data(tiles);
    std::vector<std::unique_ptr<OneTileTask>> tasks(tiles);
    std::vector<int> stage(tiles);
    int begun = 0;
    const auto begin = [&] {
      data[begun] = accelerator.allocate(bytes);
      accelerator.copyIn(in[begun].to(data[begun]), token(begun));
      ++begun;
    };
    for (int i = 0; i < tiles; ++i) {
      in.emplace_back(n, n, 10 * i + schedule);
      out.emplace_back(n, n);
    }
    while (begun < places)
      begin();
    for (int done = 0; done < tiles;)
      for (const Finished &end : collect(accelerator, 1)) {
        ASSERT_EQ(end.error, "");
        const int i = numberOf(end);
        if (stage[i]++ == 0) {
          tasks[i] = std::make_unique<OneTileTask>(scaleClass, data[i], n);
          accelerator.launch(scaleClass, tasks[i]->task(), static_cast<Standing>(i % 3), token(i));
        } else if (stage[i] == 2) {
          accelerator.copyOut(out[i].from(data[i]), token(i));
        } else {
          accelerator.release(data[i], bytes);
          ++done;
          if (begun < tiles)
            begin();
        }
      }
    for (int i = 0; i < tiles; ++i)
      for (std::size_t e = 0; e < in[i].elements.size(); ++e)
        ASSERT_EQ(out[i].elements[e], 2 * in[i].elements[e]) << "schedule " << schedule << " tile " << i;
  }
}

} // namespace
