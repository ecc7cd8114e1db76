// What the tests of the bodies over OpenBLAS have in common.
#pragma once

#include "kernels/openblas/gemm.hpp"
#include "tests/unit/kernels/samples.hpp"

namespace tla::test {

/// One thread per call; products are cut into blocks, which is correct on every CPU.
template <typename T> class OpenblasTest : public ::testing::Test {
protected:
  void SetUp() override {
    openblas_set_num_threads(1);
    kernels::openblas::hasSmallGemm = true;
  }
  /// Runs a check without and with the cut into blocks; only double heeds the switch.
  template <typename Check> void withAndWithoutBlocks(Check check) {
    for (bool blocks : {false, true}) {
      if (blocks && !std::is_same_v<T, double>)
        continue;
      SCOPED_TRACE(blocks ? "with blocks" : "without blocks");
      kernels::openblas::hasSmallGemm = blocks;
      check();
    }
  }
  static double tolerance(int k) { return 32 * (k + 2) * epsilon<T>(); }
};

} // namespace tla::test
