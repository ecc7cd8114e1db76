// Tuned products in place of cuBLAS's, on the device that the host plays: which are used, for what, and what happens to
// those that cannot be.
#include "kernels/cuda/gemm/mma.cuh"
#include "kernels/cuda/gemm/simt.cuh"
#include "kernels/cuda/tuned_list.hpp"
#include "tests/unit/kernels/cuda/cuda_fixture.hpp"

#include "dsl/base/hash.hpp"
#include "streams.hpp"

#include <atomic>
#include <cuda_runtime.h>
#include <filesystem>
#include <fstream>

namespace fs = std::filesystem;
namespace family = tla::cuda_gemm;
using namespace tla;
using namespace tla::test;
using cuda::RateOfSize;
using cuda::TunedProduct;
using cuda::TunedProducts;

namespace {

constexpr const char *architecture = "sm_70"; ///< the module brings nothing for it

template <family::Op a, family::Op b> struct MmaConfig {
  using Element = double;
  static constexpr family::Op opA = a, opB = b;
  static constexpr int mma_m = 16, mma_k = 8, warps_m = 2, warps_n = 1, blk_m = 64, blk_n = 32, blk_k = 16, stages = 3,
                       swizzle = 1, ahead = 1, group = 4, blocks = 1;
};
struct SimtConfig {
  using Element = family::Complex<float>;
  static constexpr family::Op opA = family::Op::NoTrans, opB = family::Op::ConjTrans;
  static constexpr int dim_m = 8, dim_n = 8, blk_m = 32, blk_n = 16, blk_k = 8, buffers = 2, texture = 0, vec = 1,
                       dim_m_a = 8, dim_m_b = 8;
};
using MmaNT = family::MmaGemm<MmaConfig<family::Op::NoTrans, family::Op::Trans>>;
using MmaTN = family::MmaGemm<MmaConfig<family::Op::Trans, family::Op::NoTrans>>;
using SimtNC = family::SimtGemm<SimtConfig>;

std::atomic<int> launches{0};

/// Adds an image that stands for a cubin of the kernel.
template <typename Kernel> void addImage(const std::string &text) {
  using E = typename Kernel::T;
  shim::addImage(text, {[](dim3 grid, dim3 block, void **arguments) -> std::function<void()> {
                          ++launches;
                          return [grid, block, product = *static_cast<const family::Product<E> *>(arguments[0]),
                                  alpha = *static_cast<const E *>(arguments[1]),
                                  beta = *static_cast<const E *>(arguments[2])] {
                            shim::runGrid(grid, block, [&] { Kernel::run(product, alpha, beta); });
                          };
                        },
                        Kernel::sharedBytes});
}

template <typename Kernel, typename Config>
TunedProduct listed(char type, char opA, char opB, int from, const std::string &image) {
  TunedProduct product;
  product.type = type;
  product.opA = opA;
  product.opB = opB;
  product.hash = hashOf(image);
  product.file = product.hash + ".cubin";
  product.threads = Kernel::threads;
  product.sharedBytes = Kernel::sharedBytes;
  product.blockRows = Config::blk_m;
  product.blockColumns = Config::blk_n;
  product.from = from;
  product.date = "2026-11-27";
  product.architecture = architecture;
  product.device = "the host";
  return product;
}

/// A folder with a list, of its user alone.
class CudaTunedProducts : public testing::Test {
protected:
  CudaTunedProducts() : folder_(fs::temp_directory_path() / ("tuned_products_test." + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directory(folder_);
    fs::permissions(folder_, fs::perms::owner_all);
    addImage<MmaNT>("mma dnt");
    addImage<MmaTN>("mma dtn");
    addImage<SimtNC>("simt cnc");
    launches = 0;
  }
  ~CudaTunedProducts() override {
    fs::remove_all(folder_);
    EXPECT_EQ(shim::libraries(), 0);
  }

  void write(const TunedProduct &product, const std::string &image) {
    std::ofstream(folder_ / product.file) << image;
    fs::permissions(folder_ / product.file, fs::perms::owner_read | fs::perms::owner_write);
  }
  /// dnt and dtn from 40 and 20 on, cnc from 8.
  void writeAll() {
    const TunedProduct nt = listed<MmaNT, MmaConfig<family::Op::NoTrans, family::Op::Trans>>('d', 'n', 't', 40,
                                                                                             "mma dnt"),
                       tn = listed<MmaTN, MmaConfig<family::Op::Trans, family::Op::NoTrans>>('d', 't', 'n', 20,
                                                                                             "mma dtn"),
                       nc = listed<SimtNC, SimtConfig>('c', 'n', 'c', 8, "simt cnc");
    write(nt, "mma dnt");
    write(tn, "mma dtn");
    write(nc, "simt cnc");
    ASSERT_EQ(cuda::writeTunedProducts(folder_, {nt, tn}), "");
    ASSERT_EQ(cuda::writeTunedProducts(folder_, {nc}), "");
  }

  /// Compares a product with that of this back-end's bodies; returns whether a tuned one did it.
  template <typename T>
  bool check(const TunedProducts &tuned, Op opA, Op opB, int m, int n, int k, T alpha = T(1.5), T beta = T(-0.5)) {
    Sample<T> A = opA == Op::NoTrans ? randomSample<T>(m, k, 2, 1) : randomSample<T>(k, m, 2, 1);
    Sample<T> B = opB == Op::NoTrans ? randomSample<T>(k, n, 1, 2) : randomSample<T>(n, k, 1, 2);
    Sample<T> C = randomSample<T>(m, n, 3, 3);
    Sample<T> expected = C;
    reference::gemm<T>(opA, opB, alpha, A.tile(), B.tile(), beta, expected.tile());
    const int before = launches;
    cuda::Launch launch(cuda::Urgency::Low, &tuned);
    OnDevice a(A), b(B), c(C);
    {
      const cuda::CurrentLaunch current(launch);
      cuda::gemm<T>(opA, opB, alpha, a.tile(), b.tile(), beta, c.tile());
    }
    TLA_CUDA_CHECK(cudaStreamSynchronize(launch.stream()));
    c.fetch();
    expectNear(expected, C, 32 * (k + 4) * epsilon<T>());
    return launches > before;
  }
  /// The text of the warnings.
  template <typename Make> std::string warningOf(const Make &make) {
    testing::internal::CaptureStderr();
    make();
    return testing::internal::GetCapturedStderr();
  }

  const fs::path folder_;
};

TEST_F(CudaTunedProducts, AreUsedFromTheirSizeOn) {
  writeAll();
  const TunedProducts tuned(folder_, "the host", architecture);
  EXPECT_EQ(shim::libraries(), 3);
  EXPECT_EQ(tuned.text(), "hetc tune: gemm c nc from 8 (" + hashOf("simt cnc") + "), gemm d nt from 40 (" +
                              hashOf("mma dnt") + "), gemm d tn from 20 (" + hashOf("mma dtn") + ")");
  EXPECT_TRUE(check<double>(tuned, Op::NoTrans, Op::Trans, 70, 45, 40));
  EXPECT_TRUE(check<double>(tuned, Op::NoTrans, Op::ConjTrans, 41, 45, 44)); // of a real type the same
  EXPECT_FALSE(check<double>(tuned, Op::NoTrans, Op::Trans, 70, 39, 40));
  EXPECT_FALSE(check<double>(tuned, Op::NoTrans, Op::Trans, 39, 70, 40));
  EXPECT_FALSE(check<double>(tuned, Op::NoTrans, Op::Trans, 70, 70, 39));
  EXPECT_TRUE(check<double>(tuned, Op::Trans, Op::NoTrans, 33, 20, 25));
  EXPECT_FALSE(check<double>(tuned, Op::NoTrans, Op::NoTrans, 70, 70, 70));
  EXPECT_FALSE(check<float>(tuned, Op::NoTrans, Op::Trans, 70, 70, 70));
  using C = std::complex<float>;
  EXPECT_TRUE(check<C>(tuned, Op::NoTrans, Op::ConjTrans, 9, 8, 20, C(1, 2), C(0, -1)));
  EXPECT_FALSE(check<C>(tuned, Op::NoTrans, Op::Trans, 9, 8, 20));
}

TEST_F(CudaTunedProducts, DoTheProductsInOtherKernels) {
  writeAll();
  const TunedProducts tuned(folder_, "the host", architecture);
  const int n = 400; // two leaves of 256
  Sample<double> A = randomSample<double>(n, 50, 2, 1), C = randomSample<double>(n, n, 1, 3);
  Sample<double> expected = C;
  reference::gemmt<double>(Uplo::Lower, Op::NoTrans, Op::Trans, -1, A.tile(), A.tile(), 1, expected.tile());
  cuda::Launch launch(cuda::Urgency::Low, &tuned);
  OnDevice a(A), c(C);
  launch.begin();
  {
    const cuda::CurrentLaunch current(launch);
    cuda::gemmt<double>(Uplo::Lower, Op::NoTrans, Op::Trans, -1, a.tile(), a.tile(), 1, c.tile());
  }
  launch.end();
  TLA_CUDA_CHECK(cudaStreamSynchronize(launch.stream()));
  c.fetch();
  expectNear(expected, C, 32 * 54 * epsilon<double>());
  EXPECT_EQ(launches, 3);
}

TEST_F(CudaTunedProducts, OfAnotherDeviceAreNotLoaded) {
  writeAll();
  EXPECT_EQ(TunedProducts(folder_, "another", architecture).text(), "");
  EXPECT_EQ(TunedProducts(folder_, "the host", "sm_80").text(), "");
  EXPECT_EQ(TunedProducts(folder_ / "none", "the host", architecture).text(), "");
}

TEST_F(CudaTunedProducts, WhatCannotBeUsedIsLeftWithAWarning) {
  writeAll();
  std::string text;
  const auto make = [&] { text = TunedProducts(folder_, "the host", architecture).text(); };
  EXPECT_EQ(warningOf(make), ""); // each of the following comes once

  const fs::path file = folder_ / (hashOf("mma dnt") + ".cubin");
  std::ofstream(file) << "something else";
  std::string warning = warningOf(make);
  EXPECT_NE(warning.find("hetc: warning: tuned products are not used for gemm d nt: '" + file.string() +
                         "' is missing or damaged; tune again\n"),
            std::string::npos)
      << warning;
  EXPECT_NE(text.find("gemm d tn"), std::string::npos);
  EXPECT_EQ(text.find("gemm d nt"), std::string::npos);

  // The driver does not take it.
  TunedProduct unknown =
      listed<MmaNT, MmaConfig<family::Op::NoTrans, family::Op::Trans>>('d', 'n', 't', 40, "made for another device");
  write(unknown, "made for another device");
  ASSERT_EQ(cuda::writeTunedProducts(folder_, {unknown}), "");
  warning = warningOf(make);
  EXPECT_NE(warning.find("for gemm d nt: cudaLibraryLoadData"), std::string::npos) << warning;

  fs::permissions(folder_, fs::perms::all);
  warning = warningOf(make);
  EXPECT_NE(warning.find("others may write to"), std::string::npos) << warning;
  EXPECT_EQ(text, "");
}

TEST_F(CudaTunedProducts, AFailedLaunchNamesTheCall) {
  TunedProduct nt = listed<MmaNT, MmaConfig<family::Op::NoTrans, family::Op::Trans>>('d', 'n', 't', 1, "mma dnt");
  nt.sharedBytes = 0;
  write(nt, "mma dnt");
  ASSERT_EQ(cuda::writeTunedProducts(folder_, {nt}), "");
  const TunedProducts tuned(folder_, "the host", architecture);
  try {
    check<double>(tuned, Op::NoTrans, Op::Trans, 70, 70, 70);
    FAIL();
  } catch (const cuda::CudaError &error) {
    EXPECT_EQ(std::string(error.what()).find("cudaLaunchKernel on device 0: "), 0u) << error.what();
  }
}

TEST_F(CudaTunedProducts, ListsAreReplacedByTypeAndDevice) {
  writeAll();
  const TunedProduct nn = listed<MmaNT, MmaConfig<family::Op::NoTrans, family::Op::Trans>>('d', 'n', 'n', 0, "mma dnn");
  write(nn, "mma dnn");
  std::ofstream(folder_ / "cuda-products", std::ios::app)
      << "2 d nn what another version writes\n"
      << "1 d nn ../x 0 64 0 64 64 1 1 1 2026-11-27 sm_70 the host\n";
  ASSERT_EQ(cuda::writeTunedProducts(folder_, {nn}), "");
  const auto products = cuda::readTunedProducts(folder_);
  ASSERT_EQ(products.size(), 2u);
  EXPECT_EQ(products[0].type, 'c');
  EXPECT_EQ(products[1].ops(), "nn");
  EXPECT_EQ(products[1].from, 0);
  EXPECT_FALSE(fs::exists(folder_ / (hashOf("mma dnt") + ".cubin")));
  EXPECT_TRUE(fs::exists(folder_ / (hashOf("simt cnc") + ".cubin")));
  std::ostringstream text;
  text << std::ifstream(folder_ / "cuda-products").rdbuf();
  EXPECT_NE(text.str().find("another version writes"), std::string::npos);
  EXPECT_EQ(TunedProducts(folder_, "the host", architecture).text(),
            "hetc tune: gemm c nc from 8 (" + hashOf("simt cnc") + ")"); // cuBLAS is faster for nn
}

TEST_F(CudaTunedProducts, OfTheModuleAreBehindThoseOfTheList) {
  TunedProduct nt = listed<MmaNT, MmaConfig<family::Op::NoTrans, family::Op::Trans>>('d', 'n', 't', 300, "mma dnt"),
               tn = listed<MmaTN, MmaConfig<family::Op::Trans, family::Op::NoTrans>>('d', 't', 'n', 0, "mma dtn");
  nt.architecture = tn.architecture = "sm_90";
  write(nt, "mma dnt");
  write(tn, "mma dtn");
  ASSERT_EQ(cuda::writeTunedProducts(folder_, {nt, tn}), "");
  const TunedProducts tuned(folder_, "the host", "sm_90");
  EXPECT_EQ(
      tuned.text().find("hetc tune: gemm d nt from 300 (" + hashOf("mma dnt") + "); hetc: gemm d nn from 256 to "), 0u)
      << tuned.text();
  EXPECT_TRUE(check<double>(tuned, Op::NoTrans, Op::Trans, 300, 300, 300));
  EXPECT_FALSE(check<double>(tuned, Op::NoTrans, Op::Trans, 256, 256, 256)); // by the module's
  EXPECT_TRUE(tuned.has('d', Op::NoTrans, Op::Trans, 256, 256, 256));
  EXPECT_FALSE(check<double>(tuned, Op::NoTrans, Op::NoTrans, 384, 256, 272));
  EXPECT_TRUE(tuned.has('d', Op::NoTrans, Op::NoTrans, 384, 256, 272));
  EXPECT_TRUE(tuned.has('d', Op::Trans, Op::NoTrans, 256, 256, 256)); // another candidate was slower than cuBLAS
}

/// Where cuBLAS is faster: small and large products, and those of which its smaller blocks leave less over.
TEST_F(CudaTunedProducts, OfTheModuleHaveARange) {
  const TunedProducts tuned(folder_ / "none", "the host", "sm_90");
  const auto has = [&](int m, int n, int k) { return tuned.has('d', Op::NoTrans, Op::ConjTrans, m, n, k); };
  EXPECT_TRUE(has(512, 512, 512));
  EXPECT_TRUE(has(1024, 1536, 256));
  EXPECT_FALSE(has(255, 1024, 1024));
  EXPECT_FALSE(has(1024, 1024, 128));
  EXPECT_FALSE(has(8192, 1024, 1024));
  EXPECT_FALSE(has(1024, 1024, 8192));
  EXPECT_FALSE(has(2048, 2048, 2048));
  EXPECT_FALSE(has(1088, 1088, 1088)); // 9 blocks of 128 rows
  EXPECT_TRUE(has(1024, 1088, 1088));
  EXPECT_FALSE(tuned.has('z', Op::NoTrans, Op::ConjTrans, 1024, 1024, 1024));
}

TEST(CudaTunedList, FasterFrom) {
  EXPECT_EQ(cuda::fasterFrom({}), 0);
  EXPECT_EQ(cuda::fasterFrom({{256, 10, 5}, {512, 20, 10}}), 256);
  EXPECT_EQ(cuda::fasterFrom({{256, 10, 5}, {512, 9, 10}, {1024, 12, 10}, {2048, 20, 10}}), 1024);
  EXPECT_EQ(cuda::fasterFrom({{256, 10, 5}, {512, 10, 10}}), 0); // as fast is not faster
}

} // namespace
