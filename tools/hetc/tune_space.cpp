#include "tools/hetc/tune.hpp"

#include "dsl/base/nearest.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

namespace hetc::tools {

namespace {

std::string didYouMean(const std::string &word, const std::vector<std::string> &known) {
  const std::string near = tla::nearest(word, known);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

std::optional<std::string> readFile(const std::string &file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    failTune("no such file: '" + file + "'");
    return std::nullopt;
  }
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (std::filesystem::is_directory(file, ignored) || !in || (!(text << in.rdbuf()) && in.bad())) {
    failTune("cannot read '" + file + "'");
    return std::nullopt;
  }
  return text.str();
}

void setValue(tuning::Symbol &parameter, std::int64_t value) {
  parameter.value = {};
  parameter.value.value = value;
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
    return failTune("--set: the space has no parameter '" + name + "'" + didYouMean(name, known));
  std::int64_t number = 0;
  std::istringstream in(value);
  if (!(in >> number) || !in.eof())
    return failTune("--set: " + setting + ": expected an integer");
  setValue(space.symbols[space.find(name)], number);
  return 0;
}

} // namespace

int failTune(const std::string &message) {
  std::cerr << "hetc: tune: " << message << "\n";
  return 2;
}

int SpaceFile::reject(const tuning::Diagnostic &diagnostic) const {
  std::cout.flush();
  std::cerr << tuning::render(name, text, diagnostic);
  return 2;
}

std::optional<SpaceFile> readSpace(const TuneOptions &options, const tuning::Constants &device) {
  std::optional<std::string> text = readFile(options.spaceFile);
  if (!text)
    return std::nullopt;
  SpaceFile file{options.spaceFile, std::move(*text), {}};
  const auto reject = [&](const tuning::Diagnostic &diagnostic) {
    file.reject(diagnostic);
    return std::nullopt;
  };
  auto parsed = tuning::parseSpace(file.text);
  if (const auto *diagnostic = std::get_if<tuning::Diagnostic>(&parsed))
    return reject(*diagnostic);
  auto &space = std::get<tuning::Space>(parsed);
  if (space.kernel != options.kernel)
    return reject(
        {space.kernelPlace, "this space is for '" + space.kernel + "', not for '" + options.kernel + "'", {}});
  for (const auto &[name, value] : device)
    if (const int symbol = space.find(name); symbol >= 0 && space.symbols[symbol].kind == tuning::SymbolKind::Parameter)
      setValue(space.symbols[symbol], value);
  try {
    if (options.sample.count)
      tuning::cuda::setParameters(space, options.sample.variant, options.sample.architecture);
  } catch (const tuning::cuda::Error &error) {
    failTune(error.what());
    return std::nullopt;
  }
  for (const std::string &setting : options.settings)
    if (setParameter(space, setting))
      return std::nullopt;
  auto plan = tuning::plan(std::move(space));
  if (const auto *diagnostic = std::get_if<tuning::Diagnostic>(&plan))
    return reject(*diagnostic);
  file.plan = std::get<tuning::EnumerationPlan>(std::move(plan));
  return file;
}

std::optional<Enumerated> enumerateSpace(const SpaceFile &space, int threads, bool collectPoints) {
  Enumerated enumerated;
  const auto start = std::chrono::steady_clock::now();
  auto outcome = tuning::enumerate(space.plan, {threads, collectPoints});
  enumerated.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (const auto *diagnostic = std::get_if<tuning::Diagnostic>(&outcome)) {
    space.reject(*diagnostic);
    return std::nullopt;
  }
  enumerated.result = std::get<tuning::Enumeration>(std::move(outcome));
  return enumerated;
}

} // namespace hetc::tools
