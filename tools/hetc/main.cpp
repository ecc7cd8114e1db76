// hetc: one command. Without a subcommand it compiles.
#include "compiler/support/config.hpp"
#include "compiler/support/paths.hpp"
#include "tools/hetc/commands.hpp"

#include <iostream>
#include <map>

int main(int argc, char **argv) {
  using namespace hetc::tools;
  hetc::support::setExecutable(argv[0], reinterpret_cast<void *>(&main));
  static const std::map<std::string, int (*)(const Arguments &)> commands = {
      {"run", runCommand}, {"check", checkCommand}, {"graph", graphCommand}, {"doctor", doctorCommand}};
  Arguments arguments(argv + 1, argv + argc);
  if (!arguments.empty() && arguments[0] == "--version") {
    std::cout << "hetc " << hetc::config::version << "\n";
    return 0;
  }
  const auto command = arguments.empty() ? commands.end() : commands.find(arguments[0]);
  if (command == commands.end())
    return compileCommand(arguments);
  arguments.erase(arguments.begin());
  return command->second(arguments);
}
