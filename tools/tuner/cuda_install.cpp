#include "tools/tuner/cuda_install.hpp"

#include "dsl/base/cache_folder.hpp"
#include "dsl/base/hash.hpp"
#include "tools/tuner/isolate.hpp"
#include "tools/tuner/timing.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace hetc::tuning {

namespace {
namespace fs = std::filesystem;
using cuda::GemmOnDevice;
using tla::kernels::cuda::RateOfSize;
using tla::kernels::cuda::TunedProduct;

constexpr int rounds = 9;
constexpr Limits compilation{60, 4L << 30}, measuring{120, 1L << 46}; // a driver reserves addresses for all memory

/// So many that launches overlap as in a run, within 1 GiB.
cuda::Problem problemOf(int n, char type) {
  constexpr double most = 64;
  const double ratio = 2048.0 / n, fit = 0x1p30 / (3.0 * n * n * cuda::elementBytes(type));
  return {n, n, n, static_cast<int>(std::clamp(ratio * ratio, 1.0, std::clamp(fit, 1.0, most)))};
}

std::string contentOf(const std::string &file) {
  std::ostringstream content;
  content << std::ifstream(file, std::ios::binary).rdbuf();
  return content.str();
}

cuda::Variant variantOf(char type, const std::string &ops) { return {type, ops[0], ops[1], /*isBatched=*/false}; }

/// Empty, or what the compiler said.
std::string compile(const CudaInstallation &installation, const std::string &ops, const std::string &file) {
  const auto &kernel = cuda::templateFor(installation.constants);
  const auto made =
      cuda::NvrtcCompiler().compile(cuda::sourceOf(kernel, installation.constants, variantOf(installation.type, ops)),
                                    cuda::headers(), installation.facts.architecture);
  if (const auto *error = std::get_if<cuda::CompileError>(&made))
    return "it does not compile: " + error->log;
  std::ofstream out(file, std::ios::binary);
  out << std::get<cuda::Cubin>(made).image;
  return out.flush() ? "" : "cannot write '" + file + "'";
}

nlohmann::json jsonOf(const std::variant<TunedProduct, std::string> &measured) {
  if (const auto *wrong = std::get_if<std::string>(&measured))
    return *wrong;
  const auto &product = std::get<TunedProduct>(measured);
  return {product.threads, product.sharedBytes, product.blockRows,   product.blockColumns,
          product.from,    product.gflops,      product.cublasGflops};
}

/// Work in a process of its own hands its results on as text: "" or what is wrong.
template <typename Make> Work asWork(const Make &make) {
  return [make]() -> std::string {
    try {
      return make();
    } catch (const std::runtime_error &error) {
      return nlohmann::json(error.what()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
  };
}

std::string reasonOf(const Outcome &outcome) {
  return outcome.ending == Ending::Interrupted ? "interrupted" : "it ended by " + outcome.text;
}

/// What a process has said of a pair of ops, or why there is nothing.
std::string readMeasured(const Outcome &outcome, TunedProduct &product) {
  if (outcome.ending != Ending::Done)
    return reasonOf(outcome);
  const auto json = nlohmann::json::parse(outcome.text);
  if (json.is_string())
    return json.get<std::string>();
  product.threads = json[0];
  product.sharedBytes = json[1];
  product.blockRows = json[2];
  product.blockColumns = json[3];
  product.from = json[4];
  product.gflops = json[5];
  product.cublasGflops = json[6];
  return "";
}

} // namespace

std::vector<std::string> opsOf(char type) {
  const std::string letters = cuda::isComplex(type) ? "ntc" : "nt";
  std::vector<std::string> all;
  for (const char a : letters)
    for (const char b : letters)
      all.push_back({a, b});
  return all;
}

std::variant<TunedProduct, std::string> measureCudaGemm(int device, const std::string &cubin,
                                                        const std::vector<int> &sizes) {
  const cuda::Launch launch = cuda::launchOf(cubin);
  if (launch.texture)
    return "it reads by texture, which runs do not provide";
  TunedProduct product;
  product.threads = launch.threads;
  product.sharedBytes = launch.sharedBytes;
  product.blockRows = launch.blk_m;
  product.blockColumns = launch.blk_n;
  std::vector<RateOfSize> rates;
  for (const int n : sizes) {
    const cuda::Problem problem = problemOf(n, static_cast<char>(launch.type));
    GemmOnDevice gemm(device, cubin, problem);
    if (rates.empty())
      if (std::string wrong = gemm.verify(); !wrong.empty())
        return "it is wrong: " + wrong;
    const auto timings = timeInterleaved({[&] { return gemm.run(); }, [&] { return gemm.runCublas(); }}, rounds);
    const double flops = problem.flops(cuda::isComplex(static_cast<char>(launch.type))) * 1e-9;
    rates.push_back({n, flops / timings[0].seconds, flops / timings[1].seconds});
  }
  product.from = tla::kernels::cuda::fasterFrom(rates);
  product.gflops = rates.back().gflops;
  product.cublasGflops = rates.back().cublas;
  return product;
}

std::variant<std::vector<TunedProduct>, std::string> installCudaGemm(const CudaInstallation &installation) {
  const std::vector<std::string> all = opsOf(installation.type);
  const auto fileOf = [&](std::size_t i) { return installation.folder + "/" + all[i] + ".cubin"; };
  std::vector<Work> works;
  for (std::size_t i = 0; i < all.size(); ++i)
    works.push_back(asWork([&installation, ops = all[i], file = fileOf(i)] {
      const std::string wrong = compile(installation, ops, file);
      return wrong.empty() ? wrong
                           : nlohmann::json(wrong).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }));
  std::string problem;
  runIsolated(works, installation.compilers, compilation, [&](int i, const Outcome &outcome) {
    if (problem.empty() && (outcome.ending != Ending::Done || !outcome.text.empty()))
      problem =
          "for ops " + all[i] + ": " +
          (outcome.ending == Ending::Done ? nlohmann::json::parse(outcome.text).get<std::string>() : reasonOf(outcome));
  });
  if (!problem.empty())
    return problem;

  const fs::path folder = tla::kernels::cuda::tunedFolder();
  if (std::string why = tla::makePrivateFolder(folder); !why.empty())
    return why;
  std::vector<TunedProduct> products;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string cubin = contentOf(fileOf(i));
    TunedProduct product;
    const std::string wrong = readMeasured(
        runIsolated(
            asWork([&] { return jsonOf(measureCudaGemm(installation.device, cubin, installation.sizes)).dump(); }),
            measuring),
        product);
    if (!wrong.empty())
      return "for ops " + all[i] + ": " + wrong;
    product.type = installation.type;
    product.opA = all[i][0];
    product.opB = all[i][1];
    product.hash = tla::hashOf(cubin);
    product.file = std::string("gemm-") + installation.type + "-" + product.hash + ".cubin";
    product.date = installation.date;
    product.architecture = installation.facts.architecture;
    product.device = installation.facts.name;
    if (const std::error_code error = tla::replaceFile(folder / product.file, cubin))
      return "cannot write '" + (folder / product.file).string() + "': " + error.message();
    products.push_back(std::move(product));
  }
  if (std::string error = tla::kernels::cuda::writeTunedProducts(folder, products); !error.empty())
    return error;
  return products;
}

} // namespace hetc::tuning
