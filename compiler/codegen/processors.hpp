// For which processors a program's own kernels are compiled: those that it declares itself. All else of a program is
// compiled for any processor.
#pragma once

#include <string>
#include <vector>

namespace hetc::codegen {

struct Processors {
  std::string march;       ///< processor of the object with the generated code; empty: any
  std::string kernelMarch; ///< processor of C++ files with kernels' bodies, as objects of their own; empty: any
  std::vector<std::string> versions; ///< own kernels stand there once for each of these instead, from the oldest on
  std::vector<std::string> files;    ///< C++ files with kernels' bodies, which are part of the versions
  std::string native, sources;       ///< CxxOptions::processor and sources
};

/// The kernels of a request's program, and the processors that it asks for.
struct KernelPlaces {
  std::string march; ///< Request::march
  bool isForHere = false;
  bool hasOwn = false;            ///< the program calls own kernels
  bool hasBodies = false;         ///< whether one of these has its body in the program's own text
  std::vector<std::string> files; ///< C++ files with others
  std::vector<std::string> read;  ///< files of which the generated code is made
};
Processors chooseProcessors(const KernelPlaces &places);

/// The values that --march takes.
std::vector<std::string> knownMarches();
/// The features that a processor must have for code that was compiled for -march=MARCH, as tla::hasFeatures() reads it.
std::string featuresOf(const std::string &march);

} // namespace hetc::codegen
