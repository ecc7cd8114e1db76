// Whether nodes with memory to spare stand in copies.
#pragma once

#include "runtime/predict/commands/cost_report.hpp"

#include <optional>
#include <vector>

namespace tla::host {

/// The numbers of copies that may pay for so many nodes. The best one is their cube root where memory is no bound
/// [E. Solomonik, J. Demmel: Communication-optimal parallel 2.5D matrix multiplication and LU factorization algorithms,
/// Euro-Par 2011]; up to a quarter more, which evens out which grids there are.
std::vector<int> copiesWorthTrying(int nodes);

/// The program for each of those numbers of copies, as far as the compiler makes it. They last as long as the process.
std::vector<const runtime::Algorithm *> programsInCopies(const runtime::Algorithm &algorithm, int nodes);

/// The figures of one of these programs on its best distribution.
struct CopiesCandidate {
  double bytesPerNode;           ///< memory per node
  double weighted;               ///< bytes sent, by the unevenness of the work (cost_choice.hpp)
  std::optional<double> seconds; ///< time that it takes
};

CopiesCandidate candidateOf(const runtime::Cost &cost);

/// Whether the first is the better choice for nodes with so much memory: one that fits before one that does not, else
/// the one that takes less memory; of those that fit the faster one, or, where times are not known, the one that moves
/// less.
bool isBetter(const CopiesCandidate &one, const CopiesCandidate &other, double memory);

} // namespace tla::host
