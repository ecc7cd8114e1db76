#include "tools/hetc/tune_sample.hpp"

#include "kernels/tuning/enumerate.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <optional>
#include <random>

namespace hetc::tools {

namespace {
using Json = nlohmann::ordered_json;
using namespace tuning;

struct Sample {
  cuda::Constants constants;              ///< the space's iterators
  std::int64_t registers = 0, shared = 0; ///< as the space says
  std::optional<cuda::Cubin> compiled;
  cuda::LaunchShape launch;
  std::string error;

  bool spills() const { return compiled->resources.spillBytes > mostSpilled; }
  bool sharedDiffers() const { return sharedBytes() != shared; }
  bool fails() const { return !compiled || spills() || sharedDiffers(); }
  int sharedBytes() const { return launch.sharedBytes + compiled->resources.sharedBytes; }
  int difference() const { return compiled->resources.registers - static_cast<int>(registers); }
};

std::vector<Point> points(const EnumerationPlan &plan, int threads) {
  const auto result = enumerate(plan, {threads, /*collectPoints=*/true});
  if (const auto *diagnostic = std::get_if<Diagnostic>(&result))
    throw cuda::Error(diagnostic->message);
  const auto &enumeration = std::get<Enumeration>(result);
  if (enumeration.left == 0)
    throw cuda::Error(explainEmpty(plan, enumeration).message);
  return enumeration.points;
}

Sample sampleAt(const EnumerationPlan &plan, const Point &point) {
  const std::vector<std::int64_t> values = valuesAt(plan, point);
  const auto valueOf = [&](const char *name) {
    const int symbol = plan.space.find(name);
    if (symbol < 0)
      throw cuda::Error(std::string("the space does not say '") + name + "', to compare with");
    return values[symbol];
  };
  Sample sample;
  for (std::size_t symbol = 0; symbol < values.size(); ++symbol)
    if (plan.space.symbols[symbol].kind == SymbolKind::Iterator)
      sample.constants.emplace_back(plan.space.symbols[symbol].name, values[symbol]);
  sample.registers = valueOf("registers_per_thread");
  sample.shared = valueOf("shared_memory");
  return sample;
}

void compile(const cuda::NvrtcCompiler &compiler, const cuda::Template &kernel, const SampleOptions &options,
             Sample &sample) {
  auto outcome =
      compiler.compile(sourceOf(kernel, sample.constants, options.variant), cuda::headers(), options.architecture);
  if (const auto *error = std::get_if<cuda::CompileError>(&outcome)) {
    sample.error = error->log;
    return;
  }
  sample.compiled = std::get<cuda::Cubin>(std::move(outcome));
  sample.launch = cuda::launchOf(sample.compiled->image);
}

void print(const Sample &sample) {
  std::string point;
  for (const auto &[name, value] : sample.constants)
    point += (point.empty() ? "" : ", ") + name + " " + std::to_string(value);
  std::cout << point << ":\n    ";
  if (!sample.compiled) {
    std::cout << "NOT COMPILED: " << sample.error << "\n";
    return;
  }
  const cuda::Resources &resources = sample.compiled->resources;
  std::cout << "registers " << resources.registers << " (" << sample.registers << " by the space), shared memory "
            << sample.sharedBytes() << " (" << sample.shared << (sample.sharedDiffers() ? ", DIFFERS" : "")
            << "), spilled " << resources.spillBytes << (sample.spills() ? " (TOO MANY)" : "") << ", " << std::fixed
            << std::setprecision(2) << sample.compiled->seconds << " s\n"
            << std::defaultfloat;
}

Json toJson(const Sample &sample) {
  Json constants = Json::object();
  for (const auto &[name, value] : sample.constants)
    constants[name] = value;
  Json row = {{"constants", constants}, {"compiled", sample.compiled.has_value()}};
  if (!sample.compiled) {
    row["error"] = sample.error;
    return row;
  }
  row["registers"] = sample.compiled->resources.registers;
  row["registers_estimated"] = sample.registers;
  row["shared"] = sample.sharedBytes();
  row["shared_estimated"] = sample.shared;
  row["spilled"] = sample.compiled->resources.spillBytes;
  row["seconds"] = sample.compiled->seconds;
  return row;
}

struct Summary {
  int failures = 0, least = 0, most = 0;
  double seconds = 0;
};

Summary summarize(const std::vector<Sample> &samples) {
  Summary summary;
  bool first = true;
  for (const Sample &sample : samples) {
    summary.failures += sample.fails();
    if (!sample.compiled)
      continue;
    summary.least = first ? sample.difference() : std::min(summary.least, sample.difference());
    summary.most = first ? sample.difference() : std::max(summary.most, sample.difference());
    summary.seconds += sample.compiled->seconds;
    first = false;
  }
  return summary;
}

int run(const EnumerationPlan &plan, const SampleOptions &options) {
  const cuda::Template &kernel = cuda::templateFor(plan.space);
  if (kernel.types.find(options.variant.type) == std::string::npos)
    throw cuda::Error(kernel.name + " is for the types " + kernel.types + ", not for " + options.variant.type);
  const cuda::NvrtcCompiler compiler;
  std::vector<Point> chosen;
  const std::vector<Point> all = points(plan, options.threads);
  std::ranges::sample(all, std::back_inserter(chosen), options.count, std::mt19937(options.seed));
  std::vector<Sample> samples;
  for (const Point &point : chosen) {
    samples.push_back(sampleAt(plan, point));
    compile(compiler, kernel, options, samples.back());
    if (!options.json)
      print(samples.back());
  }
  const Summary summary = summarize(samples);
  if (options.json) {
    Json rows = Json::array();
    for (const Sample &sample : samples)
      rows.push_back(toJson(sample));
    std::cout << Json{{"kernel", plan.space.kernel},
                      {"template", kernel.name},
                      {"architecture", options.architecture},
                      {"nvrtc", compiler.version()},
                      {"candidates", all.size()},
                      {"failures", summary.failures},
                      {"registers_difference", {summary.least, summary.most}},
                      {"samples", rows}}
                     .dump(2, ' ', false, Json::error_handler_t::replace)
              << "\n";
  } else {
    std::cout << samples.size() << " of " << all.size() << " candidates compiled for " << options.architecture
              << " by NVRTC " << compiler.version() << ", " << std::setprecision(3)
              << summary.seconds / static_cast<double>(samples.size()) << " s each; " << summary.failures
              << " fail; registers differ from the space's by " << summary.least << " to " << summary.most << "\n";
  }
  return summary.failures ? 1 : 0;
}

} // namespace

int compileSample(const EnumerationPlan &plan, const SampleOptions &options) {
  try {
    return run(plan, options);
  } catch (const cuda::Error &error) {
    std::cerr << "hetc: tune: " << error.what() << "\n";
    return 2;
  }
}

} // namespace hetc::tools
