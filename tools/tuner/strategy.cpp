#include "tools/tuner/strategy.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace hetc::tuning {

namespace {

class Exhaustive : public Strategy {
public:
  Exhaustive(const Candidates &, unsigned) {}
  std::vector<int> propose(const Known &known, int count) override {
    std::vector<int> result;
    for (; next_ < static_cast<int>(known.size()) && static_cast<int>(result.size()) < count; ++next_)
      if (!known[next_])
        result.push_back(next_);
    return result;
  }

private:
  int next_ = 0;
};

/// Mitchell's best-candidate sampling: of a few random points the one farthest from all that are known.
class Sample : public Strategy {
public:
  Sample(const Candidates &candidates, unsigned seed)
      : candidates_(candidates), random_(seed), nearest_(candidates.size(), 1e300) {}

  std::vector<int> propose(const Known &known, int count) override {
    std::vector<int> left;
    for (int each = 0; each < candidates_.size(); ++each)
      if (known[each])
        add(each);
      else if (!added_.count(each))
        left.push_back(each);
    std::vector<int> result;
    while (!left.empty() && static_cast<int>(result.size()) < count) {
      const std::size_t place = farthest(left);
      result.push_back(left[place]);
      add(left[place]);
      left[place] = left.back();
      left.pop_back();
    }
    return result;
  }

private:
  /// How many random points one is chosen from.
  static constexpr int trials = 12;

  std::size_t farthest(const std::vector<int> &left) {
    std::uniform_int_distribution<std::size_t> any(0, left.size() - 1);
    std::size_t best = any(random_);
    for (int trial = 1; trial < trials; ++trial)
      if (const std::size_t other = any(random_); nearest_[left[other]] > nearest_[left[best]])
        best = other;
    return best;
  }

  void add(int candidate) {
    if (!added_.insert(candidate).second)
      return;
    for (int each = 0; each < candidates_.size(); ++each)
      nearest_[each] = std::min(nearest_[each], candidates_.distance(each, candidate));
  }

  const Candidates &candidates_;
  std::mt19937 random_;
  std::vector<double> nearest_; ///< distance of each candidate to the nearest of added_
  std::set<int> added_;
};

/// Steepest steps would evaluate all neighbours first; here any better one is taken at once.
class Local : public Strategy {
public:
  Local(const Candidates &candidates, unsigned seed)
      : candidates_(candidates), sample_(candidates, seed), random_(seed) {}

  std::vector<int> propose(const Known &known, int count) override {
    for (;;) {
      if (at_ < 0) {
        if (starts_.empty())
          starts_ = sample_.propose(known, startCount());
        std::vector<int> unknown = takeUnknown(starts_, known, count);
        if (!unknown.empty())
          return unknown;
        if (!start(known))
          return {};
      }
      climb(known);
      std::vector<int> unknown = takeUnknown(neighbours_, known, count);
      if (!unknown.empty())
        return unknown;
      maxima_.insert(at_);
      at_ = -1;
    }
  }

private:
  /// How many points are looked at before a climb starts at the best of them: the more the wider the space.
  int startCount() const {
    const int iterators = static_cast<int>(candidates_.names().size());
    return maxima_.empty() ? 2 * iterators : iterators;
  }

  static std::vector<int> takeUnknown(const std::vector<int> &from, const Known &known, int count) {
    std::vector<int> result;
    for (const int each : from)
      if (!known[each] && static_cast<int>(result.size()) < count)
        result.push_back(each);
    return result;
  }

  /// At first from the best that is known; after a local maximum from the best of the new points. False: there are
  /// none.
  bool start(const Known &known) {
    int best = maxima_.empty() ? bestOf(known) : -1;
    for (const int each : starts_)
      if (best < 0 || *known[each] > *known[best])
        best = each;
    starts_.clear();
    if (best < 0)
      return false;
    moveTo(best);
    return true;
  }

  void moveTo(int candidate) {
    at_ = candidate;
    neighbours_ = candidates_.neighbours(candidate);
    std::ranges::shuffle(neighbours_, random_);
  }

  void climb(const Known &known) {
    for (bool moved = true; moved;) {
      moved = false;
      for (const int each : neighbours_)
        if (known[each] && *known[each] > *known[at_]) {
          moveTo(each);
          moved = true;
          break;
        }
    }
  }

  const Candidates &candidates_;
  Sample sample_;
  std::mt19937 random_;
  int at_ = -1; ///< where the climb is; -1: it has not started
  std::vector<int> neighbours_, starts_;
  std::set<int> maxima_; ///< local ones, found so far
};

using Maker = std::unique_ptr<Strategy> (*)(const Candidates &, unsigned);
template <typename S> std::unique_ptr<Strategy> make(const Candidates &candidates, unsigned seed) {
  return std::make_unique<S>(candidates, seed);
}

const std::map<std::string, Maker> strategies = {
    {"exhaustive", make<Exhaustive>}, {"local", make<Local>}, {"sample", make<Sample>}};

} // namespace

const std::vector<std::string> &strategyNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const auto &[name, maker] : strategies)
      result.push_back(name);
    return result;
  }();
  return names;
}

std::unique_ptr<Strategy> makeStrategy(const std::string &name, const Candidates &candidates, unsigned seed) {
  return strategies.at(name)(candidates, seed);
}

int bestOf(const Known &known) {
  int best = -1;
  for (int each = 0; each < static_cast<int>(known.size()); ++each)
    if (known[each] && *known[each] > 0 && (best < 0 || *known[each] > *known[best]))
      best = each;
  return best;
}

} // namespace hetc::tuning
