// IR to C++: one translation unit that appends the program's tasks (its generator), calls their kernels, and
// describes the algorithm to the runtime (tla/runtime/algorithm.hpp). Meant to be read: --emit=cpp shows it.
#pragma once

#include "compiler/ir/program.hpp"
#include "compiler/specialize/node_program.hpp"

#include <string>
#include <vector>

namespace hetc::codegen {

/// The generator of one node, beside that of the whole program.
struct NodeGenerator {
  const specialize::NodeProgram *program = nullptr; ///< node's loops; null: none, or refused ones
  std::string distribution;                         ///< name of the distribution: "2dbc:2x3"
  std::vector<std::vector<int>> nodes;              ///< numbers by coordinates x and y, of parts; -1: there is none
  std::vector<std::vector<int>> own = {};           ///< numbers of nodes by their coordinates, in a program of parts
  std::vector<std::vector<int>> parts = {};         ///< x and y of each part of a node, one after the other, by node
  int p = 0, q = 0;                                 ///< the only period that the loops are for; 0: any
};

struct CxxOptions {
  std::string sourcePath; ///< the .tla file, absolute: the generated code includes it for the kernels' declarations
  bool emitMain = true;   ///< a stand-alone program; else only the description, as symbol descriptionSymbol()
  NodeGenerator nodeGenerator = {};
  const ir::Program *checkedCall = nullptr; ///< the algorithm that a check argument calls, or null
  /// Processors, from the oldest on, for each of which there is a text of emitVersion(); empty: the code calls the
  /// program's own kernels itself.
  std::vector<std::string> marches = {};
  /// The facts that the code tells the runtime of own kernels that it calls itself: for which processor they are
  /// compiled, and a hash of all that they are made of; empty: nothing.
  std::string processor = {}, sources = {};
  bool serial = true; ///< the code has the serial elision
};

/// Whether the program has tasks with kernels that are not hetc's.
bool hasOwnKernels(const ir::Program &program);

/// "tla_algorithm_cholesky_d": the extern "C" name of the description.
std::string descriptionSymbol(const ir::Program &program);

/// Generated C++.
struct Cxx {
  /// Text that is made of one of the author's statements.
  struct Part {
    std::size_t begin, end;
    std::string place; ///< "cholesky.tla:12"
  };

  std::string text;
  std::vector<Part> parts; ///< in their order; the rest is made of all of the program

  /// Returns the statement of which a line of the text, from 1 on, is made, for reports; empty: no single one.
  std::string placeOf(unsigned line) const;
};

Cxx emitCxx(const ir::Program &program, const CxxOptions &options);

/// The part of emitCxx() that runs the program's own kernels, to be compiled for one processor, which has these
/// features (KernelVersion in tla/generated/kernel_versions.hpp).
Cxx emitVersion(const ir::Program &program, const CxxOptions &options, const std::string &march,
                const std::string &features);
/// The constant that it defines.
std::string versionSymbol(const ir::Program &program, const std::string &march);

} // namespace hetc::codegen
