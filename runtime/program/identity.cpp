#include "runtime/program/identity.hpp"

#include "dsl/base/hash.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/files/mapped_file.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/ranks/packed_text.hpp"
#include "runtime/interfaces/launch.hpp"
#include "runtime/interfaces/own_kernels.hpp"
#include "runtime/predict/plan/plan.hpp"

#include <tla/generated/run_program.hpp>
#include <tla/runtime/algorithm.hpp>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <set>

namespace tla::host {
namespace {
/// The hash of a file's content; empty where it cannot be read.
std::string fingerprint(const std::string &path) try {
  const MappedFile file(path);
  return hashOf(file.bytes());
} catch (const UsageError &) {
  return {};
}

/// The file that holds this code: one of hetc's libraries, or the program.
std::string fileOf(const void *code) {
  Dl_info info{};
  return ::dladdr(code, &info) && info.dli_fname ? info.dli_fname : "";
}

/// The hash of all that hetc is in this process: its main, what predicts runs, and the runtime.
std::string ownFingerprint() {
  std::set<std::string> files{fileOf(reinterpret_cast<const void *>(&runProgram)),
                              fileOf(reinterpret_cast<const void *>(&planRun)),
                              fileOf(reinterpret_cast<const void *>(&runtime::detectLaunch))};
  if (files.size() == 1)
    return fingerprint(*files.begin());
  std::string all;
  for (const std::string &file : files)
    all += fingerprint(file);
  return hashOf(all);
}
} // namespace

std::vector<Trait> traitsOf(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  std::string options;
  for (int i = 1; i < argc; ++i)
    appendPart(options, argv[i]);
  const char *const kernels = std::getenv("HETC_KERNELS");
  const std::string program = std::string(algorithm.name) + " (" + typeName(algorithm.type) + ", file hash ";
  const runtime::OwnKernels own = runtime::ownKernels(); // their code may be another one on each processor
  return {{"hetc", std::string(hetcVersion) + " (library hash " + ownFingerprint() + ")"},
          {"program", program + (own.sources.empty() ? fingerprint("/proc/self/exe") : own.sources) + ")"},
          {"options", options},
          {"HETC_KERNELS", kernels ? kernels : ""}};
}

std::string unlikeProcessors(const std::vector<std::string> &kernels) {
  const auto other = std::ranges::find_if(kernels, [&](const std::string &each) { return each != kernels.front(); });
  if (other == kernels.end())
    return "";
  const auto shortened = [](const std::string &text) { // without features
    const std::string name = text.substr(0, text.find(' ', text.find(' ') + 1));
    return name.size() > 1 ? name.substr(0, name.find_last_not_of(' ') + 1) : std::string("any processor's");
  };
  return "the program's own kernels run as " + shortened(*other) + " on rank " +
         std::to_string(other - kernels.begin()) + " and as " + shortened(kernels.front()) +
         " on rank 0: results may differ in the last bits from a run on like processors; with --march x86-64-v3 all "
         "ranks run the same code";
}

} // namespace tla::host
