#include "runtime/predict/plan/tiles/tile_memory.hpp"

#include "dsl/base/cache_folder.hpp"
#include "dsl/base/file_lock.hpp"
#include "dsl/base/shallow_json.hpp"
#include "dsl/base/streams.hpp"

#include <climits>

namespace tla::host {
namespace {
/// Grows with every change of the file's form or of what the search tries: older answers are searched again.
constexpr int version = 4;

/// The file's content, or an empty one in its place; also where others may have written it.
nlohmann::json read(const std::filesystem::path &path) {
  TextWriter text;
  if (whyNotPrivate(path.parent_path()).empty())
    text << FileReader(path).rdbuf();
  nlohmann::json content = parseShallow(text.str());
  if (!content.is_object() || content["version"] != version || !content["tiles"].is_object())
    content = {{"version", version}, {"tiles", nlohmann::json::object()}};
  return content;
}

/// Nothing for what is no number of such a size.
std::optional<int> intFrom(const nlohmann::json &value) {
  const auto number = value.is_number_integer() ? value.get<std::int64_t>() : INT64_MAX;
  return number >= INT_MIN && number <= INT_MAX ? std::optional(static_cast<int>(number)) : std::nullopt;
}

std::optional<TunedValues> valuesFrom(const nlohmann::json &entry) {
  TunedValues values;
  if (entry.is_number_integer())
    values.nb = intFrom(entry).value_or(0);
  else if (entry.is_object())
    for (const auto &[name, value] : entry.items()) {
      if (const auto number = intFrom(value))
        (name == "nb" ? values.nb : values.parameters[name]) = *number;
      else if (value.is_string() && name == "dist")
        values.distribution = value.get<std::string>();
    }
  return values.nb > 0 ? std::optional(values) : std::nullopt;
}
} // namespace

std::filesystem::path tilesFile() { return cacheFolder() / "tiles.json"; }

std::map<std::string, TunedValues> rememberedTiles() {
  std::map<std::string, TunedValues> all;
  const nlohmann::json content = read(tilesFile());
  for (const auto &[key, entry] : content["tiles"].items())
    if (const auto values = valuesFrom(entry))
      all[key] = *values;
  return all;
}

TileMemory::TileMemory(std::string key) : key_(std::move(key)), path_(tilesFile()) {}

std::optional<TunedValues> TileMemory::find() const {
  const nlohmann::json content = read(path_);
  const auto found = content["tiles"].find(key_);
  return found == content["tiles"].end() ? std::nullopt : valuesFrom(*found);
}

void TileMemory::remember(const TunedValues &values) {
  const FileLock lock(path_.string() + ".lock");
  if (!lock.held())
    return;
  nlohmann::json content = read(path_);
  nlohmann::json entry = values.parameters;
  entry["nb"] = values.nb;
  if (!values.distribution.empty())
    entry["dist"] = values.distribution;
  content["tiles"][key_] = entry.size() == 1 ? nlohmann::json(values.nb) : std::move(entry);
  replaceFile(path_, content.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

} // namespace tla::host
