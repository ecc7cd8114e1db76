// What every back-end of Transport has to do: its obligations, each tried. Run by threads over LocalNetwork
// (local_test.cpp) and by processes over MPI (mpi_conformance.cpp).
#pragma once

#include "runtime/transport/transport.hpp"

#include <span>

namespace tla::runtime {

/// Run by all ranks, of which there are at least 2; throws std::runtime_error where the transport fails.
struct ConformanceCase {
  const char *name;
  void (*run)(Transport &);
};
std::span<const ConformanceCase> conformanceCases();

} // namespace tla::runtime
