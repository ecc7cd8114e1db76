// Algorithms whose best tile size, or tuning parameter, is known.
#pragma once

#include "runtime/predict/rates/kernel_times.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"
#include "tests/unit/runtime/predict/traced.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace tla::host {

/// One kernel of the program's own for each tile below the diagonal, whose work is nb^3 times the number of its column:
/// the sample, of three columns, has next to nothing of it.
struct Growing {
  static int run(const runtime::TaskView &) { return 0; }
  static double flops(const runtime::TaskView &task) {
    const double nb = task.tile<char>(0).n();
    return nb * nb * nb * (1 + task.index(0));
  }
  static runtime::TaskClass makeClass(bool userKernel) {
    runtime::TaskClass taskClass{"grow", "x.tla:1", run, flops};
    taskClass.userKernel = userKernel;
    return taskClass;
  }
  template <bool userKernel> static void generate(runtime::Generator &generator, const runtime::Arguments &arguments) {
    static const runtime::TaskClass taskClass = makeClass(userKernel);
    const Storage &storage = *arguments.matrices[0];
    runtime::TileTable &A = generator.matrix(*arguments.matrices[0], "A");
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = j; i < storage.mt(); ++i) {
        const runtime::TileAccess access{&A, i, j, runtime::Access::ReadWrite};
        generator.append({taskClass, 0, &j, 1, &access, 1});
      }
  }
  template <bool userKernel> static runtime::Algorithm algorithm() {
    runtime::Algorithm algorithm = test::cholesky<double>();
    algorithm.generate = generate<userKernel>;
    algorithm.serial = nullptr;
    return algorithm;
  }
};

/// A task for every tile that takes a time according to ib: least for 32. So many seconds that those of the search
/// itself do not count.
struct Tuned {
  static KernelTimes times(int, const std::vector<runtime::ScalarValue> &scalars) {
    KernelTimes times;
    times.add(test::traced({{0, 1, scalars[0].integer == 32 ? 20 : 100}}));
    return times;
  }
  static int run(const runtime::TaskView &) { return 0; }
  static constexpr runtime::TaskClass taskClass{"gemm", "x.tla:1", run, nullptr};
  static void generate(runtime::Generator &generator, const runtime::Arguments &arguments) {
    const Storage &storage = *arguments.matrices[0];
    runtime::TileTable &A = generator.matrix(*arguments.matrices[0], "A");
    const int ib = static_cast<int>(arguments.scalars[0].integer);
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = j; i < storage.mt(); ++i)
        for (int repeat = 0; repeat < 40; ++repeat) {
          const runtime::TileAccess access{&A, i, j, runtime::Access::ReadWrite};
          generator.append({taskClass, 0, &ib, 1, &access, 1});
        }
  }
  static runtime::Algorithm algorithm() {
    static constexpr int candidates[] = {16, 32, 64};
    static constexpr runtime::ScalarParameter scalars[] = {{"ib", "int", false, {}, candidates, 3}};
    runtime::Algorithm algorithm = test::cholesky<double>();
    algorithm.scalars = scalars;
    algorithm.scalarCount = 1;
    algorithm.generate = generate;
    algorithm.serial = nullptr;
    return algorithm;
  }
};

/// A task on every panel of A, its pivots and its workspace; it takes as long as the panel.
struct Panels {
  static int spin(const runtime::TaskView &task) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(2 * task.index(0));
    while (std::chrono::steady_clock::now() < end) {
    }
    return 0;
  }
  static constexpr runtime::TaskClass taskClass{"panel", "panels.tla:1", spin, nullptr};
  static void generate(runtime::Generator &generator, const runtime::Arguments &arguments) {
    runtime::TileTable &A = generator.matrix(*arguments.matrices[0], "A"),
                       &ipiv = generator.matrix(*arguments.matrices[1], "ipiv"),
                       &W = generator.matrix(*arguments.matrices[2], "W");
    const int mt = arguments.matrices[0]->mt();
    for (int j = 0; j < std::min(mt, arguments.matrices[0]->nt()); ++j) {
      runtime::AccessList accesses;
      accesses.add(runtime::PanelAccess{&A, j, mt, j, runtime::Access::ReadWrite});
      accesses.add(runtime::TileAccess{&ipiv, j, 0, runtime::Access::Write});
      accesses.add(runtime::TileAccess{&W, mt - 1, j, runtime::Access::Write});
      const int length = accesses.size();
      generator.append({taskClass, 0, &length, 1, accesses.data(), accesses.size()});
    }
  }
};

} // namespace tla::host
