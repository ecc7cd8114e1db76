// hetc: one command. Without a subcommand it compiles.
#include "compiler/backend/precompiled.hpp"
#include "compiler/process/process.hpp"
#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"
#include "dsl/base/nearest.hpp"
#include "tools/hetc/commands.hpp"

#include <iostream>
#include <map>

namespace hetc::tools {

namespace {

const std::map<std::string, int (*)(const Arguments &)> commands = {
    {"run", runCommand},       {"check", checkCommand}, {"graph", graphCommand},   {"cost", costCommand},
    {"sim", simCommand},       {"trace", traceCommand}, {"module", moduleCommand}, {"doctor", doctorCommand},
    {"puzzle", puzzleCommand}, {"lsp", lspCommand},     {"plan", planCommand},     {"tune", tuneCommand}};

/// The command that was meant, when a word that can be no file is one or two letters away; else empty.
std::string meantCommand(const std::string &word) {
  if (word.empty() || word[0] == '-' || word.find_first_of("./") != std::string::npos)
    return "";
  std::vector<std::string> names;
  for (const auto &[name, function] : commands)
    names.push_back(name);
  return tla::nearest(word, names);
}

int precompileHeaders() {
  const std::string problem = backend::precompileHeaders();
  if (!problem.empty())
    std::cerr << "hetc: warning: no precompiled header (" << problem << "); programs take longer to compile\n";
  return 0;
}

int dispatch(Arguments arguments) {
  if (arguments.empty())
    return compileCommand(arguments);
  const std::string word = arguments[0];
  if (word == "--version") {
    std::cout << "hetc " << config::version << "\n";
    return 0;
  }
  if (word == "--precompile-headers") // a step of hetc's own build
    return precompileHeaders();
  if (const auto command = commands.find(word); command != commands.end()) {
    arguments.erase(arguments.begin());
    return command->second(arguments);
  }
  if (const std::string meant = meantCommand(word); !meant.empty()) {
    std::cerr << "hetc: unknown command '" << word << "'; did you mean '" << meant << "'?\n";
    return 2;
  }
  return compileCommand(arguments);
}

} // namespace

} // namespace hetc::tools

/// Called before the constructors of any library.
__attribute__((section(".preinit_array"),
               used)) static void (*const handlers)() = hetc::process::installFailureHandlers;

int main(int argc, char **argv) {
  hetc::process::startProcess();
  hetc::support::setExecutable(argv[0], reinterpret_cast<void *>(&main));
  return hetc::process::finishProcess(hetc::tools::dispatch({argv + 1, argv + argc}));
}
