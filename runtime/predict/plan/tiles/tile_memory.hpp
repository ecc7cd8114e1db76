// tiles.json in hetc's cache directory: what earlier searches found.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tla::host {

/// The values that a search chooses: nb, tuning parameters by name, and on several ranks who owns the tiles.
struct TunedValues {
  int nb = 0;
  std::map<std::string, int> parameters = {};
  std::string distribution = {}; ///< by name; empty: one rank
};

std::filesystem::path tilesFile();
/// All that the file has, by key.
std::map<std::string, TunedValues> rememberedTiles();

/// One entry of the file, {"version": 4, "tiles": {key: nb or {"nb": nb, "dist": "2dbc:1x2", "ib": ib, ...}}}. A file
/// that cannot be read or written only costs a search; several processes and threads may write it.
class TileMemory {
public:
  explicit TileMemory(std::string key);
  std::optional<TunedValues> find() const;
  void remember(const TunedValues &values);

private:
  std::string key_;
  std::filesystem::path path_;
};

} // namespace tla::host
