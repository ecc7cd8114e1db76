// How ranks come to one outcome of a run.
#include "runtime/core/network/agreement.hpp"
#include "tests/support/transport/local_network.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace tla::runtime {
namespace {

/// One rank, which tells itself.
class AgreementTest : public testing::Test {
protected:
  void SetUp() override {
    state_.begin();
    agreement_.begin();
    controls_.begin();
  }
  /// Acts as the generating thread does when this rank's tasks are complete, and as the courier does then.
  void end() {
    Outcome outcome;
    const bool cutShort = state_.cutShort();
    state_.end(outcome);
    if (betweenEndAndProposal_)
      agreement_.fail(*betweenEndAndProposal_);
    agreement_.propose(outcomeText(outcome), cutShort);
    EXPECT_TRUE(agreement_.leave());
    agreement_.sayEnd();
  }
  Outcome outcome() const {
    Outcome result;
    EXPECT_TRUE(agreement_.concluded());
    readOutcome(agreement_.outcome(), result);
    return result;
  }

  LocalNetwork network_{1};
  RunState state_;
  ControlMessages controls_{network_.endpoint(0), [this](int source, Control kind, const std::string &text) {
                              if (kind == Control::End)
                                agreement_.onEnd(source, text);
                            }};
  Agreement agreement_{state_, network_.endpoint(0), controls_};
  std::optional<std::string> betweenEndAndProposal_;
};

TEST_F(AgreementTest, AllIsFine) {
  end();
  EXPECT_EQ(outcome().kind, Outcome::Kind::Finished);
}

TEST_F(AgreementTest, AFaultWhileComputing) {
  agreement_.fail("two ends of a message differ");
  end();
  EXPECT_EQ(outcome().kind, Outcome::Kind::Fault);
  EXPECT_EQ(outcome().message, "two ends of a message differ");
}

/// The results of a run are there where every rank's are, whatever the outcome that is said.
TEST(Agreement, ARunWentOnIfItDidOnAllRanks) {
  const auto text = [](Outcome::Kind kind, bool wentOn) {
    Outcome outcome;
    outcome.kind = kind;
    outcome.info = kind == Outcome::Kind::Numerical ? 5 : 0;
    outcome.wentOn = wentOn;
    return outcomeText(outcome);
  };
  using Kind = Outcome::Kind;
  const std::string finished = text(Kind::Finished, false), wentOn = text(Kind::Numerical, true);
  for (const std::string &other : {finished, wentOn, text(Kind::Numerical, false), text(Kind::Interrupted, false)})
    for (const auto &ranks : {std::vector{wentOn, other}, std::vector{other, wentOn}}) {
      Outcome outcome;
      readOutcome(firstOutcome(ranks), outcome);
      EXPECT_EQ(outcome.kind, Kind::Numerical);
      EXPECT_EQ(outcome.info, 5);
      EXPECT_EQ(outcome.isComplete(), other == finished || other == wentOn);
    }
}

/// RunState has forgotten the run by then.
TEST_F(AgreementTest, AFaultBetweenTheLastTaskAndTheProposal) {
  betweenEndAndProposal_ = "what is forwarded has the wrong size";
  end();
  EXPECT_EQ(outcome().kind, Outcome::Kind::Fault);
  EXPECT_EQ(outcome().message, "what is forwarded has the wrong size");
  EXPECT_TRUE(agreement_.stopping());
}

TEST_F(AgreementTest, TheNextRunKnowsNothingOfIt) {
  betweenEndAndProposal_ = "what is forwarded has the wrong size";
  end();
  betweenEndAndProposal_.reset();
  SetUp();
  end();
  EXPECT_EQ(outcome().kind, Outcome::Kind::Finished);
}

} // namespace
} // namespace tla::runtime
