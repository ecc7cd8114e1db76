#include "compiler/cache/eviction.hpp"

#include "dsl/base/file_lock.hpp"

#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <vector>

namespace hetc::cache {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t maxPrograms = 1000;
constexpr std::uintmax_t maxBytes = 500'000'000;

struct Entry {
  fs::file_time_type used;
  std::string directory;
  std::uintmax_t bytes = 0;
};

/// Entries are named by their hash; anything else in the directory is not ours.
bool isEntry(const fs::path &path) {
  const std::string name = path.filename().string();
  return name.size() == 32 && std::all_of(name.begin(), name.end(), llvm::isHexDigit);
}

Entry describe(const fs::path &directory) {
  std::error_code error;
  Entry entry{fs::last_write_time(directory / "manifest", error), directory.string()};
  if (error) // being compiled, or never finished
    entry.used = fs::last_write_time(directory, error);
  for (fs::directory_iterator file(directory, error), end; !error && file != end; file.increment(error))
    if (const std::uintmax_t bytes = file->file_size(error); !error)
      entry.bytes += bytes;
  return entry;
}

/// Most recently used first.
std::vector<Entry> entriesOf(const std::string &cache) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator file(cache, error), end; !error && file != end; file.increment(error))
    if (isEntry(file->path()))
      entries.push_back(describe(file->path()));
  std::sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.used > b.used; });
  return entries;
}

} // namespace

void evictOldPrograms(const std::string &cache, const std::string &current) {
  std::size_t programs = 0;
  std::uintmax_t bytes = 0;
  for (const Entry &entry : entriesOf(cache)) {
    ++programs;
    bytes += entry.bytes;
    if ((programs <= maxPrograms && bytes <= maxBytes) || entry.directory == current)
      continue;
    std::error_code ignored;
    if (tla::FileLock lock(entry.directory + "/lock", tla::FileLock::Wait::No); lock.held())
      fs::remove_all(entry.directory, ignored);
  }
}

void touch(const std::string &manifest) {
  std::error_code ignored;
  fs::last_write_time(manifest, fs::file_time_type::clock::now(), ignored);
}

} // namespace hetc::cache
