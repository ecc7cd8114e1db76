// Candidates for CUDA devices as text, and by NVRTC where there is one.
#include "kernels/tuning/cuda/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

using namespace hetc::tuning;
using namespace hetc::tuning::cuda;

namespace {

Space spaceOf(const std::string &name) {
  std::ifstream in(std::string(HETC_SPACES) + "/" + name);
  std::ostringstream text;
  text << in.rdbuf();
  return std::get<Space>(parseSpace(text.str()));
}

std::string messageOf(const std::function<void()> &act) {
  try {
    act();
  } catch (const Error &error) {
    return error.what();
  }
  return "no error";
}

/// A point of each space: what their constraints must let pass.
const Constants simt = {{"dim_m", 16},  {"dim_n", 16},  {"blk_m", 96}, {"blk_n", 96},   {"blk_k", 16},
                        {"buffers", 2}, {"texture", 0}, {"vec", 1},    {"dim_m_a", 16}, {"dim_m_b", 16}};
const Constants mma = {{"mma_m", 16}, {"mma_k", 8},  {"warps_m", 2}, {"warps_n", 4}, {"blk_m", 128}, {"blk_n", 128},
                       {"blk_k", 16}, {"stages", 4}, {"swizzle", 1}, {"ahead", 1},   {"group", 4},   {"blocks", 1}};

} // namespace

TEST(CudaCandidates, TemplatesHaveTheConstantsOfTheirSpaces) {
  EXPECT_EQ(templateFor(spaceOf("cuda_gemm_simt.space")).name, "SimtGemm");
  EXPECT_EQ(templateFor(spaceOf("cuda_dgemm_mma.space")).name, "MmaGemm");
}

TEST(CudaCandidates, OtherSpacesAreRejectedWithTheNearest) {
  EXPECT_EQ(messageOf([] { templateFor(spaceOf("beast_k40c.space")); }),
            "the iterators of the space are not the constants of SimtGemm (kernels/cuda/gemm/simt.cuh); add 'buffers', "
            "'dim_m_a', 'dim_m_b', 'texture', 'vec'");
  Space space = spaceOf("cuda_dgemm_mma.space");
  space.symbols[space.find("swizzle")].name = "swivel";
  EXPECT_EQ(messageOf([&] { templateFor(space); }),
            "the iterators of the space are not the constants of MmaGemm (kernels/cuda/gemm/mma.cuh); add 'swizzle'; "
            "remove 'swivel'");
}

TEST(CudaCandidates, TemplatesByConstants) {
  Constants more = mma;
  more.emplace_back("threads", 256);
  EXPECT_EQ(templateFor(more).name, "MmaGemm");
  EXPECT_EQ(templateFor(simt).name, "SimtGemm");
  more[0].first = "mm_m";
  EXPECT_EQ(messageOf([&] { templateFor(more); }), "no kernel for CUDA devices has the constants of this space");
}

TEST(CudaCandidates, ParametersOfVariants) {
  Space space = spaceOf("cuda_gemm_simt.space");
  setParameters(space, {'z', 't', 'c'}, "sm_80");
  for (const auto &[name, value] :
       Constants{{"element_bytes", 16}, {"is_complex", 1}, {"trans_a", 1}, {"trans_b", 1}, {"compute_capability", 80}})
    EXPECT_EQ(space.symbols[space.find(name)].value.value, value) << name;
  for (const char *wrong : {"90", "sm90", "sm_", "sm_90x", ""})
    EXPECT_EQ(messageOf([&] { setParameters(space, {}, wrong); }),
              std::string("no architecture of CUDA devices: '") + wrong + "'; write it as sm_90");
}

TEST(CudaCandidates, Source) {
  const std::string text = sourceOf(templates()[0], simt, {'c', 'n', 'c', true});
  for (const char *line : {"#include \"kernels/cuda/gemm/simt.cuh\"\n", "using Element = Complex<float>;\n",
                           "opA = Op::NoTrans, opB = Op::ConjTrans;\n", "static constexpr int dim_m_b = 16;\n",
                           "gemm(const Product<Config::Element> *products, "})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
  EXPECT_EQ(messageOf([] { sourceOf(templates()[0], mma, {}); }), "the candidate has no 'dim_m'");
  EXPECT_EQ(messageOf([] { sourceOf(templates()[1], mma, {'s'}); }), "MmaGemm is for the types dz, not for s");
}

