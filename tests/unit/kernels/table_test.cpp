// Filling the kernel table: preferences, the environment, the fallback, and calls through it.
#include "tests/unit/kernels/samples.hpp"

#include <tla/kernels/table.hpp>
#include <tla/kernels/traits.hpp>

#include <cstdlib>
#include <set>
#include <string_view>
#include <thread>
#include <unistd.h>

using namespace tla;
using namespace tla::test;
using kernels::installKernels;
using kernels::KernelStatus;
using kernels::kernelTable;

namespace {
/// Each test starts from the reference bodies and a clean environment.
class KernelTable : public ::testing::Test {
protected:
  void SetUp() override {
    unsetenv("HETC_KERNELS");
    unsetenv("HETC_LIB_DIR");
    installKernels("reference");
  }
  static std::set<std::string> backEnds() {
    std::set<std::string> names;
    kernels::visitKernels(kernelTable<double>(), [&](const char *, const char *backEnd) { names.insert(backEnd); });
    return names;
  }
  static double productThroughTheTable() {
    double a[] = {3}, b[] = {5}, c[] = {1};
    gemm<double>(Op::NoTrans, Op::NoTrans, 2, {a, 1, 1, 1}, {b, 1, 1, 1}, 1, {c, 1, 1, 1});
    return c[0];
  }
};

TEST_F(KernelTable, ReferenceServesEveryKernelAndType) {
  EXPECT_EQ(backEnds(), std::set<std::string>{"reference"});
  EXPECT_EQ(productThroughTheTable(), 31);
  Sample<std::complex<float>> A(1, 1);
  A(0, 0) = 4;
  EXPECT_EQ(potrf(Uplo::Lower, A.tile()), 0);
  EXPECT_EQ(A(0, 0), std::complex<float>(2));
}

TEST_F(KernelTable, AThreadMayHaveOneOfItsOwn) {
  kernels::KernelTable<double> own = kernelTable<double>();
  own.gemm.body = [](Op, Op, double, ConstTile<double>, ConstTile<double>, double, Tile<double> C) { C(0, 0) = 7; };
  const kernels::AcceleratorTables tables{&kernelTable<float>(), &own, &kernelTable<std::complex<float>>(),
                                          &kernelTable<std::complex<double>>()};
  EXPECT_EQ(kernels::setThreadTables(&tables), nullptr);
  EXPECT_EQ(productThroughTheTable(), 7);
  std::thread([] { EXPECT_EQ(productThroughTheTable(), 31); }).join();
  EXPECT_EQ(kernels::setThreadTables(nullptr), &tables);
  EXPECT_EQ(productThroughTheTable(), 31);
}

TEST_F(KernelTable, VisitsTheKernelsInOrder) {
  std::string names;
  kernels::visitKernels(kernelTable<float>(),
                        [&](const char *kernel, const char *) { names += kernel + std::string(" "); });
  EXPECT_TRUE(names.starts_with("gemm gemmt symm hemm syrk herk trsm trmm ")) << names;
}

TEST(KernelTraits, AreThoseOfTheList) {
  using kernels::hasTrait;
  using kernels::Trait;
  kernels::visitKernels(kernelTable<float>(), [](const std::string_view kernel, const char *) {
    const bool factors = kernel.starts_with("getrf") || kernel.ends_with("qrf") || kernel.ends_with("qrt");
    EXPECT_TRUE(!factors || hasTrait(kernel, Trait::Panel)) << kernel;
    EXPECT_EQ(hasTrait(kernel, Trait::Product), kernel == "gemm") << kernel;
  });
  EXPECT_TRUE(hasTrait("getrf", Trait::Crew) && !hasTrait("getrf_nopiv", Trait::Crew));
  EXPECT_TRUE(hasTrait("laswp", Trait::Chain) && hasTrait("laswp", Trait::Interchange));
  EXPECT_FALSE(hasTrait("getr", Trait::Panel) || hasTrait("", Trait::Panel) || hasTrait("zzz", Trait::Panel));
}

TEST_F(KernelTable, UnknownPreferenceIsAnErrorAndChangesNothing) {
  try {
    installKernels("fast");
    FAIL() << "no exception";
  } catch (const std::runtime_error &error) {
    EXPECT_STREQ(error.what(), "unknown kernels 'fast'; use auto, reference, openblas or tuned");
  }
  EXPECT_EQ(backEnds(), std::set<std::string>{"reference"});
}

TEST_F(KernelTable, EnvironmentOverrides) {
  setenv("HETC_KERNELS", "reference", 1);
  EXPECT_EQ(installKernels("no such back-end").backEnd, "reference");
}

/// A folder named in HETC_LIB_DIR comes first; a file there that is no library is not passed over in silence.
TEST_F(KernelTable, BrokenModuleFailsOrFallsBack) {
  const std::string folder = testing::TempDir() + "broken_kernels";
  ASSERT_EQ(std::system(("mkdir -p " + folder + " && echo text > " + folder + "/libtla_openblas.so").c_str()), 0);
  setenv("HETC_LIB_DIR", folder.c_str(), 1);
  EXPECT_THROW(installKernels("openblas"), std::runtime_error);
  EXPECT_EQ(backEnds(), std::set<std::string>{"reference"});
  ASSERT_EQ(std::system(("cp " + folder + "/libtla_openblas.so " + folder + "/libtla_tuned.so").c_str()), 0);
  EXPECT_THROW(installKernels("tuned"), std::runtime_error);
  const KernelStatus status = installKernels("auto");
  EXPECT_EQ(status.backEnd, "reference");
  EXPECT_NE(status.detail.find("openblas not used"), std::string::npos) << status.detail;
  EXPECT_NE(status.detail.find("tuned not used"), std::string::npos) << status.detail;
  EXPECT_NE(status.detail.find(folder), std::string::npos) << status.detail;
}

TEST_F(KernelTable, InstallsTuned) {
  const KernelStatus status = installKernels("tuned");
  EXPECT_EQ(status.backEnd, "tuned");
  EXPECT_EQ(status.blasThreads.set, nullptr);
  EXPECT_EQ(backEnds(), (std::set<std::string>{"tuned", "reference"}));
  EXPECT_STREQ(kernelTable<std::complex<double>>().gemm.name, "tuned");
  EXPECT_EQ(productThroughTheTable(), 31);
}

TEST_F(KernelTable, AutoTakesAFastOneAndAnswersTheSameAgain) {
  const KernelStatus first = installKernels(), second = installKernels("auto");
  EXPECT_NE(first.backEnd, "reference");
  EXPECT_EQ(first.backEnd, second.backEnd);
  EXPECT_EQ(first.detail, second.detail);
}

#ifdef TLA_HAS_OPENBLAS
TEST_F(KernelTable, InstallsOpenblas) {
  setenv("OPENBLAS_NUM_THREADS", "7", 1);
  const KernelStatus status = installKernels("openblas");
  EXPECT_EQ(status.backEnd, "openblas");
  EXPECT_NE(status.detail.find("OpenBLAS"), std::string::npos) << status.detail;
  EXPECT_STREQ(std::getenv("OPENBLAS_NUM_THREADS"), "7");
  EXPECT_EQ(backEnds(), (std::set<std::string>{"openblas", "reference"}));
  EXPECT_STREQ(kernelTable<std::complex<double>>().gemm.name, "openblas");
  EXPECT_EQ(productThroughTheTable(), 31);
  unsetenv("OPENBLAS_NUM_THREADS");
}

TEST_F(KernelTable, OpenblasStartsNoThreads) {
  installKernels("openblas");
  Sample<double> A = randomSample<double>(600, 600, 0, 1), C(600, 600);
  gemm<double>(Op::NoTrans, Op::Trans, 1, A.tile(), A.tile(), 0, C.tile());
  EXPECT_EQ(std::system(("test $(ls /proc/" + std::to_string(getpid()) + "/task | wc -l) = 1").c_str()), 0);
}
#endif

TEST_F(KernelTable, InstallIsSafeFromSeveralThreads) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] { EXPECT_NO_THROW(installKernels("auto")); });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(productThroughTheTable(), 31);
}
} // namespace
