#include "tests/fuzz/trial.hpp"

#include <filesystem>
#include <fstream>

namespace fuzz {

namespace {

/// What hetc says of arguments that do not fit together.
bool isMisfit(const Failure &rejection) {
  const auto says = [&](const char *text) { return rejection.detail.find(text) != std::string::npos; };
  return rejection.kind.rfind("rejected", 0) == 0 && (says(" requires ") || says("shares elements with"));
}

} // namespace

std::string fileOf(const Program &program, const std::string &directory) {
  return (std::filesystem::path(directory) / (program.name + ".tla")).string();
}

Trial tryProgram(const Program &program, const Plan &drawn, const std::string &directory, const Deadlines &deadlines) {
  Plan plan = drawn; // which may be another program's, before it was made smaller
  plan.suit(program);
  std::vector<Tally> tallies;
  for (const Case &one : plan.cases)
    tallies.push_back(interpret(program, one.sizes));
  const std::string file = fileOf(program, directory), log = file + ".log";
  std::ofstream(file) << print(program);
  writePatterns(program, plan, file);
  for (Case &one : plan.cases)
    one.file = file;
  Trial trial = runInChild(
      [&](const Step &step, Counts &counts, int &failedCase) {
        return Runner(file, program.name, plan, tallies, step, counts).run(failedCase);
      },
      log, deadlines);
  if (trial.failure && isMisfit(*trial.failure) && maybeMisfits(program)) {
    trial.failure.reset();
    trial.rejected = true;
    ++trial.counts["programs rejected as arguments do not fit together"];
  }
  return trial;
}

} // namespace fuzz
