#include "tools/tuner/hashes.hpp"

#include "compiler/driver/manifest.hpp"

namespace hetc::tuning {

std::string hashOfText(const std::string &text) { return driver::hashOf(text); }

std::string hashOfFiles(const std::vector<std::string> &files) {
  std::string hashes;
  for (const std::string &file : files)
    hashes += driver::hashOfFile(file).value_or("") + "\n";
  return driver::hashOf(hashes);
}

} // namespace hetc::tuning
