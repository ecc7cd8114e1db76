#include "runtime/bootstrap/tile_memory.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <unistd.h>

namespace tla::bootstrap {
namespace {
/// Grows with every change of the file's form or of what the search tries: older answers are searched again.
constexpr int version = 2;

std::filesystem::path directory() {
  for (const auto &[variable, below] :
       {std::pair{"HETC_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "hetc"}, {"HOME", ".cache/hetc"}})
    if (const char *value = std::getenv(variable); value && *value)
      return std::filesystem::path(value) / below;
  return std::filesystem::temp_directory_path() / "hetc";
}

/// The file's content, or an empty one in its place.
nlohmann::json read(const std::filesystem::path &path) {
  std::ifstream in(path);
  nlohmann::json content = nlohmann::json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (!content.is_object() || content["version"] != version || !content["tiles"].is_object())
    content = {{"version", version}, {"tiles", nlohmann::json::object()}};
  return content;
}

/// One writer at a time, threads as well as processes, from reading to renaming: nobody's entry is lost.
class WriteLock {
public:
  explicit WriteLock(const std::filesystem::path &path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    held_ = descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) == 0;
  }
  WriteLock(const WriteLock &) = delete;
  WriteLock &operator=(const WriteLock &) = delete;
  ~WriteLock() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  bool held() const { return held_; }

private:
  int descriptor_;
  bool held_;
};
} // namespace

TileMemory::TileMemory(std::string key) : key_(std::move(key)), path_(directory() / "tiles.json") {}

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
  std::error_code error;
  std::filesystem::create_directories(path_.parent_path(), error);
  const WriteLock lock(path_.string() + ".lock");
  if (!lock.held())
    return;
  nlohmann::json content = read(path_);
  nlohmann::json entry = values.parameters;
  entry["nb"] = values.nb;
  content["tiles"][key_] = values.parameters.empty() ? nlohmann::json(values.nb) : std::move(entry);
  const std::string partial = path_.string() + ".partial";
  if (std::ofstream(partial) << content.dump(1) << "\n")
    std::filesystem::rename(partial, path_, error);
  std::filesystem::remove(partial, error);
}

} // namespace tla::bootstrap
