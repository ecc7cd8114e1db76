#include "runtime/host/program/identity.hpp"

#include "dsl/base/hash.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/files/mapped_file.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/ranks/packed_text.hpp"

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/run_program.hpp>

#include <cstdlib>
#include <dlfcn.h>

namespace tla::host {
namespace {
/// The hash of a file's content; empty where it cannot be read.
std::string fingerprint(const std::string &path) try {
  const MappedFile file(path);
  return hashOf(file.bytes());
} catch (const UsageError &) {
  return {};
}

/// The file that holds this code: libtla.so, or the program.
std::string ownLibrary() {
  Dl_info info{};
  return ::dladdr(reinterpret_cast<const void *>(&runProgram), &info) && info.dli_fname ? info.dli_fname : "";
}
} // namespace

std::vector<Trait> traitsOf(const runtime::Algorithm &algorithm, int argc, const char *const *argv) {
  std::string options;
  for (int i = 1; i < argc; ++i)
    appendPart(options, argv[i]);
  const char *const kernels = std::getenv("HETC_KERNELS");
  const std::string program = std::string(algorithm.name) + " (" + typeName(algorithm.type) + ", file hash ";
  return {{"hetc", std::string(hetcVersion) + " (library hash " + fingerprint(ownLibrary()) + ")"},
          {"program", program + fingerprint("/proc/self/exe") + ")"},
          {"options", options},
          {"HETC_KERNELS", kernels ? kernels : ""}};
}

} // namespace tla::host
