#include "tools/hetc/commands.hpp"

#include "compiler/driver/load.hpp"
#include "compiler/support/nearest.hpp"
#include "kernels/tuning/emit.hpp"
#include "kernels/tuning/enumerate.hpp"
#include "tools/hetc/tune_sample.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <tla/kernels/table.hpp>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

namespace hetc::tools {

namespace {

struct TuneOptions {
  std::string kernel, spaceFile, emit;
  std::vector<std::string> settings;
  bool count = false, json = false;
  SampleOptions sample;
  std::string ops = "nn";
  int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
};

/// A message to standard error; the exit code of wrong input.
int fail(const std::string &message) {
  std::cerr << "hetc: tune: " << message << "\n";
  return 2;
}

std::string didYouMean(const std::string &word, const std::vector<std::string> &known) {
  const std::string near = support::nearest(word, known, 3);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

int checkKernel(const std::string &kernel) {
  std::vector<std::string> known;
  tla::kernels::visitKernels(tla::kernels::kernelTable<double>(),
                             [&](const char *name, const char *) { known.push_back(name); });
  if (std::ranges::find(known, kernel) != known.end())
    return 0;
  return fail("unknown kernel '" + kernel + "'" + didYouMean(kernel, known));
}

std::optional<std::string> readFile(const std::string &file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    fail("no such file: '" + file + "'");
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (std::filesystem::is_directory(file, ignored) || !in || (!(text << in.rdbuf()) && in.bad())) {
    fail("cannot read '" + file + "'");
    return std::nullopt;
  }
  return text.str();
}

/// NAME=VALUE for a parameter of the space.
int setParameter(tuning::Space &space, const std::string &setting) {
  const std::size_t equals = setting.find('=');
  const std::string name = setting.substr(0, equals),
                    value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  std::vector<std::string> known;
  for (const tuning::Symbol &symbol : space.symbols)
    if (symbol.kind == tuning::SymbolKind::Parameter)
      known.push_back(symbol.name);
  if (std::ranges::find(known, name) == known.end())
    return fail("--set: the space has no parameter '" + name + "'" + didYouMean(name, known));
  tuning::Expr number;
  std::istringstream in(value);
  if (!(in >> number.value) || !in.eof())
    return fail("--set: " + setting + ": expected an integer");
  space.symbols[space.find(name)].value = number;
  return 0;
}

/// A space's plan; empty after an error was shown.
std::optional<tuning::Plan> readPlan(const TuneOptions &options, const std::string &text) {
  const auto reject = [&](const tuning::Diagnostic &diagnostic) {
    std::cerr << tuning::render(options.spaceFile, text, diagnostic);
    return std::nullopt;
  };
  auto space = tuning::parseSpace(text);
  if (const auto *diagnostic = std::get_if<tuning::Diagnostic>(&space))
    return reject(*diagnostic);
  auto &known = std::get<tuning::Space>(space);
  if (known.kernel != options.kernel)
    return reject(
        {known.kernelPlace, "this space is for '" + known.kernel + "', not for '" + options.kernel + "'", {}});
  try {
    if (options.sample.count)
      tuning::cuda::setParameters(known, options.sample.variant, options.sample.architecture);
  } catch (const tuning::cuda::Error &error) {
    fail(error.what());
    return std::nullopt;
  }
  for (const std::string &setting : options.settings)
    if (setParameter(known, setting))
      return std::nullopt;
  auto plan = tuning::plan(std::move(known));
  if (const auto *diagnostic = std::get_if<tuning::Diagnostic>(&plan))
    return reject(*diagnostic);
  return std::get<tuning::Plan>(std::move(plan));
}

struct Timing {
  double compilation = 0, enumeration = 0; ///< seconds
};

class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// An exact integer, or few digits where doubles do not hold them all.
std::string printCount(double count) {
  std::ostringstream out;
  if (count < 0x1p53)
    out << static_cast<std::int64_t>(count);
  else
    out << count;
  return out.str();
}

/// "dim_m, blk_n": where a constraint is tested; '-' before all loops.
std::vector<std::string> loopNames(const tuning::Plan &plan, const tuning::FunnelRow &row) {
  std::vector<std::string> names;
  for (const int level : row.levels)
    if (level != tuning::beforeLoops)
      names.push_back(plan.iterator(level).name);
  return names;
}

/// Columns as wide as they need; the first three to the left, numbers to the right.
void printTable(const std::vector<std::vector<std::string>> &rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto &row : rows)
    for (std::size_t column = 0; column < row.size(); ++column)
      widths[column] = std::max(widths[column], row[column].size());
  for (const auto &row : rows) {
    std::string line;
    for (std::size_t column = 0; column < row.size(); ++column) {
      const std::string blanks(widths[column] - row[column].size(), ' ');
      line += (column ? "  " : "") + (column < 3 ? row[column] + blanks : blanks + row[column]);
    }
    std::cout << line << "\n";
  }
}

void printFunnel(const tuning::Plan &plan, const tuning::Enumeration &result) {
  std::vector<std::vector<std::string>> rows = {{"constraint", "kind", "tested in", "tests", "removed", "left"}};
  rows.push_back({"(none)", "", "", "", "", printCount(result.raw)});
  for (const tuning::FunnelRow &row : result.funnel) {
    const tuning::Constraint &constraint = plan.space.constraints[row.constraint];
    std::string loops;
    for (const std::string &name : loopNames(plan, row))
      loops += (loops.empty() ? "" : ", ") + name;
    rows.push_back({constraint.name, tuning::name(constraint.kind), loops, std::to_string(row.tests),
                    printCount(row.removed), printCount(row.left)});
  }
  printTable(rows);
}

void printReport(const tuning::Plan &plan, const tuning::Enumeration &result, const Timing &timing, int threads) {
  printFunnel(plan, result);
  std::string ends;
  for (std::size_t level = 0; level < plan.loops.size(); ++level)
    if (result.last[level] != tla::tuning::unknownLast)
      ends += (ends.empty() ? "" : ", ") + plan.iterator(level).name + " = " + std::to_string(result.last[level]);
  if (!ends.empty())
    std::cout << "open-ended iterators are counted up to " << ends << "\n";
  const double perCore = 1 / (timing.enumeration * threads);
  std::ostringstream line;
  line.precision(3);
  line << timing.enumeration << " s on " << threads << (threads == 1 ? " core: " : " cores: ") << result.raw * perCore
       << " raw points/s per core; " << result.visited << " points visited, "
       << static_cast<double>(result.visited) * perCore << "/s per core; compiled in " << timing.compilation << " s\n";
  std::cout << line.str() << result.left << (result.left == 1 ? " candidate is left\n" : " candidates are left\n");
}

void printJson(const TuneOptions &options, const tuning::Plan &plan, const tuning::Enumeration &result,
               const Timing &timing) {
  using Json = nlohmann::ordered_json;
  const auto exact = [](double count) { return count < 0x1p53 ? Json(static_cast<std::int64_t>(count)) : Json(count); };
  Json funnel = Json::array(), ends = Json::object();
  for (const tuning::FunnelRow &row : result.funnel) {
    const tuning::Constraint &constraint = plan.space.constraints[row.constraint];
    funnel.push_back({{"constraint", constraint.name},
                      {"kind", tuning::name(constraint.kind)},
                      {"loops", loopNames(plan, row)},
                      {"tests", row.tests},
                      {"removed", exact(row.removed)},
                      {"left", exact(row.left)}});
  }
  for (std::size_t level = 0; level < plan.loops.size(); ++level)
    if (result.last[level] != tla::tuning::unknownLast)
      ends[plan.iterator(level).name] = result.last[level];
  const Json report = {{"kernel", plan.space.kernel},    {"space", options.spaceFile},
                       {"raw", exact(result.raw)},       {"left", result.left},
                       {"visited", result.visited},      {"funnel", funnel},
                       {"open_ended_last", ends},        {"threads", options.threads},
                       {"seconds", timing.enumeration},  {"compile_seconds", timing.compilation}};
  std::cout << report.dump(2) << "\n";
}

int count(const TuneOptions &options, const tuning::Plan &plan, const std::string &text) {
  Timing timing;
  Stopwatch compilation;
  const auto code = driver::LoadedCode::compile(tuning::emitNest(plan), plan.space.kernel + ".space.cpp");
  const auto nest = code ? code.find<void(tla::tuning::Run *)>(tuning::nestSymbol) : nullptr;
  if (!nest)
    return 2;
  timing.compilation = compilation.seconds();
  Stopwatch enumeration;
  const auto outcome =
      tuning::enumerate(plan, [&](tla::tuning::Run &run) { nest(&run); }, {options.threads, /*collectPoints=*/false});
  timing.enumeration = enumeration.seconds();
  if (const auto *diagnostic = std::get_if<tuning::Diagnostic>(&outcome)) {
    std::cerr << tuning::render(options.spaceFile, text, *diagnostic);
    return 2;
  }
  const auto &result = std::get<tuning::Enumeration>(outcome);
  if (options.json)
    printJson(options, plan, result, timing);
  else
    printReport(plan, result, timing, options.threads);
  if (result.left > 0)
    return 0;
  std::cout.flush();
  std::cerr << tuning::render(options.spaceFile, text, tuning::explainEmpty(plan, result));
  return 2;
}

} // namespace

int tuneCommand(const Arguments &arguments) {
  TuneOptions options;
  CLI::App app("hetc tune KERNEL --space FILE --count: how many candidates a search space has, and what its "
               "constraints remove");
  app.add_option("kernel", options.kernel, "the kernel: gemm")->type_name("KERNEL")->required();
  app.add_option("--space", options.spaceFile, "the search space (kernels/tuning/README.md)")
      ->type_name("FILE")
      ->required();
  app.add_flag("--count", options.count, "count the candidates and print the funnel");
  app.add_option("--set", options.settings, "another value of one of the space's parameters, NAME=VALUE")
      ->allow_extra_args(false);
  app.add_option("--threads", options.threads, "threads that count; default: all cores")->check(CLI::Range(1, 1024));
  app.add_option("--compile-sample", options.sample.count,
                 "compile so many candidates for CUDA devices, none needed, and compare what they need of one")
      ->check(CLI::Range(1, 100000));
  app.add_option("--arch", options.sample.architecture, "for --compile-sample: the devices; default: sm_90");
  app.add_option("--type", options.sample.variant.type, "for --compile-sample: s, d, c or z; default: d")
      ->check(CLI::IsMember({'s', 'd', 'c', 'z'}));
  app.add_option("--ops", options.ops, "for --compile-sample: op of A and of B, each n, t or c; default: nn")
      ->check([](const std::string &ops) {
        return ops.size() == 2 && ops.find_first_not_of("ntc") == std::string::npos ? "" : "expected two of n, t, c";
      });
  app.add_flag("--batched", options.sample.variant.isBatched, "for --compile-sample: many products in a launch");
  app.add_option("--seed", options.sample.seed, "for --compile-sample: of the choice; default: 1");
  app.add_flag("--json", options.json, "print one JSON object");
  app.add_option("--emit", options.emit, "print the loop nest as C++ and stop")->check(CLI::IsMember({"cpp"}));
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp &) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError &error) {
    return fail(error.what());
  }
  options.sample.variant.opA = options.ops[0];
  options.sample.variant.opB = options.ops[1];
  options.sample.json = options.json;
  options.sample.threads = options.threads;
  if (!options.count && options.emit.empty() && !options.sample.count)
    return fail("give --count; candidates are not measured yet");
  if (const int code = checkKernel(options.kernel))
    return code;
  const std::optional<std::string> text = readFile(options.spaceFile);
  if (!text)
    return 2;
  const std::optional<tuning::Plan> plan = readPlan(options, *text);
  if (!plan)
    return 2;
  if (!options.emit.empty()) {
    std::cout << tuning::emitNest(*plan);
    return 0;
  }
  if (options.sample.count)
    return compileSample(*plan, options.sample);
  return count(options, *plan, *text);
}

} // namespace hetc::tools
