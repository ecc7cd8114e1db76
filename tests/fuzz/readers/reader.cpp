#include "tests/fuzz/readers/reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fuzz::readers {

namespace fs = std::filesystem;

static std::string scratchFolder;

void setScratchFolder(const std::string &folder) {
  scratchFolder = folder;
  fs::create_directories(fs::path(folder) / "tuning");
  ::setenv("HETC_CACHE_DIR", folder.c_str(), 1);
  ::unsetenv("HETC_PROGRAMS_DIR");
}

std::string scratchFile(const std::string &name) { return (fs::path(scratchFolder) / name).string(); }

std::string writeScratch(const std::string &name, const std::string &bytes) {
  const std::string path = scratchFile(name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string sourceFile(const std::string &path) { return (fs::path(TLA_SOURCE_DIR) / path).string(); }

std::vector<std::string> sourceFiles(const std::string &folder, const std::string &extension) {
  std::vector<std::string> files;
  for (const auto &entry : fs::recursive_directory_iterator(sourceFile(folder)))
    if (entry.path().extension() == extension)
      files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

std::string contentOf(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream content;
  content << in.rdbuf();
  return content.str();
}

void require(bool holds, const std::string &promise) {
  if (!holds)
    throw std::logic_error("broken promise: " + promise);
}

Makers allReaders() {
  return {{"annotation", annotations},
          {"tla", programs},
          {"ir", irTexts},
          {"space", spaces},
          {"npy", npyFiles},
          {"mtx", marketFiles},
          {"distribution", distributions},
          {"table", distributionTables},
          {"devices", deviceTexts},
          {"options", commandLines},
          {"tiles", tileCaches},
          {"rates", rateCaches},
          {"tuning", tuningDatabases},
          {"winners", winnerLists},
          {"manifest", manifests},
          {"trace", traces}};
}

} // namespace fuzz::readers
