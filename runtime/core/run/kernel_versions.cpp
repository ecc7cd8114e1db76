#include "dsl/base/processor.hpp"
#include "runtime/interfaces/own_kernels.hpp"

#include <tla/generated/kernel_versions.hpp>
#include <tla/runtime/error.hpp>

#include <vector>

namespace tla::runtime {

namespace {

struct Told {
  bool isTold() const { return !versions.empty() || !processor.empty(); }

  std::vector<const KernelVersion *> versions; ///< versions of the program that was loaded first
  std::string computing, processor, sources;
};

/// Written when programs are loaded, by one thread at a time (the dynamic linker's lock), and read in between.
Told &told() {
  static Told instance;
  return instance;
}

template <typename Versions> const KernelVersion *lastThatRuns(const Versions &versions) {
  const KernelVersion *found = nullptr;
  for (const KernelVersion *const version : versions)
    if (hasFeatures(version->features))
      found = version;
  return found;
}

template <typename Versions> [[noreturn]] void refuse(const Versions &versions) {
  std::string marches;
  for (const KernelVersion *const version : versions)
    marches += (marches.empty() ? "" : ", ") + std::string(version->march);
  throw UsageError("the program's own kernels are compiled for " + marches + ", and this processor (" +
                   processorModel() + ") is none of these: compile them with --march all, or here");
}

} // namespace

const KernelVersion &chooseVersion(std::initializer_list<const KernelVersion *> versions) {
  const KernelVersion *const version = lastThatRuns(versions);
  if (!version)
    refuse(versions);
  version->start();
  return *version;
}

bool tellVersions(const char *computing, std::initializer_list<const KernelVersion *> versions) {
  if (!told().isTold())
    told() = {versions, computing, "", ""};
  return true;
}

bool tellNative(const char *computing, const char *processor, const char *sources) {
  if (!told().isTold())
    told() = {{}, computing, processor, sources};
  return true;
}

OwnKernels ownKernels() {
  if (!told().processor.empty())
    return {"native", told().processor, told().sources, told().computing};
  if (told().versions.empty())
    return {};
  const KernelVersion *const version = lastThatRuns(told().versions);
  if (!version)
    refuse(told().versions);
  return {version->march, "", "", told().computing};
}

} // namespace tla::runtime
