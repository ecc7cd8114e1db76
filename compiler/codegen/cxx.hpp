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
  const specialize::NodeProgram *program = nullptr; ///< null: none; with a distribution: there were some, and refused
  std::string distribution;                         ///< its name: "2dbc:2x3"
  std::vector<std::vector<int>> nodes;              ///< numbers by coordinates x and y, of parts; -1: there is none
  std::vector<std::vector<int>> own = {};           ///< in a program of parts: numbers by coordinates of nodes
  std::vector<std::vector<int>> parts = {};         ///< by node, x and y of each of its parts, one after the other
  int p = 0, q = 0;                                 ///< the only period that the loops are for; 0: any
};

struct CxxOptions {
  std::string sourcePath; ///< the .tla file, absolute: the generated code includes it for the kernels' declarations
  bool emitMain = true;   ///< a stand-alone program; else only the description, as symbol descriptionSymbol()
  NodeGenerator nodeGenerator = {};
  const ir::Program *checkedCall = nullptr; ///< the algorithm that a check argument calls, or null
};

/// "tla_algorithm_cholesky_d": the extern "C" name of the description.
std::string descriptionSymbol(const ir::Program &program);

std::string emitCxx(const ir::Program &program, const CxxOptions &options);

/// Which of the author's statements a line (from 1) of that text is made of, for reports: "the statement at f.tla:12",
/// or all of the program.
std::string statementAt(const std::string &text, unsigned line);

} // namespace hetc::codegen
