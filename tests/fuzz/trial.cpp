#include "tests/fuzz/trial.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace fuzz {

namespace {

bool isRejected(const Failure &failure, std::initializer_list<const char *> because) {
  return failure.kind.rfind("rejected", 0) == 0 && std::any_of(because.begin(), because.end(), [&](const char *text) {
           return failure.detail.find(text) != std::string::npos;
         });
}

/// Whether hetc says that arguments do not fit together.
bool isMisfit(const Failure &failure) { return isRejected(failure, {" requires ", "shares elements with"}); }
/// Whether hetc says that an integer does not fit.
bool isOverflow(const Failure &failure) { return isRejected(failure, {" does not fit "}); }
/// Whether hetc says that tasks read content that nobody wrote.
bool isUnwritten(const Failure &failure) {
  return isRejected(failure, {", which no earlier task wrote", ", which an earlier task released"});
}

} // namespace

std::string fileOf(const Program &program, const std::string &directory) {
  return (std::filesystem::path(directory) / (program.name + ".tla")).string();
}

Trial tryProgram(const Program &program, const TrialPlan &drawn, const std::string &directory,
                 const Deadlines &deadlines) {
  TrialPlan plan = drawn; // which may be another program's, before it was made smaller
  plan.suit(program);
  std::vector<Tally> tallies;
  for (const Case &one : plan.cases) {
    tallies.push_back(interpret(plain(program), one.sizes));
    tallies.back().overflows = interpret(program, one.sizes).overflows;
  }
  const std::string file = fileOf(program, directory), log = file + ".log";
  std::ofstream(file) << print(program);
  std::string plainFile;
  if (isWide(program)) {
    plainFile = (std::filesystem::path(directory) / (program.name + ".plain.tla")).string();
    std::ofstream(plainFile) << print(plain(program));
  }
  writePatterns(program, plan, file);
  for (Case &one : plan.cases)
    one.file = file;
  Trial trial = runInChild(
      [&](const Step &step, Counts &counts, int &failedCase) {
        return Runner(file, plainFile, program.name, plan, tallies, step, counts).run(failedCase);
      },
      log, deadlines);
  const auto accept = [&](bool isSaid, bool Tally::*wrong, const char *count) {
    if (!trial.failure || !isSaid || !maybe(wrong, program))
      return;
    trial.failure.reset();
    trial.rejected = true;
    ++trial.counts[count];
  };
  accept(trial.failure && isMisfit(*trial.failure), &Tally::misfits,
         "programs rejected as arguments do not fit together");
  accept(trial.failure && isUnwritten(*trial.failure), &Tally::unwritten,
         "programs rejected as they read what nobody wrote");
  accept(trial.failure && isOverflow(*trial.failure), &Tally::overflows,
         "programs rejected as an integer does not fit 64 bits");
  return trial;
}

} // namespace fuzz
