// What a compilation says while one waits.
#include "compiler/driver/stage_notes.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace hetc::driver::test {

namespace {

/// Standard error as a pipe, until it goes.
class CapturedError {
public:
  CapturedError() : before_(::dup(STDERR_FILENO)) {
    if (::pipe(ends_) == 0)
      ::dup2(ends_[1], STDERR_FILENO);
  }
  CapturedError(const CapturedError &) = delete;
  CapturedError &operator=(const CapturedError &) = delete;
  ~CapturedError() {
    ::dup2(before_, STDERR_FILENO);
    for (const int end : {before_, ends_[0], ends_[1]})
      ::close(end);
  }
  /// Waits for it.
  std::string line() const {
    std::string text;
    for (char c; ::read(ends_[0], &c, 1) == 1 && c != '\n';)
      text += c;
    return text;
  }

private:
  int before_, ends_[2] = {};
};

constexpr double shortSecond = 1e-4;

} // namespace

TEST(StageNotes, SayWhatIsDoneAfterSomeTime) {
  const CapturedError error;
  StageNotes notes("qr.tla", /*isShown=*/true, shortSecond);
  const StageNotes::Scope scope = notes.enter("specialize");
  EXPECT_EQ(error.line().substr(0, 34), "hetc: qr.tla: compiling has taken ");
  const std::string later = error.line();
  EXPECT_NE(later.find(" s; now hetc makes loops for the nodes (specialize)"), std::string::npos) << later;
}

TEST(StageNotes, EndAtOnceAndAreSilentIfAsked) {
  const CapturedError error;
  for (const bool isShown : {true, false}) {
    StageNotes notes("qr.tla", isShown, isShown ? 1e6 : shortSecond);
    const StageNotes::Scope scope = notes.enter("parse");
  }
  EXPECT_EQ(::write(STDERR_FILENO, "end\n", 4), 4);
  EXPECT_EQ(error.line(), "end");
}

} // namespace hetc::driver::test
