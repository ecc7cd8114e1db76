// Random tile programs against their serial elision, bitwise: each program is compiled by hetc, run with one and with
// many threads, with a tiny window, with and without renaming, on several sizes.
//
//   random_programs [--programs 200] [--seed 1] [--keep DIR]
//
// A failure prints the seed and keeps the program.
#include "tests/fuzz/program_writer.hpp"

#include "compiler/driver/compile.hpp"
#include "compiler/support/paths.hpp"

#include <tla/runtime/executor.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include <dlfcn.h>
#include <unistd.h>

namespace {

using tla::Storage;
using tla::StorageRef;
namespace rt = tla::runtime;

struct Shape {
  long m, n, k, nb;
};

std::size_t elementBytes(rt::ElementType type) {
  return type == rt::ElementType::S ? sizeof(float) : type == rt::ElementType::Z ? 2 * sizeof(double) : sizeof(double);
}

/// Storages for the algorithm's matrices, filled with numbers that depend on the position only.
class Operands {
public:
  Operands(const rt::Algorithm &algorithm, const Shape &shape, long shift) {
    scalars_.resize(2);
    scalars_[0].integer = shift;
    scalars_[1].real = 0.375;
    const rt::Values values{shape.m, shape.n, shape.k, scalars_.data()};
    for (int i = 0; i < algorithm.matrixCount; ++i) {
      const rt::MatrixParameter &matrix = algorithm.matrices[i];
      refs_.emplace_back(makeStorage(matrix, values, shape.nb));
      refs_.back()->allocate();
      fill(*refs_.back(), i);
    }
    for (StorageRef &ref : refs_)
      pointers_.push_back(&*ref);
  }

  rt::Arguments arguments() const { return {pointers_.data(), scalars_.data()}; }

  bool operator==(const Operands &other) const {
    for (std::size_t i = 0; i < refs_.size(); ++i)
      if (!same(*refs_[i], *other.refs_[i]))
        return false;
    return true;
  }

private:
  static Storage *makeStorage(const rt::MatrixParameter &matrix, const rt::Values &values, long nb) {
    const rt::WorkspaceShape *workspace = matrix.workspace;
    const long rows = workspace ? workspace->rows(values, nb) : matrix.rows(values),
               cols = workspace ? workspace->cols(values, nb) : matrix.cols(values),
               tileRows = workspace ? workspace->tileRows(values, nb) : nb,
               tileCols = workspace ? workspace->tileCols(values, nb) : nb;
    auto *storage = new Storage(static_cast<int>(rows), static_cast<int>(cols), static_cast<int>(tileRows),
                                static_cast<int>(tileCols), elementBytes(matrix.type), matrix.shape);
    if (workspace &&
        (storage->mt() != workspace->tilesDown(values, nb) || storage->nt() != workspace->tilesAcross(values, nb)))
      throw std::logic_error(std::string("the shape of workspace ") + matrix.name + " contradicts itself");
    return storage;
  }

  static void fill(Storage &storage, int number) {
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        if (storage.stores(i, j)) {
          const auto value = [&](int e) { return 0.01 * ((number * 131 + i * 37 + j * 17 + e * 7) % 101) - 0.5; };
          const int elements = storage.tileRows(i) * storage.tileCols(j);
          if (storage.elementBytes() == sizeof(float))
            std::generate_n(static_cast<float *>(storage.tile(i, j)), elements,
                            [&, e = 0]() mutable { return value(e++); });
          else // a complex number is two reals
            std::generate_n(static_cast<double *>(storage.tile(i, j)),
                            elements * storage.elementBytes() / sizeof(double),
                            [&, e = 0]() mutable { return value(e++); });
        }
  }

  static bool same(const Storage &a, const Storage &b) {
    for (int j = 0; j < a.nt(); ++j)
      for (int i = 0; i < a.mt(); ++i)
        if (a.stores(i, j) &&
            std::memcmp(a.tile(i, j), b.tile(i, j), a.elementBytes() * a.tileRows(i) * a.tileCols(j)) != 0)
          return false;
    return true;
  }

