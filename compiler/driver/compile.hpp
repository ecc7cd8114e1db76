// The way of a program through hetc: a list of named stages, each timed and followed by the verifier, with a stop
// after any of them.
#pragma once

#include "compiler/ir/finding.hpp"
#include "compiler/ir/program.hpp"
#include "runtime/distribution/distribution.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hetc::driver {

/// A compiled program that is to be tried: generated code in a shared library.
struct Trial {
  std::string library;
  std::string symbol; ///< symbol of the description
  /// The distribution whose loops of nodes are to be tried; null: the program itself, which was split. Then the bodies
  /// of its kernels are there.
  const tla::Distribution *distribution = nullptr;
};
/// Returns the difference from the plain program, if there is one: tla::runtime::validateLibrary(), which the compiler
/// does not link with.
using Validate = std::function<std::optional<std::string>(const Trial &)>;

/// Where to stop, and what to write: Parse and Check write nothing.
enum class Emit { Parse, Check, Ir, Split, Maps, Deps, Nodes, Cxx, Llvm, Object, SharedLibrary, Executable };

/// Who computes an update of a tile: its owner; or, of a product, who has its octal box (compiler/maps/deal.hpp).
enum class Tasks { Owner, Octal };

struct Request {
  std::string file;
  std::optional<std::string> text; ///< text of the file, as an editor has it; empty: as it is on disk
  std::string algorithm;
  ir::ElementType type = ir::ElementType::D;
  std::vector<std::string> compilerArguments; ///< -I, -D, ... for the C++ parser and compiler
  std::vector<std::string> kernelSources;     ///< more files with kernels' bodies (codegen::addKernels)
  std::string march;                          ///< codegen::knownMarches(), for own kernels; empty: base
  bool isForHere = false;                     ///< whether the code runs on this processor only
  int split = 1;                              ///< cut tiles into so many slices; 1: they stay whole (compiler/split)
  int copies =
      1; ///< deal updates to so many copies of a grid of nodes (compiler/maps); 1: as many as the distribution has
  Tasks tasks = Tasks::Owner;
  std::optional<tla::Distribution> distribution; ///< compile for this one, too
  std::optional<int> node;                       ///< Nodes: of this node only
  bool onlyNodeLoops = false; ///< write nothing where the distribution's nodes get no loops of their own
  bool needsLoops = true;     ///< errors of the program on the distribution end it; else it goes on without loops
  Validate validate;          ///< tries loops of nodes, and split programs, before they are used; empty: nobody does
  Emit emit = Emit::Executable;
  std::string output;   ///< file to write; empty: standard output for text
  bool emitMain = true; ///< Cxx, Llvm, Object: with main()
  /// Leaves out what runs from a library do not call: the serial elision, and what the check of a run calls.
  bool runOnly = false;
  bool optimize = true;
  bool timeStages = false;                      ///< a table on stderr
  bool remarks = true;                          ///< show remarks (replay mode)
  std::vector<ir::Finding> *findings = nullptr; ///< receives diagnostics, which are then not on stderr
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
  bool loopsRefused = false;        ///< whether there would be loops of nodes, but they are wrong
  bool loopsFailed =
      false; ///< whether the nodes have none, as the program is wrong on the distribution, which was shown
  bool splitRefused = false; ///< the program on slices was wrong: this is the plain one
  bool hasNoUpdates = false; ///< the program has no updates that could be dealt as the request wants
  bool mapRefused = false;   ///< the program whose updates are dealt was wrong, and nothing was written
  ir::Program program;       ///< program after the last IR stage that ran
};

/// Diagnostics go to stderr, or to the request's findings.
Result compile(const Request &request);

/// The values of --emit, in the order in which requests end; a header is not among them (header.hpp).
std::vector<std::pair<std::string, Emit>> emitNames();

/// Whether the request has a distribution, where it needs one, with the request's node; if not, a message was shown.
bool checkDistribution(const Request &request);

} // namespace hetc::driver
