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

/// Many at once, as in a run, within 1 GiB.
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
  const cuda::Constants constants = fittingConstants(installation.constants, ops);
  const auto made = cuda::NvrtcCompiler().compile(
      cuda::sourceOf(cuda::templateFor(constants), constants, variantOf(installation.type, ops)), cuda::headers(),
      installation.facts.architecture);
  if (const auto *error = std::get_if<cuda::CompileError>(&made))
    return "it does not compile: " + firstError(error->log);
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

std::string textOf(const std::string &wrong) {
  return nlohmann::json(wrong).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Work in a process of its own hands its results on as text; what is wrong, as a JSON string.
template <typename Make> Work asWork(const Make &make) {
  return [make]() -> std::string {
    try {
      return make();
    } catch (const std::runtime_error &error) {
      return textOf(error.what());
    }
  };
}

std::string reasonOf(const Outcome &outcome) {
  return outcome.ending == Ending::Interrupted ? "interrupted" : "it ended by " + outcome.text;
}

/// Reads the result that a process has printed for a pair of ops, or why there is none.
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

/// Empty, or why they are not listed.
std::string write(const std::vector<TunedProduct> &products, const std::vector<std::string> &cubins) {
  const fs::path folder = tla::kernels::cuda::tunedFolder();
  if (std::string why = tla::makePrivateFolder(folder); !why.empty())
    return why;
  for (std::size_t i = 0; i < products.size(); ++i)
    if (const std::error_code error = tla::replaceFile(folder / products[i].file, cubins[i]))
      return "cannot write '" + (folder / products[i].file).string() + "': " + error.message();
  return tla::kernels::cuda::writeTunedProducts(folder, products);
}

/// The first shape of `threads` threads, the given one or the widest, that reads a stripe of inner x outer elements.
std::int64_t readingShape(std::int64_t given, std::int64_t threads, std::int64_t vec, std::int64_t inner,
                          std::int64_t outer) {
  for (const std::int64_t shape : {given, std::int64_t(128), std::int64_t(64), std::int64_t(32), std::int64_t(16),
                                   std::int64_t(8), std::int64_t(4)})
    if (threads % shape == 0 && inner % (shape * vec) == 0 && outer % (threads / shape) == 0)
      return shape;
  return given;
}

} // namespace

cuda::Constants fittingConstants(cuda::Constants constants, const std::string &ops) {
  const auto of = [&](const char *name) -> std::int64_t & {
    return std::ranges::find(constants, name, &cuda::Constants::value_type::first)->second;
  };
  if (cuda::templateFor(constants).name != "SimtGemm")
    return constants;
  const std::int64_t threads = of("dim_m") * of("dim_n"), m = of("blk_m"), n = of("blk_n"), k = of("blk_k");
  const bool transA = ops[0] != 'n', transB = ops[1] != 'n';
  of("dim_m_a") = readingShape(of("dim_m_a"), threads, of("vec"), transA ? k : m, transA ? m : k);
  of("dim_m_b") = readingShape(of("dim_m_b"), threads, of("vec"), transB ? n : k, transB ? k : n);
  return constants;
}

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
  const cuda::LaunchShape launch = cuda::launchOf(cubin);
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

Installed installCudaGemm(const CudaInstallation &installation) {
  Installed installed;
  std::vector<Work> works;
  const auto fileOf = [&](const std::string &ops) { return installation.folder + "/" + ops + ".cubin"; };
  for (const std::string &ops : opsOf(installation.type)) {
    installed.products.push_back({ops, 0, 0, 0, ""});
    works.push_back(asWork([&installation, ops, file = fileOf(ops)] {
      const std::string wrong = compile(installation, ops, file);
      return wrong.empty() ? wrong : textOf(wrong);
    }));
  }
  runIsolated(works, installation.compilers, compilation, [&](int i, const Outcome &outcome) {
    if (outcome.ending != Ending::Done || !outcome.text.empty())
      installed.products[i].problem =
          outcome.ending == Ending::Done ? nlohmann::json::parse(outcome.text).get<std::string>() : reasonOf(outcome);
  });
  std::vector<TunedProduct> listed;
  std::vector<std::string> cubins;
  for (Installed::Product &each : installed.products) {
    if (!each.problem.empty())
      continue;
    cubins.push_back(contentOf(fileOf(each.ops)));
    TunedProduct &product = listed.emplace_back();
    each.problem = readMeasured(
        runIsolated(asWork([&] {
                      return jsonOf(measureCudaGemm(installation.device, cubins.back(), installation.sizes)).dump();
                    }),
                    measuring),
        product);
    if (!each.problem.empty()) {
      cubins.pop_back();
      listed.pop_back();
      continue;
    }
    each.from = product.from;
    each.gflops = product.gflops;
    each.libraryGflops = product.cublasGflops;
    product.type = installation.type;
    product.opA = each.ops[0];
    product.opB = each.ops[1];
    product.hash = tla::hashOf(cubins.back());
    product.file = std::string("gemm-") + installation.type + "-" + product.hash + ".cubin";
    product.date = installation.date;
    product.architecture = installation.facts.architecture;
    product.device = installation.facts.name;
  }
  installed.problem = Interruption::signal() ? "interrupted" : listed.empty() ? "none of its products can be used" : "";
  if (installed.problem.empty())
    installed.problem = write(listed, cubins);
  return installed;
}

} // namespace hetc::tuning
