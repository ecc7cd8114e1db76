// What goes wrong in cases on several ranks.
#include "tests/fuzz/configuration.hpp"

namespace fuzz {

namespace {

/// A rank stands still for some time, which is mostly short, so that many cases fit in a campaign.
void freeze(Fault &fault, Random &random) {
  fault.frozenMilliseconds = random.chance(4) ? random.between(1000, 3000) : random.between(100, 500);
  fault.watchdogSeconds = random.one({15., 15., 1., 0.3});
}

/// Rare, as the others notice after 4 s and more.
void silence(Fault &fault, Random &random) {
  fault.dies = random.chance(50);
  if (!fault.dies)
    fault.frozenMilliseconds = 60'000;
  fault.watchdogSeconds = random.one({0.2, 0.4});
}

Fault drawFault(Random &random) {
  Fault fault;
  fault.rankPermille = random.between(0, 999);
  fault.permille = random.between(0, 999);
  const unsigned kind = random.below(100);
  if (kind < 2)
    silence(fault, random);
  else if (kind < 22)
    freeze(fault, random);
  else if (kind < 45)
    fault.slowMicroseconds = random.one({20, 100, 500});
  if (kind >= 45 || random.chance(30))
    fault.holdBack = random.one({1, 3, 20});
  return fault;
}

} // namespace

void drawFaults(TrialPlan &plan, const Bounds &bounds, Random &random) {
  for (Case &one : plan.cases)
    if (one.ranks > 1 && random.chance(bounds.faults))
      one.fault = drawFault(random);
}

std::string faultText(const Fault &fault) {
  const std::string at = " at " + std::to_string(fault.permille / 10) + " % of its messages";
  std::string text;
  if (fault.dies)
    text = "a rank dies" + at;
  else if (fault.frozenMilliseconds > 0)
    text = "a rank stands still for " + std::to_string(fault.frozenMilliseconds) + " ms" + at;
  else if (fault.slowMicroseconds > 0)
    text = "a rank takes " + std::to_string(fault.slowMicroseconds) + " us more for each message";
  if (fault.holdBack > 0)
    text += std::string(text.empty() ? "" : ", and ") + "what comes in is held back for up to " +
            std::to_string(fault.holdBack) + " looks";
  return text;
}

} // namespace fuzz
