// What reads text or bytes that come from users and files, one Reader each, for the inputs that readers.cpp makes.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace fuzz::readers {

struct Reader {
  std::string name;
  std::vector<std::string> seeds;  ///< texts from which inputs are made: real files, small ones made up, wrong ones too
  std::vector<std::string> tokens; ///< words of the language
  /// Reads the bytes as hetc does, and says what was said against them; empty: nothing. Catches what the reader
  /// documents and nothing else; throws std::logic_error where what was read does not keep a promise.
  std::function<std::string(const std::string &bytes)> read;
  unsigned cost = 1;  ///< times as many inputs of a cheap reader take as long
  double seconds = 5; ///< one input may take; far above what any does
};

/// By name, in the order of their files.
using Makers = std::vector<std::pair<std::string, std::function<Reader()>>>;
Makers allReaders();

Reader annotations();
Reader programs();
Reader irTexts();
Reader spaces();
Reader npyFiles();
Reader marketFiles();
Reader distributions();
Reader distributionTables();
Reader deviceTexts();
Reader commandLines();
Reader tileCaches();
Reader rateCaches();
Reader tuningDatabases();
Reader winnerLists();
Reader manifests();
Reader traces();

/// Files for readers that want one: a folder of this process, which is also hetc's cache directory.
void setScratchFolder(const std::string &folder);
std::string scratchFile(const std::string &name);
/// Writes it there and returns its path.
std::string writeScratch(const std::string &name, const std::string &bytes);

/// A file of this repository; `path` is relative to its root.
std::string sourceFile(const std::string &path);
/// The files in a folder of it with this extension, in order of their names.
std::vector<std::string> sourceFiles(const std::string &folder, const std::string &extension);
std::string contentOf(const std::string &file);

/// std::logic_error, a failure, unless it holds.
void require(bool holds, const std::string &promise);

} // namespace fuzz::readers
