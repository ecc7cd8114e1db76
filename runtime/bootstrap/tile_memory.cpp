#include "runtime/bootstrap/tile_memory.hpp"

#include "runtime/bootstrap/cache_file.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace tla::bootstrap {
namespace {
/// Grows with every change of the file's form or of what the search tries: older answers are searched again.
constexpr int version = 3;

/// The file's content, or an empty one in its place.
nlohmann::json read(const std::filesystem::path &path) {
  std::ifstream in(path);
  nlohmann::json content = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!content.is_object() || content["version"] != version || !content["tiles"].is_object())
    content = {{"version", version}, {"tiles", nlohmann::json::object()}};
  return content;
}

std::optional<TunedValues> valuesFrom(const nlohmann::json &entry) {
  TunedValues values;
  if (entry.is_number_integer())
    values.nb = entry.get<int>();
  else if (entry.is_object())
    for (const auto &[name, value] : entry.items()) {
      if (value.is_number_integer())
        (name == "nb" ? values.nb : values.parameters[name]) = value.get<int>();
      else if (value.is_string() && name == "dist")
        values.distribution = value.get<std::string>();
    }
  return values.nb > 0 ? std::optional(values) : std::nullopt;
}
} // namespace

std::filesystem::path tilesFile() { return cacheDirectory() / "tiles.json"; }

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
  const CacheLock lock(path_);
  if (!lock.held())
    return;
  nlohmann::json content = read(path_);
  nlohmann::json entry = values.parameters;
  entry["nb"] = values.nb;
  if (!values.distribution.empty())
    entry["dist"] = values.distribution;
  content["tiles"][key_] = entry.size() == 1 ? nlohmann::json(values.nb) : std::move(entry);
  replaceCacheFile(path_, content.dump(1) + "\n");
}

} // namespace tla::bootstrap
