// The files that a compilation reads, for caches and build tools; its output must be none of them.
#pragma once

#include <set>
#include <string>
#include <utility>

namespace hetc::process {

class SourceFiles {
public:
  explicit SourceFiles(std::string output) : output_(std::move(output)) {}

  /// Absolute paths: of files that were read, and of places where one was looked for and was not.
  void add(std::set<std::string> dependencies, std::set<std::string> absent = {});
  /// Whether the output is another file than all of these. If not, says so on stderr.
  bool checkOutput() const;

  const std::set<std::string> &dependencies() const { return dependencies_; }
  const std::set<std::string> &absent() const { return absent_; }

private:
  const std::string output_;
  std::set<std::string> dependencies_, absent_;
};

} // namespace hetc::process
