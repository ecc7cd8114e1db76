#include "tools/hetc/options.hpp"

#include "compiler/codegen/processors.hpp"
#include "compiler/support/paths.hpp"
#include "dsl/base/nearest.hpp"
#include "runtime/interfaces/validation.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

namespace hetc::tools {

void addCompileOptions(CLI::App &app, CompileOptions &options) {
  app.add_option("--type", options.types, "element type: s, d, c or z (LAPACK's letters)")
      ->capture_default_str()
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"s", "d", "c", "z"}));
  app.add_option("--algorithm", options.request.algorithm, "which algorithm, when the file has several");
  app.add_option("-I", options.includes, "directory to search for headers")->allow_extra_args(false);
  app.add_option("-D", options.defines, "macro definition NAME[=VALUE]")->allow_extra_args(false);
  app.add_option("--kernel", options.request.kernelSources,
                 "bodies of kernels: a C++ file, an object file, an archive or a shared library")
      ->allow_extra_args(false);
  app.add_option(
         "--march", options.request.march,
         "processors for which your own kernels are compiled: native (default of what runs at once), x86-64-v2, "
         "-v3 or -v4, base (any), or all of these in one file (default of files), of which the best is chosen")
      ->type_name("MARCH")
      ->check(CLI::IsMember(codegen::knownMarches()).description(""));
  app.add_option("--split", options.request.split,
                 "cut tiles into so many slices, narrow ones for the host and a wide one for an accelerator; 1: none")
      ->type_name("S");
  app.add_option("--copies", options.request.copies,
                 "deal updates of tiles to so many copies of the nodes, as --dist DIST,copies=C does; 1: none")
      ->type_name("C");
  app.add_option_function<std::string>(
         "--tasks",
         [&options](const std::string &tasks) {
           options.request.tasks = tasks == "octal" ? driver::Tasks::Octal : driver::Tasks::Owner;
         },
         "who computes an update of a tile: its owner, or, of products, the cores and each accelerator of a "
         "node by octal boxes in proportion to what they can do")
      ->check(CLI::IsMember({"owner", "octal"}).description(""))
      ->type_name("owner|octal");
  app.add_flag("--debug", options.debug,
               "find mistakes in kernels: elements are checked, tasks run one by one in the program's order on guarded "
               "tiles, a crash names its line; the same as HETC_DEBUG=1");
  app.add_flag("--parseable-fixits", options.parseableFixits, "print suggested edits in Clang's machine-readable form");
  app.add_flag("--time-stages", options.request.timeStages, "print how long each stage took");
}

void addDistribution(CLI::App &app, std::optional<tla::Distribution> &distribution, const std::string &help,
                     const std::string &prefix) {
  app.add_option_function<std::string>(
         "--dist",
         [&distribution, prefix](const std::string &text) {
           if (text.empty())
             return;
           try {
             distribution = tla::parseDistribution(text);
           } catch (const tla::UsageError &error) {
             throw CLI::ValidationError(prefix + error.what());
           }
         },
         help)
      ->type_name("SPEC");
}

namespace {
namespace fs = std::filesystem;

/// The names of hetc's own algorithms, without .tla, in alphabetical order.
std::vector<std::string> ownAlgorithms() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(support::algorithmsDir(), ignored))
    if (entry.path().extension() == ".tla")
      names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

std::string listed(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// Puts the path of one of hetc's own algorithms in the place of its name, as "posv" or, where there is no such file,
/// "posv.tla". Returns false after saying which names there are where a name is no file and no algorithm.
bool findAlgorithm(std::string &file) {
  const fs::path path(file);
  std::error_code ignored;
  const bool isName = path.extension().empty(); // no program: these end in .tla
  if (file.empty() || path.has_parent_path() || (!isName && (path.extension() != ".tla" || fs::exists(path, ignored))))
    return true;
  const std::vector<std::string> names = ownAlgorithms();
  const std::string name = path.stem().string();
  if (std::ranges::binary_search(names, name)) {
    file = (fs::path(support::algorithmsDir()) / (name + ".tla")).string();
    return true;
  }
  if (fs::exists(path, ignored))
    return true;
  const std::string meant = tla::nearest(name, names);
  std::cerr << "hetc: no such file: '" << file << "'; "
            << (meant.empty() ? "hetc's own algorithms are " + listed(names)
                              : "of hetc's own algorithms, did you mean '" + meant + "'?")
            << "\n";
  return false;
}
} // namespace

int refuseTypes() {
  std::cerr << "hetc: --type: give one type; only a header (--emit=header) has several\n";
  return 2;
}

/// The program, and what this process starts for it, know of it by the variable. The cache's key has the arguments.
static void addDebugging(driver::Request &request) {
  ::setenv(tla::debugVariable, "1", 1);
  for (const char *argument : {"-DTLA_CHECKED", "-g", "-O1", "-fno-omit-frame-pointer"})
    request.compilerArguments.push_back(argument);
}

int parse(CLI::App &app, const Arguments &arguments, CompileOptions &options) {
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp &) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::RequiredError &) {
    std::cerr << "hetc: which file? give a .tla, or the name of one of hetc's own algorithms; hetc --help lists the "
                 "commands\n";
    return 2;
  } catch (const CLI::ParseError &error) {
    std::cerr << "hetc: " << error.what() << "\n";
    return 2;
  }
  if (options.types.size() > 1 && !options.severalTypes)
    return refuseTypes();
  driver::Request &request = options.request;
  if (!findAlgorithm(request.file))
    return 2;
  request.type = *ir::elementTypeFromLetter(options.types[0][0]);
  request.validate = [](const driver::Trial &trial) -> std::optional<std::string> {
    try {
      return tla::runtime::validateLibrary({trial.library, trial.symbol, trial.distribution});
    } catch (const tla::Error &error) { // what nobody could try is not used
      return error.what();
    }
  };
  for (const std::string &directory : options.includes)
    request.compilerArguments.push_back("-I" + directory);
  if (options.parseableFixits)
    request.compilerArguments.push_back("-fdiagnostics-parseable-fixits");
  for (const std::string &macro : options.defines)
    request.compilerArguments.push_back("-D" + macro);
  if (options.debug)
    addDebugging(request);
  return -1;
}

} // namespace hetc::tools
