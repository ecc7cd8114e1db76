#include "tests/fuzz/trial.hpp"

#include <filesystem>
#include <fstream>

namespace fuzz {

std::string fileOf(const Program &program, const std::string &directory) {
  return (std::filesystem::path(directory) / (program.name + ".tla")).string();
}

Trial tryProgram(const Program &program, const Plan &plan, const std::string &directory, const Deadlines &deadlines) {
  std::vector<std::uint64_t> tasks;
  for (const Case &one : plan.cases)
    tasks.push_back(interpret(program, one.sizes).tasks);
  const std::string file = fileOf(program, directory), log = file + ".log";
  std::ofstream(file) << print(program);
  return runInChild(
      [&](const Step &step, Counts &counts, int &failedCase) {
        return Runner(file, program.name, plan, tasks, step, counts).run(failedCase);
      },
      log, deadlines);
}

} // namespace fuzz
