// Changed bytes for everything that reads: tools/fuzz --readers. See README.md in the folder above.
#include "compiler/support/paths.hpp"
#include "tests/fuzz/readers/hunt.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <thread>

#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace fuzz::readers;

/// The readers with these names, or all. Throws for an unknown name.
Makers chosen(const std::vector<std::string> &names) {
  const Makers all = allReaders();
  if (names.empty() || names == std::vector<std::string>{""}) // CLI11's way to give an option that has no values
    return all;
  Makers some;
  for (const std::string &name : names) {
    const auto found = std::ranges::find(all, name, [](const auto &each) { return each.first; });
    if (found == all.end())
      throw std::runtime_error("there is no reader '" + name + "'");
    some.push_back(*found);
  }
  return some;
}

/// A folder in memory where there is such a place, removed at the end.
struct Scratch {
  std::string folder;
  Scratch() {
    const fs::path memory = "/dev/shm";
    const fs::path parent = ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
    folder = parent / ("hetc-fuzz-readers-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
};

/// In this process, so that a debugger sees it.
void readOne(const Reader &reader, const std::string &file) {
  const std::string answer = reader.read(contentOf(file));
  std::cout << (answer.empty() ? "accepted" : "answer: " + answer) << "\n";
}

bool huntAll(const Makers &makers, const Bounds &bounds) {
  bool fine = true;
  for (const auto &[name, make] : makers) {
    const Reader reader = make();
    fine = Hunt(reader, bounds).run() && fine;
  }
  if (fine)
    fs::remove_all(bounds.directory);
  else
    std::cout << "inputs that failed are in " << bounds.directory << "\n";
  return fine;
}

} // namespace

int main(int argc, char **argv) {
  hetc::support::setExecutable(argv[0], reinterpret_cast<void *>(&main));
  CLI::App app("changed bytes for everything that reads text or files: each is read, or answered as documented");
  std::vector<std::string> names;
  Bounds bounds;
  double minutes = 0;
  std::string input;
  std::string known;
  for (const auto &[name, make] : allReaders())
    known += (known.empty() ? "" : ", ") + name;
  app.add_option("--readers", names, "which (default: all): " + known)->expected(0, -1);
  app.add_option("--minutes", minutes, "how long, all readers together; without it, and without --inputs, 30");
  app.add_option("--inputs", bounds.inputs, "for each reader at most; fewer for those that take longer");
  app.add_option("--seed", bounds.seed, "of all inputs")->capture_default_str();
  app.add_option("--jobs", bounds.jobs, "processes at a time (default: one per core)");
  app.add_option("--shrink", bounds.shrinkSeconds, "seconds to make a failing input smaller")->capture_default_str();
  app.add_option("--keep", bounds.directory, "folder for the inputs that failed");
  app.add_option("--input", input, "read this file once, here");
  bounds.jobs = static_cast<int>(std::thread::hardware_concurrency());
  CLI11_PARSE(app, argc, argv);
  try {
    const Makers makers = chosen(names);
    if (bounds.directory.empty())
      bounds.directory = (fs::temp_directory_path() / ("hetc-fuzz-readers-" + std::to_string(getpid()))).string();
    fs::create_directories(bounds.directory);
    const Scratch scratch;
    bounds.scratch = scratch.folder;
    setScratchFolder(scratch.folder + "/seeds");
    if (!input.empty())
      for (const auto &[name, make] : makers)
        readOne(make(), input);
    else {
      bounds.seconds = (minutes > 0 ? minutes : bounds.inputs ? 0 : 30) * 60 / static_cast<double>(makers.size());
      return huntAll(makers, bounds) ? 0 : 1;
    }
  } catch (const std::exception &exception) {
    std::cerr << "reader_fuzz: " << exception.what() << "\n";
    return 1;
  }
}
