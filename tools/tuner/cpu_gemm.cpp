#include "tools/tuner/cpu_gemm.hpp"

#include "compiler/backend/compile.hpp"
#include "compiler/backend/link.hpp"
#include "compiler/process/files.hpp"
#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"
#include "kernels/winners.hpp"
#include "tools/tuner/gemm_check.hpp"
#include "tools/tuner/install_winner.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

namespace hetc::tuning {

namespace {
using tla::Op;
using tla::RealType;

/// Seconds that this process has had a processor, its other threads included: what else runs on the machine does not
/// count, and a body that starts threads gains nothing.
double now() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string readFile(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string sourceBeside(const std::string &space) {
  const std::string source = std::filesystem::path(space).replace_extension(".cpp");
  std::error_code ignored;
  if (!std::filesystem::exists(source, ignored))
    throw std::runtime_error("'" + source + "' is missing: what the candidates of '" + space +
                             "' are made of; without it they can only be counted (--count)");
  return source;
}

/// Makes a shared library for this processor. The files that it was made of; empty after an error was shown.
std::vector<std::string> makeLibrary(const std::string &text, const std::string &name, const std::string &output) {
  backend::CompileOptions options;
  options.march = "native";
  options.compilerArguments = {"-O3", "-I" + support::candidateHeaderDir()};
  const auto compiled = backend::compileText(text, name, backend::OutputKind::Object, options);
  if (!compiled)
    return {};
  const process::TemporaryFile object("hetc-candidate", ".o");
  if (!object || !object.write(compiled->bytes))
    return {};
  const backend::LinkOutcome linked = backend::link({{object.path()}}, backend::LinkKind::SharedLibrary, output);
  std::cerr << linked.messages;
  if (!linked.ok)
    return {};
  std::vector<std::string> files(compiled->dependencies.begin(), compiled->dependencies.end());
  files.push_back(name);
  return files;
}

/// The function of a shared library; both stay until the process ends.
template <typename Function> Function *loadFunction(const std::string &file, const char *symbol) {
  void *handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *address = handle ? dlsym(handle, symbol) : nullptr;
  if (!address)
    throw std::runtime_error(dlerror());
  return reinterpret_cast<Function *>(address);
}

/// The products that are timed: C = C - A B of several sizes, each as often as makes it count. Smaller ones are the
/// products of tiles.
struct GemmProblem {
  struct Product {
    int n, times;
  };
  std::vector<Product> products;
  double flops = 0;
  int largest = 0;
};

template <typename T> GemmProblem makeProblem(const std::vector<int> &sizes) {
  const auto flopsOf = [](double n) { return (tla::isComplex<T> ? 8 : 2) * n * n * n; };
  GemmProblem problem;
  problem.largest = std::ranges::max(sizes);
  for (const int n : sizes) {
    const int times = n == problem.largest ? 1 : static_cast<int>(std::ceil(flopsOf(problem.largest) / flopsOf(n) / 2));
    problem.products.push_back({n, times});
    problem.flops += flopsOf(n) * times;
  }
  return problem;
}

template <typename T> class GemmCandidate : public Body {
public:
  GemmCandidate(GemmBody<T> *body, const GemmProblem &problem) : body_(body), problem_(problem) {
    std::mt19937 random(7);
    std::uniform_real_distribution<RealType<T>> uniform(-1, 1);
    for (std::vector<T> *matrix : {&a_, &b_, &c_}) {
      matrix->resize(static_cast<std::size_t>(problem.largest) * problem.largest);
      for (T &element : *matrix)
        element = T(uniform(random));
    }
  }

  std::string verify() override { return checkGemm<T>(body_); }

  double run() override {
    const double begin = now();
    for (const auto &[n, times] : problem_.products)
      for (int each = 0; each < times; ++each)
        body_(Op::NoTrans, Op::NoTrans, T(-1), tla::ConstTile<T>(a_.data(), n, n, n),
              tla::ConstTile<T>(b_.data(), n, n, n), T(1), tla::Tile<T>(c_.data(), n, n, n));
    return now() - begin;
  }

private:
  GemmBody<T> *body_;
  GemmProblem problem_;
  std::vector<T> a_, b_, c_;
};

/// A loop of fused multiply-adds, compiled as candidates are: independent chains, enough to fill the pipes.
constexpr char limitSource[] = R"(
#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
typedef REAL Vector __attribute__((vector_size(BYTES)));
extern "C" double hetc_limit(long rounds, double *sink) {
  constexpr int chains = 12;
  Vector sum[chains], x, y;
  for (unsigned lane = 0; lane < sizeof(Vector) / sizeof(REAL); ++lane) {
    x[lane] = REAL(1.0000001);
    y[lane] = REAL(1e-9);
  }
  for (Vector &each : sum)
    each = y;
  for (long round = 0; round < rounds; ++round)
    for (Vector &each : sum)
      each = __builtin_elementwise_fma(each, x, y);
  for (const Vector &each : sum)
    *sink += each[0];
  return 2.0 * chains * (sizeof(Vector) / sizeof(REAL)) * rounds;
}
)";

class LimitLoop : public Body {
public:
  using Function = double(long rounds, double *sink);
  explicit LimitLoop(Function *function) : function_(function) {}
  std::string verify() override { return ""; }
  double run() override {
    const double begin = now();
    double sink = 0;
    function_(rounds, &sink);
    return now() - begin;
  }
  double flops() {
    double sink = 0;
    return function_(1, &sink) * rounds;
  }

private:
  static constexpr long rounds = 100'000;
  Function *function_;
};

constexpr const char *realName(float) { return "float"; }
constexpr const char *realName(double) { return "double"; }
constexpr const char *typeName(float) { return "float"; }
constexpr const char *typeName(double) { return "double"; }
constexpr const char *typeName(std::complex<float>) { return "std::complex<float>"; }
constexpr const char *typeName(std::complex<double>) { return "std::complex<double>"; }

template <typename T> class CpuGemm : public Family {
public:
  explicit CpuGemm(FamilyRequest request)
      : request_(std::move(request)), source_(sourceBeside(request_.space)), problem_(makeProblem<T>(request_.sizes)) {}

  Identity identity() const override {
    Identity identity;
    identity.kernel = request_.kernel;
    identity.target = request_.target;
    identity.type = request_.type;
    identity.device = tla::kernels::processorName();
    identity.compiler = std::string("hetc ") + config::version + ", " + backend::compilerName();
    for (const int n : request_.sizes)
      identity.problem += (identity.problem.empty() ? "n = " : ", ") + std::to_string(n);
    return identity;
  }

  double flops() const override { return problem_.flops; }

  Constants deviceParameters() const override {
    const auto cache = [](int name, long otherwise) {
      const long size = ::sysconf(name);
      return size > 0 ? size : otherwise;
    };
    long vectorBytes = 16;
#if defined(__x86_64__)
    vectorBytes = __builtin_cpu_supports("avx512f") ? 64 : __builtin_cpu_supports("avx2") ? 32 : 16;
#endif
    return {{"vector_bytes", vectorBytes},
            {"vector_registers", vectorBytes == 64 ? 32 : 16},
            {"element_bytes", sizeof(T)},
            {"is_complex", tla::isComplex<T>},
            {"l1_bytes", cache(_SC_LEVEL1_DCACHE_SIZE, 32 << 10)},
            {"l2_bytes", cache(_SC_LEVEL2_CACHE_SIZE, 512 << 10)},
            {"l3_bytes", cache(_SC_LEVEL3_CACHE_SIZE, 8 << 20)}};
  }

  std::vector<std::string> compile(const Constants &constants, const std::string &output) const override {
    std::string text = "#include <complex>\nnamespace candidate {\nusing T = " + std::string(typeName(T())) + ";\n";
    for (const auto &[name, value] : constants)
      text += "inline constexpr long " + name + " = " + std::to_string(value) + ";\n";
    text += "}\n#line 1 \"" + source_ + "\"\n" + readFile(source_);
    return makeLibrary(text, std::filesystem::absolute(source_).string(), output);
  }

  std::unique_ptr<Body> load(const std::string &file) const override {
    return std::make_unique<GemmCandidate<T>>(loadFunction<GemmBody<T>>(file, tla::kernels::candidateSymbol), problem_);
  }

  std::vector<Peer> peers(const std::string &folder) const override {
    std::vector<Peer> peers;
    ::unsetenv("HETC_KERNELS");
    ::setenv("HETC_CACHE_DIR", folder.c_str(), 1); // where no winners are
    addBackEnd("auto", Kind::Shipped, peers);
    addBackEnd("openblas", Kind::Library, peers);
    const std::string limit = folder + "/limit.so";
    const std::string text = "#define REAL " + std::string(realName(RealType<T>())) + "\n" + limitSource;
    if (!makeLibrary(text, "limit.cpp", limit).empty()) {
      auto loop = std::make_unique<LimitLoop>(loadFunction<LimitLoop::Function>(limit, "hetc_limit"));
      const double flops = loop->flops();
      peers.push_back({"fma", Kind::Limit, std::move(loop), flops});
    }
    return peers;
  }

  Installed install(const TuneOutcome &outcome, const Constants &, const std::string &) const override {
    return {installWinner(identity(), outcome), {}};
  }

private:
  /// Adds gemm's body of a back-end, by its own name. Nothing where it cannot be loaded, or is there already.
  void addBackEnd(const std::string &preference, Kind kind, std::vector<Peer> &peers) const {
    try {
      tla::kernels::installKernels(preference);
      const std::string name = tla::kernels::kernelTable<T>().gemm.name;
      if (std::ranges::find(peers, name, &Peer::name) != peers.end())
        return;
      auto body = std::make_unique<GemmCandidate<T>>(tla::kernels::kernelTable<T>().gemm.body, problem_);
      peers.push_back({name, kind, std::move(body), flops()});
    } catch (const std::runtime_error &) {
    }
  }

  FamilyRequest request_;
  std::string source_;
  GemmProblem problem_;
};
} // namespace

std::unique_ptr<Family> makeCpuGemm(const FamilyRequest &request) {
  switch (request.type[0]) {
  case 's':
    return std::make_unique<CpuGemm<float>>(request);
  case 'c':
    return std::make_unique<CpuGemm<std::complex<float>>>(request);
  case 'z':
    return std::make_unique<CpuGemm<std::complex<double>>>(request);
  default:
    return std::make_unique<CpuGemm<double>>(request);
  }
}

} // namespace hetc::tuning
