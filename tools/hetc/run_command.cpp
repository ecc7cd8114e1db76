#include "tools/hetc/options.hpp"

#include "compiler/cache/cache.hpp"
#include "compiler/driver/compile.hpp"
#include "compiler/process/process.hpp"
#include "compiler/support/paths.hpp"
#include "runtime/distribution/distribution.hpp"
#include "runtime/interfaces/launch.hpp"
#include "runtime/interfaces/plan_help.hpp"
#include "runtime/interfaces/starter.hpp"

#include <tla/runtime/devices.hpp>
#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

namespace hetc::tools {

namespace {

/// The program's own options follow the file or come before it, and hetc does not know them: the file is the first
/// argument that ends in .tla, else the first one.
std::string takeFile(Arguments &arguments) {
  auto file = std::find_if(arguments.begin(), arguments.end(), [](const std::string &argument) {
    return argument.size() > 4 && argument.compare(argument.size() - 4, 4, ".tla") == 0;
  });
  if (file == arguments.end() && !arguments.empty() && arguments[0][0] != '-')
    file = arguments.begin();
  if (file == arguments.end())
    return "";
  const std::string name = *file;
  arguments.erase(file);
  return name;
}

/// The value of the last of these options, as `--nb 320` or `--nb=320`; empty: not given.
std::string valueOf(const Arguments &arguments, std::initializer_list<std::string> names) {
  std::string value;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    for (const std::string &name : names)
      if (arguments[i] == name && i + 1 < arguments.size())
        value = arguments[i + 1];
      else if (arguments[i].starts_with(name + "="))
        value = arguments[i].substr(name.size() + 1);
  return value;
}

/// A number of the user's, which the program will check; `usual` without one.
int numberOf(const std::string &text, int usual) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0 ? number : usual;
}

/// '--split auto' for the devices, tiles and threads that the other options name.
int automaticSplit(const Arguments &arguments) {
  constexpr int largeTile = 512;
  const std::string named = valueOf(arguments, {"--devices"}), type = valueOf(arguments, {"--type"});
  const std::string devices = named.empty() ? "auto" : named;
  if (!tla::host::whyNoDevices(devices).empty()) // the program will say it
    return 1;
  return tla::host::chooseSliceCount(
      devices, type.empty() ? tla::runtime::ElementType::D : static_cast<tla::runtime::ElementType>(type[0]),
      numberOf(valueOf(arguments, {"--nb", "--tile"}), largeTile), numberOf(valueOf(arguments, {"--threads"}), 0));
}

/// In place of 'auto' the number that is compiled for.
void resolveSplit(Arguments &arguments) {
  if (valueOf(arguments, {"--split"}) != "auto")
    return;
  const std::string number = std::to_string(automaticSplit(arguments));
  for (std::string &argument : arguments)
    if (argument == "auto" && &argument != arguments.data() && *(&argument - 1) == "--split")
      argument = number;
    else if (argument == "--split=auto")
      argument = "--split=" + number;
}

/// The distribution that the program's options name; nothing where they name none, or the text is none, which the
/// program will say.
std::optional<tla::Distribution> readDistribution(const Arguments &arguments) try {
  const std::string grid = valueOf(arguments, {"--grid"}), named = valueOf(arguments, {"--dist"});
  if (grid.empty() == named.empty())
    return std::nullopt;
  return tla::parseDistribution(grid.empty() ? named : "2dbc:" + grid);
} catch (const tla::UsageError &) {
  return std::nullopt;
}

/// Returns the number of copies of the nodes that the program's options name, by a distribution or by those that are
/// compared.
int namedCopies(const std::optional<tla::Distribution> &distribution, const Arguments &arguments) {
  if (distribution)
    return distribution->copies();
  constexpr std::string_view option = ",copies=";
  const std::string compared = valueOf(arguments, {"--compare"});
  const auto copies = compared.find(option);
  if (copies == compared.npos)
    return 1;
  const std::string count = compared.substr(copies + option.size());
  return numberOf(count.substr(0, count.find(',')), 1); // those of the others will be found to be others
}

/// How many ranks there are; 0 where that cannot be said.
int countRanks() {
  try {
    return tla::runtime::detectLaunch().size;
  } catch (const tla::UsageError &) { // the program will say it
    return 0;
  }
}

/// Whether the program, on so many nodes, will want loops for each of them. A cost is counted by replay, as it is
/// usually sooner done than loops are made.
bool wantsLoops(const std::string &command, const Arguments &arguments, int nodes) {
  const std::string generator = valueOf(arguments, {"--generator"});
  if (nodes == 1 || generator == "replay" || !valueOf(arguments, {"--period"}).empty())
    return false;
  if (command == "cost")
    return generator == "nodes";
  if (command == "sim")
    return valueOf(arguments, {"--policy"}).empty();
  return command.empty() && nodes == countRanks();
}

/// Whether loops for the distribution's nodes are made in the one compilation. Of any other distribution the program
/// asks for them when it knows which it is.
bool getsLoops(const tla::Distribution &distribution, const std::string &command, const Arguments &arguments,
               const driver::Request &request) {
  return request.tasks != driver::Tasks::Octal && wantsLoops(command, arguments, distribution.nodes()) &&
         (distribution.copies() == 1 || distribution.copies() == request.copies);
}

/// Several ranks on one machine all compile the same program, or wait until another one has: the first of them says
/// what there is to say.
bool isSpeaker() {
  try {
    return tla::runtime::detectLaunch().localRank == 0;
  } catch (const tla::UsageError &) { // the program will say it
    return true;
  }
}

/// On other machines, too, it is the first rank that says so when all are interrupted.
bool isFirstRank() {
  try {
    return tla::runtime::detectLaunch().rank == 0;
  } catch (const tla::UsageError &) {
    return true;
  }
}

/// While it lives, nothing reaches standard output and standard error.
class Silence {
public:
  Silence() {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (int i = 0; i < 2; ++i) {
      kept_[i] = ::fcntl(descriptors[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
      ::dup2(nowhere, descriptors[i]);
    }
    ::close(nowhere);
  }
  ~Silence() {
    for (int i = 0; i < 2; ++i) {
      ::dup2(kept_[i], descriptors[i]);
      ::close(kept_[i]);
    }
  }
  Silence(const Silence &) = delete;
  Silence &operator=(const Silence &) = delete;

private:
  static constexpr int descriptors[] = {STDOUT_FILENO, STDERR_FILENO};
  int kept_[2];
};

tla::host::Starter starterOf(const CompileOptions &options, const cache::CachedProgram &program, bool fresh) {
  const driver::Request &request = options.request;
  return {.hetc = support::executablePath(),
          .file = request.file,
          .type = options.types[0],
          .algorithm = request.algorithm,
          .includes = options.includes,
          .defines = options.defines,
          .kernelSources = request.kernelSources,
          .march = request.march,
          .split = request.split,
          .copies = request.copies,
          .distribution = request.distribution ? request.distribution->name() : "",
          .fresh = fresh,
          .compileSeconds = program.seconds,
          .cached = program.cached};
}

/// A simulation visits gigabytes of small objects in no order: in huge pages it takes three quarters of the time.
/// glibc's malloc asks for them by this variable alone, when a process begins.
void askForHugePages() { setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", /*overwrite=*/0); }

/// Replaces this process by the program.
int execute(const cache::CachedProgram &program, Arguments arguments) {
  std::string path = program.path;
  std::vector<char *> argv = {path.data()};
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  const int error = errno;
  std::cerr << "hetc: cannot execute '" << path << "': " << std::strerror(error)
            << (error == EACCES ? "; where its file system is mounted noexec, name another folder: HETC_CACHE_DIR, or "
                                  "TMPDIR where there is no cache"
                                : "")
            << "\n";
  return 4;
}

/// Compiles, or takes from the cache, and executes with `first` before the user's arguments; `silence` ends before
/// that.
int compileAndExecute(const std::string &description, const std::string &example, const Arguments &arguments,
                      const Arguments &first, std::optional<Silence> &silence) {
  CompileOptions options;
  CLI::App app(description);
  bool fresh = false, help = false;
  addCompileOptions(app, options);
  app.set_help_flag();
  app.add_flag("--fresh", fresh, "compile even when the program is in the cache");
  app.add_flag("-h,--help", help, "print this help, and the program's when a file is given");
  app.allow_extras();
  Arguments remaining = arguments;
  options.request.file = takeFile(remaining);
  try {
    resolveSplit(remaining);
  } catch (const tla::Error &error) {
    std::cerr << "hetc: --split auto: " << error.what() << "\n";
    return dynamic_cast<const tla::UsageError *>(&error) ? 2 : 4;
  }
  if (const int code = parse(app, remaining, options); code >= 0)
    return code;
  if (help)
    std::cout << app.help() << std::flush;
  if (options.request.file.empty()) {
    if (help && !first.empty() && first.front() == "plan")
      std::cout << tla::host::planHelp();
    if (help)
      return 0;
    std::cerr << "hetc: " << example << "\n";
    return 2;
  }
  Arguments extras = app.remaining();
  const std::optional<tla::Distribution> distribution = readDistribution(extras);
  if (options.request.copies == 1)
    options.request.copies = namedCopies(distribution, extras);
  if (help)
    extras = {"--help"};
  const std::string command = first.empty() ? "" : first.front();
  if (distribution && !help && getsLoops(*distribution, command, extras, options.request)) {
    options.request.distribution = distribution;
    options.request.needsLoops = false;
  }
  options.request.remarks = std::find(extras.begin(), extras.end(), "--quiet") == extras.end();
  extras.insert(extras.begin(), first.begin(), first.end());
  const auto program = cache::compileCached(options.request, fresh);
  if (!program)
    return 2;
  silence.reset();
  setenv(tla::host::starterVariable, toText(starterOf(options, *program, fresh)).c_str(), 1);
  if (command == "sim")
    askForHugePages();
  return execute(*program, std::move(extras));
}

/// Compiles and executes on each of several ranks, of which one per machine reports errors.
int compileAndExecute(const std::string &description, const std::string &example, const Arguments &arguments,
                      const Arguments &first) {
  std::optional<Silence> silence;
  if (!isFirstRank())
    process::interruptSilently();
  if (!isSpeaker())
    silence.emplace();
  const int code = compileAndExecute(description, example, arguments, first, silence);
  if (code != 0 && silence)
    tla::runtime::awaitEnd();
  return code;
}

} // namespace

int runCommand(const Arguments &arguments) {
  return compileAndExecute(
      "hetc run FILE.tla: compiles an algorithm (or takes it from the cache), runs it and checks the result",
      "run: which file? (hetc run FILE.tla -n 1000)", arguments, {});
}

int costCommand(const Arguments &arguments) {
  return compileAndExecute("hetc cost FILE.tla --dist DIST: compiles an algorithm (or takes it from the cache) and "
                           "counts what it would cost "
                           "on many nodes; nothing runs",
                           "cost: which file? (hetc cost FILE.tla --tiles 72 --dist 2dbc:2x3)", arguments, {"cost"});
}

int simCommand(const Arguments &arguments) {
  return compileAndExecute(
      "hetc sim FILE.tla -n N --platform NODE --nodes P: compiles an algorithm (or takes it from the "
      "cache) and says how long a cluster of such nodes would take; nothing is computed",
      "sim: which file? (hetc sim FILE.tla -n 34560 --platform keeneland-m2070 --nodes 4)", arguments, {"sim"});
}

int planCommand(const Arguments &arguments) {
  return compileAndExecute(
      "hetc plan FILE.tla [-n N] --nodes P..Q: compiles an algorithm (or takes it from the cache) and "
      "says what it would take on so many nodes, or, without -n, the largest n that fits; nothing is run",
      "plan: which file? (hetc plan FILE.tla -n 100000 --nodes 1..64 --memory 64G)", arguments, {"plan"});
}

} // namespace hetc::tools
