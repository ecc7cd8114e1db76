#include "compiler/dependence/context.hpp"

#include <gtest/gtest.h>

using namespace hetc::dependence;

static std::string reasonOfReading(const std::string &text, const AnalysisLimits &limits) {
  const ContextOwner ctx = makeContext();
  const Guard guard(ctx.get(), limits);
  try {
    for (;;)
      isl::set(ctx.get(), text);
  } catch (const isl::exception &error) {
    return guard.explain(error);
  }
}

// Wherever isl is in a text when it comes to the limit.
TEST(Guard, SaysThatTheOperationsAreUsedUp) {
  for (unsigned long operations = 1; operations < 400; ++operations)
    EXPECT_EQ(reasonOfReading("[n] -> { [i, j] : 0 <= i < n and exists (e : j = 2 e and 0 <= e <= i) }",
                              {.maxOperations = operations}),
              "more than " + std::to_string(operations) + " operations");
}

TEST(Guard, SaysThatTheTimeIsUsedUp) {
  EXPECT_EQ(reasonOfReading("{ [i] : i >= 0 }", {.maxOperations = 0, .maxTime = std::chrono::milliseconds(30)}),
            "more than 30 ms");
}

/// A thread that waits uses up nothing.
TEST(Guard, CountsTheTimeThatTheThreadComputes) {
  const ContextOwner ctx = makeContext();
  const Guard guard(ctx.get(), {.maxTime = std::chrono::milliseconds(200)});
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_NO_THROW(isl::set(ctx.get(), "{ [i] : i >= 0 }"));
}

/// The later of several phases have the rest of the limit.
TEST(Guard, CountsFromWhereItIsTold) {
  const ContextOwner ctx = makeContext();
  const Guard guard(ctx.get(), {.maxTime = std::chrono::milliseconds(50)},
                    processorTime() - std::chrono::milliseconds(50));
  try {
    for (;;)
      isl::set(ctx.get(), "{ [i] : i >= 0 }");
  } catch (const isl::exception &error) {
    EXPECT_EQ(guard.explain(error), "more than 50 ms");
  }
}

TEST(Guard, SaysWhatIslDoesNotRead) { EXPECT_EQ(reasonOfReading("{ [i] : ", {}).find("isl: "), 0u); }
