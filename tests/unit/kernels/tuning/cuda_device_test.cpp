// The measuring side of CUDA candidates, over a driver that the host plays: what is launched, compared and reported.
#include "kernels/tuning/cuda/device.hpp"
#include "tests/shims/cuda/driver.hpp"
#include "tools/tuner/cuda_install.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <dlfcn.h>
#include <tuple>

using namespace hetc::tuning::cuda;

namespace {

const Constants simt = {{"dim_m", 8},   {"dim_n", 8},   {"blk_m", 32}, {"blk_n", 16},  {"blk_k", 8},
                        {"buffers", 2}, {"texture", 1}, {"vec", 1},    {"dim_m_a", 8}, {"dim_m_b", 8}};
const Constants mma = {{"mma_m", 16}, {"mma_k", 8},  {"warps_m", 2}, {"warps_n", 1}, {"blk_m", 64}, {"blk_n", 32},
                       {"blk_k", 16}, {"stages", 3}, {"swizzle", 1}, {"ahead", 1},   {"group", 4},  {"blocks", 1}};

enum Candidate { TextureD, TextureC, MmaD, MmaZ };

/// NVRTC asks the driver that is loaded more than the host's can answer: candidates are compiled before it is loaded.
class Devices : public testing::Environment {
public:
  void SetUp() override {
    try {
      const NvrtcCompiler compiler;
      for (const bool isBatched : {false, true})
        for (const auto &[index, constants, variant] : {std::tuple(0, simt, Variant{'d', 't', 'n', isBatched}),
                                                        {0, simt, {'c', 'n', 'c', isBatched}},
                                                        {1, mma, {'d', 'n', 't', isBatched}},
                                                        {1, mma, {'z', 'c', 'n', isBatched}}})
          cubins[isBatched].push_back(
              std::get<Cubin>(compiler.compile(sourceOf(templates()[index], constants, variant), headers(), "sm_90"))
                  .image);
    } catch (const Error &error) {
      reason = error.what();
    }
    void *const driver = dlopen(FAKE_CUDA_HOME "/lib64/libcuda.so.1", RTLD_NOW);
    setFault = reinterpret_cast<void (*)(Fault)>(dlsym(driver, "setFault"));
    setenv("CUDA_HOME", FAKE_CUDA_HOME, 1); // the cuBLAS that the host plays
  }

