// A program's own kernels, compiled for several processors, and the choice among them.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <initializer_list>

namespace tla::runtime {

/// The kernels of one program as compiled for one kind of processor.
struct KernelVersion {
  const char *march;    ///< "x86-64-v3", or "native"
  const char *features; ///< features that a processor must have, separated by commas (tla::hasFeatures())
  int (*const *run)(const TaskView &); ///< the function for each task statement with such a kernel
  void (*serial)(const Arguments &);   ///< Algorithm::serial; null: there is none
  void (*start)();                     ///< initialization, to be called once before the others
};

/// The last of the versions that this processor can run, which is started: called once for a program. Throws
/// UsageError when there is none.
const KernelVersion &chooseVersion(std::initializer_list<const KernelVersion *> versions);

/// Registers, when a program is loaded, the versions of its kernels, and the names, separated by commas, of those that
/// compute and say how much. Returns true.
bool tellVersions(const char *computing, std::initializer_list<const KernelVersion *> versions);
/// Registers, when a program is loaded, that its kernels were compiled for the processor that compiled them. `sources`
/// is the same for programs made of the same text, for whatever processor.
bool tellNative(const char *computing, const char *processor, const char *sources);

} // namespace tla::runtime
