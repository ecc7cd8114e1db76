#include <tla/runtime/starter.hpp>

#include "dsl/base/shallow_json.hpp"

#include <cstdlib>

namespace tla::host {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

} // namespace

std::vector<std::string> Starter::moduleCommand(const std::string &distribution) const {
  std::vector<std::string> words = {hetc, "module", file, "--type=" + type};
  if (!algorithm.empty())
    words.push_back("--algorithm=" + algorithm);
  for (const std::string &directory : includes)
    words.push_back("-I" + directory);
  for (const std::string &macro : defines)
    words.push_back("-D" + macro);
  for (const std::string &source : kernelSources)
    words.push_back("--kernel=" + source);
  if (split != 1)
    words.push_back("--split=" + std::to_string(split));
  if (fresh)
    words.push_back("--fresh");
  words.push_back("--dist=" + distribution);
  return words;
}

std::string toText(const Starter &starter) {
  const Json json = {{"version", version},
                     {"hetc", starter.hetc},
                     {"file", starter.file},
                     {"type", starter.type},
                     {"algorithm", starter.algorithm},
                     {"includes", starter.includes},
                     {"defines", starter.defines},
                     {"kernels", starter.kernelSources},
                     {"split", starter.split},
                     {"fresh", starter.fresh},
                     {"compile_seconds", starter.compileSeconds},
                     {"cached", starter.cached}};
  return json.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::ignore);
}

std::optional<Starter> starterFrom(std::string_view text) try {
  const Json json = parseShallow<Json>(std::string(text));
  if (json.at("version") != version)
    return std::nullopt;
  Starter starter;
  json.at("hetc").get_to(starter.hetc);
  json.at("file").get_to(starter.file);
  json.at("type").get_to(starter.type);
  json.at("algorithm").get_to(starter.algorithm);
  json.at("includes").get_to(starter.includes);
  json.at("defines").get_to(starter.defines);
  json.at("kernels").get_to(starter.kernelSources);
  json.at("split").get_to(starter.split);
  json.at("fresh").get_to(starter.fresh);
  json.at("compile_seconds").get_to(starter.compileSeconds);
  json.at("cached").get_to(starter.cached);
  return starter;
} catch (const nlohmann::json::exception &) {
  return std::nullopt;
}

std::optional<Starter> findStarter() {
  const char *const text = std::getenv(starterVariable);
  return text ? starterFrom(text) : std::nullopt;
}

} // namespace tla::host
