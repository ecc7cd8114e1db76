// Programs that tests run, and the files that they leave.
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <tla/generated/run_program.hpp>

#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace tla::test {

static int callProgram(const runtime::Algorithm &algorithm, const std::vector<std::string> &arguments) {
  std::vector<std::string> words{algorithm.name};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  return host::runProgram(algorithm, static_cast<int>(words.size()), argv.data());
}

RunResult runProgram(const runtime::Algorithm &algorithm, const std::vector<std::string> &arguments) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  RunResult run;
  run.code = callProgram(algorithm, arguments);
  run.out = testing::internal::GetCapturedStdout();
  run.err = testing::internal::GetCapturedStderr();
  return run;
}

RunResult runInChild(const runtime::Algorithm &algorithm, const std::vector<std::string> &arguments,
                     const std::function<void()> &prepare) {
  const TemporaryFolder folder;
  int errors[2]; // a pipe: limits on file sizes leave it alone
  EXPECT_EQ(::pipe(errors), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const int out = ::open(folder.path("out").c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(errors[1], STDERR_FILENO);
    for (const int descriptor : {out, errors[0], errors[1]})
      ::close(descriptor);
    prepare();
    ::_exit(callProgram(algorithm, arguments));
  }
  ::close(errors[1]);
  RunResult run;
  char buffer[4096];
  for (ssize_t got; (got = ::read(errors[0], buffer, sizeof buffer)) > 0;)
    run.err.append(buffer, static_cast<std::size_t>(got));
  ::close(errors[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  run.code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  run.out = readFile(folder.path("out"));
  return run;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = testing::TempDir() + "/hetc-XXXXXX";
  folder_ = ::mkdtemp(pattern.data());
}
TemporaryFolder::~TemporaryFolder() { std::filesystem::remove_all(folder_); }

std::string TemporaryFolder::write(const std::string &name, const std::string &content) const {
  std::ofstream(path(name), std::ios::binary) << content;
  return path(name);
}

std::vector<std::string> TemporaryFolder::files() const {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder_))
    names.push_back(entry.path().filename());
  return names;
}

std::string readFile(const std::string &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

} // namespace tla::test
