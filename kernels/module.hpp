// What a back-end loaded at run time exports: one function that overrides entries of the tables.
#pragma once

#include "kernels/crew.hpp"

#include <tla/kernels/table.hpp>

#include <complex>

namespace tla::kernels {

/// The tables of one process, handed to a back-end.
struct Tables {
  KernelTable<float> *s;
  KernelTable<double> *d;
  KernelTable<std::complex<float>> *c;
  KernelTable<std::complex<double>> *z;
  Crew *(*crewOfThread)(); ///< threadCrew() of the process
};

/// The back-end's answer. `text` has static storage: what the back-end is, or why it cannot be used.
struct ModuleReport {
  bool installed;
  const char *text;
  BlasThreads threads;
};

/// A back-end's obligations: 1. override an entry only with a body that keeps the contract of kernels.hpp when several
/// threads call it at once; 2. start no thread
/// and set nothing that others in the process share; 3. set the entry's name; 4. change nothing when `installed` is
/// false.
using InstallFunction = ModuleReport (*)(const Tables &);

/// The exported C name of that function; the number grows with every change of Tables or of a kernel's signature.
inline constexpr char moduleEntry[] = "tlaInstallKernels3";

} // namespace tla::kernels
