#include "tools/tuner/hashes.hpp"

#include "compiler/support/hash.hpp"

namespace hetc::tuning {

std::string hashOfText(const std::string &text) { return support::hashOf(text); }

std::string hashOfFiles(const std::vector<std::string> &files) {
  std::string hashes;
  for (const std::string &file : files)
    hashes += support::hashOfFile(file).value_or("") + "\n";
  return support::hashOf(hashes);
}

} // namespace hetc::tuning
