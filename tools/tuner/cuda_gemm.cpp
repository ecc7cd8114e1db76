#include "tools/tuner/cuda_gemm.hpp"

#include "compiler/support/config.hpp"
#include "kernels/tuning/cuda/device.hpp"
#include "tools/tuner/cuda_install.hpp"
#include "tools/tuner/isolate.hpp"
#include "tools/tuner/tuner.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

namespace hetc::tuning {

namespace {
using cuda::GemmOnDevice;
using cuda::Problem;

int deviceOf(const std::string &target) {
  const std::size_t colon = target.find(':');
  return colon == std::string::npos ? 0 : std::stoi(target.substr(colon + 1));
}

/// A driver reserves addresses for all memory of the host and of its devices.
Limits cudaLimits() {
  Limits limits;
  limits.memory = 1L << 46;
  return limits;
}

/// Asks for the facts in a copy of this process: a driver that is initialized does not survive fork(), and copies are
/// to measure.
cuda::DeviceFacts askFacts(int device) {
  const Outcome outcome = runIsolated(
      [&] {
        try {
          const cuda::DeviceFacts facts = cuda::factsOf(device);
          return nlohmann::json{facts.name, facts.architecture, facts.driver, facts.parameters}.dump();
        } catch (const cuda::Error &error) {
          return std::string("!") + error.what();
        }
      },
      cudaLimits());
  if (outcome.ending != Ending::Done)
    throw std::runtime_error("the driver of CUDA devices does not answer: " + outcome.text);
  if (outcome.text.starts_with("!"))
    throw std::runtime_error(outcome.text.substr(1));
  const auto facts = nlohmann::json::parse(outcome.text);
  return {facts[0], facts[1], facts[2], facts[3].get<Constants>()};
}

/// Square products of several sizes; of those smaller than the largest so many at once that they count, as tile updates
/// are, while they fit in 2 GiB.
std::vector<Problem> problemsOf(const std::vector<int> &sizes, char type) {
  constexpr double memory = 0x1p31;
  const double largest = std::ranges::max(sizes);
  std::vector<Problem> problems;
  for (const int n : sizes) {
    const double ratio = largest / n, fit = memory / (3.0 * n * n * cuda::elementBytes(type));
    problems.push_back({n, n, n, n == largest ? 1 : static_cast<int>(std::clamp(ratio * ratio * ratio / 2, 1.0, fit))});
  }
  return problems;
}

enum class Whose { Candidate, Cublas };

class CudaBody : public Body {
public:
  CudaBody(int device, const std::string &cubin, const std::vector<Problem> &problems, Whose whose) : whose_(whose) {
    for (const Problem &problem : problems)
      runs_.push_back(std::make_unique<GemmOnDevice>(device, cubin, problem));
  }
  std::string verify() override { return runs_.front()->verify(); }
  double run() override {
    double seconds = 0;
    for (const auto &each : runs_)
      seconds += whose_ == Whose::Cublas ? each->runCublas() : each->run();
    return seconds;
  }

private:
  std::vector<std::unique_ptr<GemmOnDevice>> runs_;
  const Whose whose_;
};

class CudaGemm : public Family {
public:
  explicit CudaGemm(FamilyRequest request)
      : request_(std::move(request)), device_(deviceOf(request_.target)), facts_(askFacts(device_)),
        problems_(problemsOf(request_.sizes, request_.type[0])) {
    variant_.type = request_.type[0];
    variant_.isBatched = true;
  }

  Identity identity() const override {
    Identity identity;
    identity.kernel = request_.kernel;
    identity.target = "cuda";
    identity.type = request_.type;
    identity.device = facts_.name;
    identity.driver = facts_.driver;
    identity.compiler = std::string("hetc ") + config::version + ", nvrtc " + cuda::NvrtcCompiler().version();
    for (const Problem &problem : problems_)
      identity.problem += (identity.problem.empty() ? "n = " : ", ") + std::to_string(problem.n) + " x " +
                          std::to_string(problem.count);
    return identity;
  }

  double flops() const override {
    double sum = 0;
    for (const Problem &problem : problems_)
      sum += problem.flops(cuda::isComplex(variant_.type));
    return sum;
  }

  long memory() const override { return cudaLimits().memory; }

  Constants deviceParameters() const override {
    Constants parameters = facts_.parameters;
    parameters.emplace_back("element_bytes", cuda::elementBytes(variant_.type));
    parameters.emplace_back("is_complex", cuda::isComplex(variant_.type));
    return parameters;
  }

  /// The headers are part of hetc: they are put beside the output, for those who ask what it was made of.
  std::vector<std::string> compile(const Constants &constants, const std::string &output) const override {
    try {
      const auto made = cuda::NvrtcCompiler().compile(cuda::sourceOf(cuda::templateFor(constants), constants, variant_),
                                                      cuda::headers(), facts_.architecture);
      if (const auto *error = std::get_if<cuda::CompileError>(&made)) {
        std::cerr << error->log;
        return {};
      }
      const std::string sources = output + ".sources";
      std::ofstream text(sources, std::ios::binary);
      for (const cuda::SourceFile &header : cuda::headers())
        text << header.text;
      std::ofstream file(output, std::ios::binary);
      file << std::get<cuda::Cubin>(made).image;
      if (!file.flush() || !text.flush())
        throw cuda::Error("cannot write '" + output + "'");
      return {sources};
    } catch (const cuda::Error &error) {
      std::cerr << error.what() << "\n";
      return {};
    }
  }

  std::unique_ptr<Body> load(const std::string &file) const override {
    return std::make_unique<CudaBody>(device_, read(file), problems_, Whose::Candidate);
  }

  /// cuBLAS does the same products, and needs a cubin only for what is around them.
  std::vector<Peer> peers(const std::string &folder) const override {
    const std::string file = folder + "/peer.cubin";
    std::vector<Peer> peers;
    if (!compile(plain(), file).empty())
      peers.push_back({"cublas", Kind::Library,
                       std::make_unique<CudaBody>(device_, read(file), problems_, Whose::Cublas), flops()});
    return peers;
  }

  bool isUsable(const Constants &constants) const override {
    return std::ranges::find(constants, Constants::value_type("texture", 1)) == constants.end();
  }

  bool isInstalled(const Final &final) const override {
    return std::ranges::any_of(
        tla::kernels::cuda::readTunedProducts(tla::kernels::cuda::tunedFolder()), [&](const auto &each) {
          return each.type == variant_.type && each.device == facts_.name && each.date == final.date;
        });
  }

  Installed install(const TuneOutcome &outcome, const Constants &best, const std::string &folder) const override {
    CudaInstallation installation;
    installation.device = device_;
    installation.facts = facts_;
    installation.type = variant_.type;
    installation.constants = best;
    installation.date = outcome.final->date;
    installation.folder = folder;
    installation.compilers = request_.threads;
    return installCudaGemm(installation);
  }

private:
  static std::string read(const std::string &file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
  }
  /// Constants that suit every device and type.
  static Constants plain() {
    return {{"dim_m", 16},  {"dim_n", 16},  {"blk_m", 64}, {"blk_n", 64},   {"blk_k", 16},
            {"buffers", 1}, {"texture", 0}, {"vec", 1},    {"dim_m_a", 16}, {"dim_m_b", 16}};
  }

  const FamilyRequest request_;
  const int device_;
  const cuda::DeviceFacts facts_;
  const std::vector<Problem> problems_;
  cuda::Variant variant_;
};
} // namespace

std::unique_ptr<Family> makeCudaGemm(const FamilyRequest &request) { return std::make_unique<CudaGemm>(request); }

} // namespace hetc::tuning
