// Algorithms of .tla files, compiled and loaded into the running test.
#pragma once

#include "compiler/cache/cache.hpp"
#include "compiler/driver/compile.hpp"
#include "compiler/support/paths.hpp"
#include "runtime/interfaces/validation.hpp"

#include <tla/runtime/algorithm.hpp>

#include <algorithm>
#include <dlfcn.h>
#include <filesystem>
#include <iostream>
#include <iterator>
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

/// An int option of an algorithm as drawn, positive, but for those that not every value is right for: which of the n
/// eigenvalues are asked for (il to iu, 0 being the last), and how many singular values (none: all), and the type of a
/// generalized problem.
inline long settledOption(std::string_view option, long n, long drawn) {
  if (option == "itype")
    return 1 + drawn % 3;
  if (option == "count")
    return drawn % 2;
  if (option == "il")
    return std::min(drawn, std::max(1L, n / 2));
  if (option == "iu")
    return drawn % 2 == 0 ? 0 : n - std::min(drawn, n / 2);
  return drawn;
}

/// The grid of nodes for which the tests compile loops of the algorithm with this number, counted from 0 in the order
/// of algorithmFiles(). All tests take the same one, so that each algorithm is compiled for one grid only.
inline std::string gridOf(std::size_t number) {
  static constexpr const char *grids[] = {"2dbc:2x2", "2dbc:2x3", "2dbc:3x1", "2dbc:1x4", "2dbc:2x2", "2dbc:3x2"};
  return grids[number % std::size(grids)];
}

/// The algorithm in a library, which stays loaded. Null: said why.
inline const runtime::Algorithm *openAlgorithm(const std::string &library, const std::string &name, char type) {
  void *const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    std::cout << dlerror() << "\n";
    return nullptr;
  }
  return static_cast<const runtime::Algorithm *>(dlsym(handle, ("tla_algorithm_" + name + "_" + type).c_str()));
}

/// The request to the compiler; `algorithm` may be empty.
inline hetc::driver::Request requestFor(const std::filesystem::path &file, const std::string &algorithm, char type,
                                        int slices, const std::string &distribution) {
  hetc::driver::Request request;
  request.file = file.string();
  request.algorithm = algorithm;
  request.type = *hetc::ir::elementTypeFromLetter(type);
  request.emit = hetc::driver::Emit::SharedLibrary;
  request.emitMain = request.remarks = false;
  request.split = slices;
  if (!distribution.empty())
    request.distribution = parseDistribution(distribution);
  return request;
}

/// Compiles the file for so many slices of each tile, for a distribution too unless that is empty, and returns its
/// algorithm, the one named like the file. The program is the one that `hetc module` makes, validated by hetc, and is
/// shared with all tests that ask for it. Null: said why.
inline const runtime::Algorithm *loadAlgorithm(const std::filesystem::path &file, char type, int slices,
                                               const std::string &distribution) {
  hetc::driver::Request request = requestFor(file, "", type, slices, distribution);
  request.onlyNodeLoops = !distribution.empty();
  request.validate = [](const hetc::driver::Trial &trial) {
    return runtime::validateLibrary({trial.library, trial.symbol, trial.distribution});
  };
  const auto program = hetc::cache::compileCached(request, /*fresh=*/false);
  if (!program)
    return nullptr;
  if (program->path.empty()) // the distribution's nodes have no loops of their own
    return loadAlgorithm(file, type, slices, "");
  return openAlgorithm(program->path, file.stem().string(), type);
}

/// Compiles one algorithm of the file into `directory`, whether hetc's validation would refuse it or not.
inline const runtime::Algorithm *loadUnjudged(const std::filesystem::path &file, char type, int slices,
                                              const std::filesystem::path &directory, const std::string &algorithm) {
  hetc::driver::Request request = requestFor(file, algorithm, type, slices, "");
  request.optimize = false;
  const std::string name = algorithm.empty() ? file.stem().string() : algorithm;
  request.output = (directory / (name + ".so")).string();
  return hetc::driver::compile(request).ok ? openAlgorithm(request.output, name, type) : nullptr;
}

/// Compiles from here on as this build's hetc does, so that both share their programs.
inline void compileAsHetc() { hetc::support::setExecutable(TLA_HETC); }

} // namespace tla::test
