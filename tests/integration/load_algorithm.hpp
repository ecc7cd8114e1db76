// Algorithms of .tla files, compiled and loaded into the running test.
#pragma once

#include "compiler/driver/compile.hpp"

#include <tla/runtime/algorithm.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tla::test {

/// The files of the algorithms of these names, of all without any; in the order of their names, so that a case that
/// depends on its turn is the same on every machine.
inline std::vector<std::filesystem::path> algorithmFiles(const std::vector<std::string> &names) {
  std::vector<std::filesystem::path> files;
  for (const auto &entry : std::filesystem::directory_iterator(TLA_ALGORITHMS_DIR))
    if (entry.path().extension() == ".tla" &&
        (names.empty() || std::find(names.begin(), names.end(), entry.path().stem()) != names.end()))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Rows and columns as drawn; of an algorithm that takes no wide matrix they change places where there are more
/// columns.
template <typename Size> void makeTall(const runtime::Algorithm &algorithm, Size &m, Size &n) {
  if (std::string_view(algorithm.name) == "ge2gb" && m < n)
    std::swap(m, n);
}

/// Compiles the file for so many slices of each tile, for a distribution too unless that is empty, and returns its
/// algorithm, the one named like the file unless `algorithm` names another; the library stays loaded. Null: said why.
inline const runtime::Algorithm *loadAlgorithm(const std::filesystem::path &file, char type, int slices,
                                               const std::string &distribution, const std::filesystem::path &directory,
                                               const std::string &algorithm = "") {
  const std::string name = algorithm.empty() ? file.stem().string() : algorithm;
  hetc::driver::Request request;
  request.file = file.string();
  request.algorithm = algorithm;
  request.type = *hetc::ir::elementTypeFromLetter(type);
  request.emit = hetc::driver::Emit::SharedLibrary;
  request.emitMain = request.optimize = request.remarks = false;
  request.split = slices;
  request.distribution = distribution;
  request.output = (directory / (name + (distribution.empty() ? "" : "-nodes") + ".so")).string();
  if (!hetc::driver::compile(request).ok)
    return nullptr;
  void *const handle = dlopen(request.output.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    std::cout << dlerror() << "\n";
    return nullptr;
  }
  return static_cast<const runtime::Algorithm *>(dlsym(handle, ("tla_algorithm_" + name + "_" + type).c_str()));
}

} // namespace tla::test
