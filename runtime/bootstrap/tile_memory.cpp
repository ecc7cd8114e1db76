#include "runtime/bootstrap/tile_memory.hpp"

#include "runtime/bootstrap/cache_file.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace tla::bootstrap {
namespace {
/// Grows with every change of the file's form or of what the search tries: older answers are searched again.
constexpr int version = 2;

/// The file's content, or an empty one in its place.
nlohmann::json read(const std::filesystem::path &path) {
  std::ifstream in(path);
  nlohmann::json content = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!content.is_object() || content["version"] != version || !content["tiles"].is_object())
    content = {{"version", version}, {"tiles", nlohmann::json::object()}};
  return content;
}
} // namespace

TileMemory::TileMemory(std::string key) : key_(std::move(key)), path_(cacheDirectory() / "tiles.json") {}

std::optional<TunedValues> TileMemory::find() const {
  const nlohmann::json content = read(path_);
  const auto &tiles = content["tiles"];
  const auto found = tiles.find(key_);
  if (found == tiles.end())
    return std::nullopt;
  TunedValues values;
  if (found->is_number_integer())
    values.nb = found->get<int>();
  else if (found->is_object())
    for (const auto &[name, value] : found->items())
      if (value.is_number_integer())
        (name == "nb" ? values.nb : values.parameters[name]) = value.get<int>();
  return values.nb > 0 ? std::optional(values) : std::nullopt;
}

void TileMemory::remember(const TunedValues &values) {
  const CacheLock lock(path_);
  if (!lock.held())
    return;
  nlohmann::json content = read(path_);
  nlohmann::json entry = values.parameters;
  entry["nb"] = values.nb;
  content["tiles"][key_] = values.parameters.empty() ? nlohmann::json(values.nb) : std::move(entry);
  replaceCacheFile(path_, content.dump(1) + "\n");
}

} // namespace tla::bootstrap
