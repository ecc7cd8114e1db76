// What tests of the drop-in library ask of their process.
#pragma once

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <string>

namespace tla::lapack::test {

/// OpenBLAS's function of this name, whatever else is loaded.
template <typename Function> Function original(Function, const char *name) {
  static void *const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_NOLOAD);
  return reinterpret_cast<Function>(dlsym(library, name));
}

/// The lines that HETC_VERBOSE writes while `run` runs.
template <typename Run> std::string report(Run run) {
  testing::internal::CaptureStderr();
  run();
  return testing::internal::GetCapturedStderr();
}

} // namespace tla::lapack::test
