// What hetc tune found to be the fastest on this machine: bodies in shared libraries in the user's cache directory,
// which the kernel table then holds in place of the back-end's.
//
// The list is <cache>/tuning/winners, a line each:
//
//   <kernel> <type> <file> <hash> <sources> <date> <gflops> <gflops before> <back-end before> <processor, may have
//   blanks>
//
// A file is beside the list; "-" says that the back-end's body is the fastest.
#pragma once

#include "kernels/module.hpp"

#include <string>
#include <vector>

namespace tla::kernels {

struct Winner {
  std::string kernel, type; ///< "gemm", "d"
  std::string file, hash;   ///< file and hash of the shared library; "-"
  std::string sources;      ///< candidateSources() when it was made
  std::string date;         ///< 2026-11-20
  double gflops = 0;
  double gflopsBefore = 0;         ///< rate of the body that is used without tuning
  std::string nameBefore = "none"; ///< back-end of that body
  std::string processor;

  bool isBody() const { return file != "-"; }
  /// Whether the winner was found on a processor like this machine's, with the candidates of this build of hetc.
  bool fits() const;
};

/// The function of a winner: the kernel, with its own signature.
inline constexpr char candidateSymbol[] = "hetc_candidate";

/// tuning in hetc's cache folder (dsl/base/cache_folder.hpp).
std::string tuningFolder();
/// The processor, and the instruction sets that it has.
std::string processorName();
/// A hash of the headers that candidates are made of, as they were when this library was built.
std::string candidateSources();
/// The hash of a file's content; empty when the file cannot be read.
std::string contentHash(const std::string &file);

/// The list, without lines that are none; the last line for a kernel, a type and a processor counts.
std::vector<Winner> readWinners(const std::string &folder = tuningFolder());
std::string lineOf(const Winner &winner);
/// Whether the list has a line of this processor: a kernel was tuned here, be it that the body in use is the fastest.
bool isTuned();

/// Puts the winners that fit, and whose files are as they were, in the place of the tables' entries. What cannot be
/// loaded is left out; what others may have written (whyNotPrivate()) with a warning on standard error. Returns
/// KernelStatus::winners.
std::string installWinners(const Tables &tables);

} // namespace tla::kernels
