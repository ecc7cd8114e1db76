#include "runtime/bootstrap/tile_memory.hpp"

#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace tla::bootstrap {
namespace {
std::filesystem::path directory() {
  for (const auto &[variable, below] :
       {std::pair{"HETC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "hetc"}, {"HOME", ".cache/hetc"}})
    if (const char *value = std::getenv(variable); value && *value)
      return std::filesystem::path(value) / below;
  return std::filesystem::temp_directory_path() / "hetc";
}
} // namespace

TileMemory::TileMemory(std::string key) : key_(std::move(key)), path_(directory() / "tiles.json") {
  std::ifstream in(path_);
  content_ = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!content_.is_object() || content_["version"] != 1 || !content_["tiles"].is_object())
    content_ = {{"version", 1}, {"tiles", nlohmann::json::object()}};
}

std::optional<TunedValues> TileMemory::find() const {
  const auto &tiles = content_["tiles"];
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
  if (values.parameters.empty()) {
    content_["tiles"][key_] = values.nb;
  } else {
    nlohmann::json entry = values.parameters;
    entry["nb"] = values.nb;
    content_["tiles"][key_] = std::move(entry);
  }
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  const std::string partial = path_.string() + "." + std::to_string(getpid());
  if (std::ofstream(partial) << content_.dump(1) << "\n")
    std::filesystem::rename(partial, path_, error);
  std::filesystem::remove(partial, error);
}

} // namespace tla::bootstrap