  std::vector<rt::ScalarValue> scalars_;
  std::vector<StorageRef> refs_;
  std::vector<Storage *> pointers_;
};

/// Executors of all kinds, made once: their threads are kept between runs.
std::vector<std::pair<std::string, std::unique_ptr<rt::Executor>>> makeExecutors() {
  std::vector<std::pair<std::string, std::unique_ptr<rt::Executor>>> executors;
  for (const int threads : {1, 2, 5})
    for (const int window : {1, 3, 4096})
      for (const std::size_t renameBytes : {std::size_t{0}, std::size_t{1} << 20}) {
        if (threads == 5 && (window == 3 || renameBytes == 0))
          continue;
        rt::Options options;
        options.threads = threads;
        options.window = window;
        options.renameBytes = renameBytes;
        options.pin = false;
        executors.emplace_back(std::to_string(threads) + " threads, window " + std::to_string(window) + ", renaming " +
                                   std::to_string(renameBytes),
                               std::make_unique<rt::Executor>(options));
      }
  return executors;
}

class Fuzzer {
public:
  explicit Fuzzer(std::filesystem::path directory) : directory_(std::move(directory)), executors_(makeExecutors()) {}

  /// Empty when the program passed.
  std::string run(std::uint64_t seed) {
    const std::string name = "p" + std::to_string(seed);
    const std::string file = (directory_ / (name + ".tla")).string();
    std::ofstream(file) << fuzz::ProgramWriter(seed).write(name);
    hetc::driver::Request request;
    request.file = file;
    request.algorithm = name;
    const char type = "dsdz"[seed % 4];
    request.type = *hetc::ir::elementTypeFromLetter(type);
    request.compilerArguments = {"-I" TLA_FUZZ_DIR};
    request.emit = hetc::driver::Emit::SharedLibrary;
    request.emitMain = false;
    request.optimize = false;
    request.remarks = false; // some are beyond the analysis, and run in replay mode
    request.output = (directory_ / (name + ".so")).string();
    if (!hetc::driver::compile(request).ok)
      return "hetc rejects the program";
    return runLibrary(request.output, "tla_algorithm_" + name + "_" + type);
  }

private:
  std::string runLibrary(const std::string &library, const std::string &symbol) {
    void *const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      return dlerror();
    const auto *algorithm = static_cast<const rt::Algorithm *>(dlsym(handle, symbol.c_str()));
    std::string failure = algorithm ? compare(*algorithm) : "no symbol " + symbol;
    dlclose(handle);
    return failure;
  }

  std::string compare(const rt::Algorithm &algorithm) {
    for (const Shape &shape : {Shape{13, 11, 7, 3}, Shape{4, 9, 5, 2}, Shape{2, 2, 2, 3}, Shape{0, 5, 1, 2}})
      for (const long shift : {0L, 1L}) {
        const Operands expected(algorithm, shape, shift);
        algorithm.serial(expected.arguments());
        for (auto &[how, executor] : executors_) {
          const Operands actual(algorithm, shape, shift);
          const rt::Outcome outcome = executor->run(algorithm, actual.arguments());
          tasks += outcome.statistics.tasks;
          if (outcome.kind != rt::Outcome::Kind::Finished)
            return "the run ended early with " + how + ": " + outcome.message;
          if (!(actual == expected))
            return "differs from the serial elision with " + how + ", m = " + std::to_string(shape.m) +
                   ", n = " + std::to_string(shape.n) + ", k = " + std::to_string(shape.k) +
                   ", shift = " + std::to_string(shift);
        }
      }
    return "";
  }

  std::filesystem::path directory_;
  std::vector<std::pair<std::string, std::unique_ptr<rt::Executor>>> executors_;

public:
  std::uint64_t tasks = 0;
};

} // namespace

int main(int argc, char **argv) {
  hetc::support::setExecutable(argv[0], reinterpret_cast<void *>(&main));
  CLI::App app("random tile programs against their serial elision");
  unsigned programs = 200;
  std::uint64_t seed = 1;
  std::string keep;
  app.add_option("--programs", programs, "how many")->capture_default_str();
  app.add_option("--seed", seed, "of the first program; each next one is one larger")->capture_default_str();
  app.add_option("--keep", keep, "directory for the programs");
  CLI11_PARSE(app, argc, argv);

  const std::filesystem::path directory =
      keep.empty() ? std::filesystem::temp_directory_path() / ("hetc-fuzz-" + std::to_string(getpid()))
                   : std::filesystem::path(keep);
  std::filesystem::create_directories(directory);
  Fuzzer fuzzer(directory);
  unsigned failures = 0;
  for (unsigned i = 0; i < programs; ++i) {
    const std::string failure = fuzzer.run(seed + i);
    if (failure.empty())
      continue;
    ++failures;
    std::cout << "FAILED: seed " << seed + i << ": " << failure
              << "\n  program: " << (directory / ("p" + std::to_string(seed + i) + ".tla")).string() << "\n";
  }
  std::cout << programs << " programs, " << fuzzer.tasks << " tasks, " << failures << " failed\n";
  if (keep.empty() && !failures)
    std::filesystem::remove_all(directory);
  return failures ? 1 : 0;
}
