// The way of a program through hetc: a list of named stages, each timed and followed by the verifier, with a stop
// after any of them.
#pragma once

#include "compiler/ir/program.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hetc::driver {

/// Where to stop, and what to write: Parse and Check write nothing.
enum class Emit { Parse, Check, Ir, Split, Deps, Nodes, Cxx, Llvm, Object, SharedLibrary, Executable };

struct Request {
  std::string file;
  std::string algorithm;
  ir::ElementType type = ir::ElementType::D;
  std::vector<std::string> compilerArguments; ///< -I, -D, ... for the C++ parser and compiler
  std::vector<std::string> kernelSources;     ///< more C++ files with kernels' bodies to link in
  int split = 1;                              ///< cut tiles into so many slices; 1: they stay whole (compiler/split)
  std::string distribution;   ///< compile for this one, too: "2dbc:2x3", as Distribution reads it; empty: none
  std::optional<int> node;    ///< Nodes: of this node only
  bool onlyNodeLoops = false; ///< write nothing where the distribution's nodes get no loops of their own
  Emit emit = Emit::Executable;
  std::string output;   ///< file to write; empty: standard output for text
  bool emitMain = true; ///< Cxx, Llvm, Object: with main()
  bool optimize = true;
  bool timeStages = false; ///< a table on stderr
  bool remarks = true;     ///< show remarks (replay mode)
};

struct Result {
  bool ok = false;
  /// Files the result depends on: the source, its headers, kernels' bodies and theirs. Absolute paths.
  std::set<std::string> dependencies;
  /// Files that would have been used had they been there: headers found later in the search, kernels' bodies.
  std::set<std::string> absent;
  std::vector<std::string> remarks; ///< one line each
  bool proved = true;               ///< all indices stay inside their matrices
  bool nodeLoops = false;           ///< the distribution's nodes have loops of their own
  ir::Program program;              ///< after the last IR stage that ran
};

/// Diagnostics go to stderr.
Result compile(const Request &request);

/// False, after a message, unless the request's distribution and node are what they should be.
bool checkDistribution(const Request &request);

} // namespace hetc::driver