  static inline std::vector<std::string> cubins[2];
  static inline std::string reason;
  static inline void (*setFault)(Fault) = nullptr;
};
const auto *const devices = testing::AddGlobalTestEnvironment(new Devices);

class CudaDevice : public testing::TestWithParam<bool> {
protected:
  void SetUp() override {
    if (!Devices::reason.empty())
      GTEST_SKIP() << Devices::reason;
  }
  void TearDown() override { Devices::setFault(Fault::None); }
  static const std::string &cubin(Candidate candidate) { return Devices::cubins[GetParam()][candidate]; }
};

TEST_P(CudaDevice, CandidatesAreVerifiedAndTimed) {
  for (const Candidate candidate : {TextureD, TextureC, MmaD, MmaZ}) {
    GemmOnDevice gemm(0, cubin(candidate), {100, 70, 50, 3});
    EXPECT_EQ(gemm.verify(), "") << candidate;
    EXPECT_GT(gemm.run(), 0);
    EXPECT_GT(gemm.runCublas(), 0);
  }
}

TEST_P(CudaDevice, WrongResultsAreReported) {
  GemmOnDevice gemm(0, cubin(MmaD), {128, 64, 50, 2});
  Devices::setFault(Fault::Blocks);
  EXPECT_EQ(
      gemm.verify().find("64 x 32 x 64, leading dimensions + 0, alpha 1, beta 0: element (0, 0) is nan, expected"), 0)
      << gemm.verify();
}

TEST_P(CudaDevice, ErrorsNameTheCall) {
  GemmOnDevice gemm(0, cubin(MmaD), {64, 32, 16, 1});
  Devices::setFault(Fault::Launch);
  try {
    gemm.run();
    FAIL();
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "launch: an illegal memory access was encountered");
  }
}
/// The list of tuned products has the candidate's rates.
TEST(CudaInstallation, ACandidateIsMeasuredAgainstTheLibrary) {
  if (!Devices::reason.empty())
    GTEST_SKIP() << Devices::reason;
  const auto &cubins = Devices::cubins[false];
  const auto measured = hetc::tuning::measureCudaGemm(0, cubins[MmaD], {16, 35});
  const auto *product = std::get_if<tla::kernels::cuda::TunedProduct>(&measured);
  ASSERT_TRUE(product) << std::get<std::string>(measured);
  EXPECT_EQ(product->threads, 64);
  EXPECT_EQ(product->blockRows, 64);
  EXPECT_EQ(product->blockColumns, 32);
  EXPECT_EQ(product->sharedBytes, launchOf(cubins[MmaD]).sharedBytes);
  EXPECT_GT(product->gflops, 0);
  EXPECT_GT(product->cublasGflops, 0);
  EXPECT_EQ(product->from > 0, product->gflops > 1.01 * product->cublasGflops);

  const auto byTexture = hetc::tuning::measureCudaGemm(0, cubins[TextureD], {16});
  EXPECT_EQ(std::get<std::string>(byTexture), "it reads by texture, which runs do not provide");
  Devices::setFault(Fault::Blocks);
  const auto wrong = hetc::tuning::measureCudaGemm(0, cubins[MmaD], {16});
  Devices::setFault(Fault::None);
  EXPECT_EQ(std::get<std::string>(wrong).find("it is wrong: 64 x 32 x 64"), 0u);
}

/// Stripes are read in other shapes where other ops make something else contiguous.
TEST(CudaInstallation, ShapesOfReadingFitTheOps) {
  const Constants candidate = {{"dim_m", 16},  {"dim_n", 16},  {"blk_m", 96}, {"blk_n", 64},   {"blk_k", 8},
                               {"buffers", 2}, {"texture", 0}, {"vec", 1},    {"dim_m_a", 32}, {"dim_m_b", 8}};
  const auto shapes = [&](const char *ops) {
    const Constants fitting = hetc::tuning::fittingConstants(candidate, ops);
    return std::pair(fitting[8].second, fitting[9].second);
  };
  EXPECT_EQ(shapes("nn"), std::pair(std::int64_t(32), std::int64_t(8)));
  EXPECT_EQ(shapes("tn"), std::pair(std::int64_t(8), std::int64_t(8)));   // A: 8 x 96
  EXPECT_EQ(shapes("nt"), std::pair(std::int64_t(32), std::int64_t(64))); // B: 64 x 8
  EXPECT_EQ(hetc::tuning::fittingConstants(mma, "tt"), mma);
}

TEST(CudaInstallation, PairsOfOps) {
  EXPECT_EQ(hetc::tuning::opsOf('d'), (std::vector<std::string>{"nn", "nt", "tn", "tt"}));
  EXPECT_EQ(hetc::tuning::opsOf('c').size(), 9u);
}

INSTANTIATE_TEST_SUITE_P(Forms, CudaDevice, testing::Bool(),
                         [](const auto &info) { return info.param ? "batched" : "single"; });

TEST(CudaDeviceFacts, OfADeviceAndOfNone) {
  const DeviceFacts facts = factsOf(0);
  EXPECT_EQ(facts.name, "the host");
  EXPECT_EQ(facts.architecture, "sm_90");
  EXPECT_EQ(facts.driver, "13.1");
  EXPECT_EQ(facts.parameters.front(), (std::pair<std::string, std::int64_t>("compute_capability", 90)));
  EXPECT_THROW(factsOf(1), Error);
}

} // namespace
