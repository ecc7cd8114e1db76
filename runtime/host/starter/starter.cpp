#include "runtime/interfaces/starter.hpp"

#include "dsl/base/shallow_json.hpp"

#include <cstdlib>

namespace tla::host {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 1;

/// JSON is UTF-8, and names of files are bytes: each stands as the character of Latin-1 with its number.
std::string encoded(const std::string &bytes) {
  std::string text;
  for (const char byte : bytes) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x80)
      text += static_cast<char>(0xc0 | code >> 6);
    text += code < 0x80 ? byte : static_cast<char>(0x80 | (code & 0x3f));
  }
  return text;
}

std::string decoded(const std::string &text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (const auto lead = static_cast<unsigned char>(text[i]); lead >= 0x80 && i + 1 < text.size())
      bytes += static_cast<char>(lead << 6 | (text[++i] & 0x3f));
    else
      bytes += text[i];
  return bytes;
}

Json encoded(const std::vector<std::string> &list) {
  Json texts = Json::array();
  for (const std::string &each : list)
    texts.push_back(encoded(each));
  return texts;
}

void take(const Json &json, std::string &bytes) { bytes = decoded(json.get<std::string>()); }
void take(const Json &json, std::vector<std::string> &list) {
  for (const Json &each : json)
    take(each, list.emplace_back());
}

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
  if (!march.empty())
    words.push_back("--march=" + march);
  if (split != 1)
    words.push_back("--split=" + std::to_string(split));
  if (copies != 1)
    words.push_back("--copies=" + std::to_string(copies));
  if (fresh)
    words.push_back("--fresh");
  if (!distribution.empty())
    words.push_back("--dist=" + distribution);
  return words;
}

std::string toText(const Starter &starter) {
  const Json json = {{"version", version},
                     {"hetc", encoded(starter.hetc)},
                     {"file", encoded(starter.file)},
                     {"type", starter.type},
                     {"algorithm", encoded(starter.algorithm)},
                     {"includes", encoded(starter.includes)},
                     {"defines", encoded(starter.defines)},
                     {"kernels", encoded(starter.kernelSources)},
                     {"march", starter.march},
                     {"split", starter.split},
                     {"copies", starter.copies},
                     {"distribution", encoded(starter.distribution)},
                     {"fresh", starter.fresh},
                     {"compile_seconds", starter.compileSeconds},
                     {"cached", starter.cached}};
  return json.dump();
}

std::optional<Starter> starterFrom(std::string_view text) try {
  const Json json = parseShallow<Json>(std::string(text));
  if (json.at("version") != version)
    return std::nullopt;
  Starter starter;
  take(json.at("hetc"), starter.hetc);
  take(json.at("file"), starter.file);
  json.at("type").get_to(starter.type);
  take(json.at("algorithm"), starter.algorithm);
  take(json.at("includes"), starter.includes);
  take(json.at("defines"), starter.defines);
  take(json.at("kernels"), starter.kernelSources);
  json.at("march").get_to(starter.march);
  json.at("split").get_to(starter.split);
  json.at("copies").get_to(starter.copies);
  take(json.at("distribution"), starter.distribution);
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
