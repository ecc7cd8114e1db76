// Kernels whose blocks wait for each other do not wait for ever. On the host only: a device's context is lost by it.
#include "kernels/cuda/together.cuh"
#include "tests/unit/kernels/cuda/cuda_fixture.hpp"

using namespace tla;
using namespace tla::test;
using cuda::ArrivalCounter;
using cuda::Letter;

namespace {
constexpr int blocks = 2, threads = 32;

/// Each block sends to the other, except one that has ended.
__global__ void exchangeLetters(Letter<double> *letters, int silent) {
  const unsigned number = blockIdx.x;
  if (threadIdx.x == 0 && static_cast<int>(number) != silent) {
    letters[number].send(1, 1.0);
    letters[1 - number].await(1);
  }
}

__global__ void arrive(ArrivalCounter::View arrivals, int silent) {
  if (static_cast<int>(blockIdx.x) != silent)
    arrivals.wait();
}

class CudaPatience : public CudaTest<double> {
protected:
  void exchange(int silent) {
    run([silent] {
      auto *const letters = static_cast<Letter<double> *>(cuda::Launch::current().scratch(2 * sizeof(Letter<double>)));
      TLA_CUDA_CHECK(cudaMemsetAsync(letters, 0, 2 * sizeof(Letter<double>), cuda::Launch::current().stream()));
      cuda::enqueueTogether(cuda::multiprocessorsOfDevice(), blocks, threads, 0, exchangeLetters, letters, silent);
    });
  }
  void meet(int silent) {
    run([silent] {
      ArrivalCounter counter;
      cuda::enqueueTogether(cuda::multiprocessorsOfDevice(), blocks, threads, 0, arrive, counter.take(blocks, 1),
                            silent);
    });
  }
};

constexpr const char *vain = "a thread waits in vain for another block";

TEST_F(CudaPatience, LettersThatComeEndTheWait) { exchange(-1); }
TEST_F(CudaPatience, BlocksThatComeEndTheWait) { meet(-1); }
TEST_F(CudaPatience, LettersThatDoNotComeEndTheKernel) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(exchange(1), vain);
}
TEST_F(CudaPatience, BlocksThatDoNotComeEndTheKernel) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(meet(0), vain);
}
} // namespace
