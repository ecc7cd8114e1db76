#include "runtime/predict/machine/profile_text.hpp"

#include "dsl/base/shallow_json.hpp"
#include "dsl/base/streams.hpp"
#include "dsl/base/text.hpp"
#include "runtime/predict/machine/machine_profile.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <utility>

namespace tla::runtime {
namespace {

using Json = nlohmann::json;

constexpr int mostBases = 8; // one behind the other; more are a circle

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

const std::string *knownProfile(const std::string &anyCase) {
  const std::string name = lower(anyCase);
  const auto &known = knownProfiles();
  if (const auto whole = known.find(name); whole != known.end())
    return &whole->second;
  const std::string *found = nullptr;
  for (const auto &[full, text] : known)
    if (full.starts_with(name + "-")) {
      if (found)
        return nullptr;
      found = &text;
    }
  return found;
}

/// "it is no JSON (line 2, column 19: syntax error ...)"
[[noreturn]] void failSyntax(const std::string &text) {
  std::string where;
  try {
    [[maybe_unused]] const Json whole = Json::parse(text);
    throw std::runtime_error("it is nested too deeply");
  } catch (const Json::parse_error &error) {
    constexpr std::string_view before = "parse error at ";
    where = error.what();
    where.erase(0, where.find(before) == where.npos ? 0 : where.find(before) + before.size());
  }
  throw std::runtime_error("it is no JSON (" + where + ")");
}

Json read(const std::string &text, int bases) {
  Json content = parseShallow(text);
  if (content.is_discarded())
    failSyntax(text);
  if (!content.is_object() || !content.contains("base"))
    return content;
  const Json base = content["base"];
  if (!base.is_string())
    throw std::runtime_error("base is " + base.dump() + "; it must be the name of a profile");
  const std::optional<std::string> found = textOfProfile(base.get<std::string>());
  if (!found)
    throw std::runtime_error("base: " + unknownProfile(base.get<std::string>()));
  if (bases == mostBases)
    throw std::runtime_error("base: profiles are each other's base");
  Json whole = read(*found, bases + 1);
  content.erase("base");
  whole.merge_patch(content);
  return whole;
}

} // namespace

std::optional<std::string> textOfProfile(const std::string &nameOrFile) {
  if (const std::string *const known = knownProfile(nameOrFile))
    return *known;
  if (nameOrFile.find_first_of("./") == std::string::npos)
    return std::nullopt;
  FileReader in(nameOrFile);
  if (!in)
    return std::nullopt;
  TextWriter text;
  text << in.rdbuf();
  return text.str();
}

std::string unknownProfile(const std::string &nameOrFile) {
  std::string text = "'" + nameOrFile + "' is neither a profile that hetc knows nor a file; there are ";
  std::string separator;
  for (const auto &[name, profile] : knownProfiles())
    text += std::exchange(separator, ", ") + name;
  return text;
}

Json readProfileText(const std::string &text) { return read(text, 0); }

std::string withLine(const std::string &message, const std::string &text) {
  std::size_t at = 0;
  std::string path = message.substr(0, message.find_first_of(" :"));
  while (!path.empty()) {
    const std::string member = path.substr(0, path.find('.'));
    at = text.find("\"" + member + "\"", at);
    if (at == text.npos)
      return message;
    path.erase(0, member.size() + 1);
  }
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  return at == 0 ? message : message + " (line " + std::to_string(line) + ")";
}

} // namespace tla::runtime