TEST(CudaCandidates, ReportOfPtxas) {
  const Resources resources =
      readResources("ptxas info    : Compiling entry function 'gemm' for 'sm_90'\n"
                    "ptxas         .     24 bytes stack frame, 16 bytes spill stores, 20 bytes "
                    "spill loads\nptxas info    : Used 188 registers, used 1 barriers, 512 bytes smem\n");
  EXPECT_EQ(resources.registers, 188);
  EXPECT_EQ(resources.stackBytes, 24);
  EXPECT_EQ(resources.spillBytes, 20);
  EXPECT_EQ(resources.sharedBytes, 512);
  EXPECT_THROW(readResources("Used many registers"), Error);
}

TEST(CudaCandidates, CubinsThatAreNone) {
  EXPECT_THROW(variableOf("", "gemm_launch"), Error);
  EXPECT_THROW(variableOf(std::string(4096, 'x'), "gemm_launch"), Error);
}

TEST(CudaCandidates, WhereTheToolkitIsNot) {
  const char *const home = std::getenv("CUDA_HOME");
  const std::string before = home ? home : "";
  setenv("CUDA_HOME", "/nowhere", 1);
  EXPECT_NE(messageOf([] { NvrtcCompiler(); }).find("install the CUDA toolkit (13.0 or newer), or set CUDA_HOME"),
            std::string::npos);
  home ? setenv("CUDA_HOME", before.c_str(), 1) : unsetenv("CUDA_HOME");
}

namespace {
class CudaCompiler : public testing::Test {
protected:
  void SetUp() override {
    try {
      compiler_.emplace();
    } catch (const Error &error) {
      GTEST_SKIP() << error.what();
    }
  }
  Cubin compile(const Template &kernel, const Constants &constants, const Variant &variant) {
    const auto outcome = compiler_->compile(sourceOf(kernel, constants, variant), headers(), "sm_90");
    if (const auto *error = std::get_if<CompileError>(&outcome))
      ADD_FAILURE() << error->log;
    return std::holds_alternative<Cubin>(outcome) ? std::get<Cubin>(outcome) : Cubin{};
  }
  std::optional<NvrtcCompiler> compiler_;
};
} // namespace

TEST_F(CudaCompiler, CubinsSayHowTheyAreLaunched) {
  const Cubin cubin = compile(templates()[1], mma, {'z', 't', 'c', true});
  const LaunchShape launch = launchOf(cubin.image);
  EXPECT_EQ(launch.threads, 256);
  EXPECT_EQ(launch.sharedBytes, 4 * 2 * 128 * 16 * 16);
  EXPECT_EQ(launch.blk_m, 128);
  EXPECT_EQ(launch.type, 'z');
  EXPECT_EQ(launch.opA, 't');
  EXPECT_EQ(launch.opB, 'c');
  EXPECT_EQ(launch.isBatched, 1);
  EXPECT_THROW(variableOf(cubin.image, "gemm_lunch"), Error);
  EXPECT_THROW(launchOf(cubin.image.substr(0, cubin.image.size() / 2)), Error);
}

TEST_F(CudaCompiler, BothTemplatesForAllOps) {
  for (const char opA : {'n', 't', 'c'})
    for (const char opB : {'n', 't', 'c'}) {
      const Cubin cubin = compile(templates()[1], mma, {'d', opA, opB});
      EXPECT_LE(cubin.resources.registers, 255);
      EXPECT_EQ(cubin.resources.spillBytes, 0) << opA << opB;
    }
  for (const char type : {'s', 'd', 'c'}) {
    const Cubin cubin = compile(templates()[0], simt, {type, 't', 'n'});
    EXPECT_EQ(launchOf(cubin.image).sharedBytes, 2 * (16 * 97 + 96 * 17) * elementBytes(type)) << type;
    EXPECT_EQ(cubin.resources.spillBytes, 0) << type;
  }
}

/// The instruction's operands must be those of the shape, or ptxas says so.
TEST_F(CudaCompiler, AllShapesOfMma) {
  for (const auto &[mma_m, mma_k] : {std::pair(8, 4), {16, 4}, {16, 8}, {16, 16}}) {
    Constants constants = mma;
    constants[0].second = mma_m;
    constants[1].second = mma_k;
    std::ranges::find(constants, "blk_k", &Constants::value_type::first)->second = 2 * mma_k;
    EXPECT_GT(compile(templates()[1], constants, {}).resources.registers, 128);
  }
}

TEST_F(CudaCompiler, ErrorsComeWithTheLog) {
  const auto outcome = compiler_->compile("#include \"kernels/cuda/gemm/nothing.cuh\"\n", headers(), "sm_90");
  ASSERT_TRUE(std::holds_alternative<CompileError>(outcome));
  EXPECT_NE(std::get<CompileError>(outcome).log.find("nothing.cuh"), std::string::npos);
}
