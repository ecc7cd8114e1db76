#include "tools/hetc/options.hpp"

#include "compiler/driver/cache.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <optional>
#include <string_view>

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

/// Where a launcher such as mpirun has started several ranks on this machine, they all compile the same program, or wait
/// until another one has: the first of them says what there is to say.
bool isSpeaker() {
  for (const char *const name :
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MV2_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID"})
    if (const char *const number = std::getenv(name))
      return std::string_view(number) == "0";
  return true;
}

/// For as long as it lives, nothing reaches standard output and standard error.
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

/// Replaces this process by the program.
int execute(const driver::CachedProgram &program, Arguments arguments) {
  setenv("HETC_COMPILE_SECONDS", std::to_string(program.seconds).c_str(), 1);
  setenv("HETC_CACHED", program.cached ? "1" : "0", 1);
  std::string path = program.path;
  std::vector<char *> argv = {path.data()};
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);
  execv(path.c_str(), argv.data());
  std::cerr << "hetc: cannot execute '" << path << "': " << std::strerror(errno) << "\n";
  return 4;
}

} // namespace

int runCommand(const Arguments &arguments) {
  std::optional<Silence> silence;
  if (!isSpeaker())
    silence.emplace();
  CompileOptions options;
  CLI::App app("hetc run FILE.tla: compiles an algorithm (or takes it from the cache), runs it and checks the result");
  bool fresh = false, help = false;
  addCompileOptions(app, options);
  app.set_help_flag();
  app.add_flag("--fresh", fresh, "compile even when the program is in the cache");
  app.add_flag("-h,--help", help, "print this help, and the program's when a file is given");
  app.allow_extras();
  Arguments remaining = arguments;
  options.request.file = takeFile(remaining);
  if (const int code = parse(app, remaining, options); code >= 0)
    return code;
  if (help)
    std::cout << app.help() << std::flush;
  if (options.request.file.empty()) {
    if (help)
      return 0;
    std::cerr << "hetc: run: which file? (hetc run FILE.tla -n 1000)\n";
    return 2;
  }
  Arguments extras = app.remaining();
  if (help)
    extras = {"--help"};
  options.request.remarks = std::find(extras.begin(), extras.end(), "--quiet") == extras.end();
  const auto program = driver::compileCached(options.request, fresh);
  silence.reset();
  return program ? execute(*program, std::move(extras)) : 2;
}

} // namespace hetc::tools
