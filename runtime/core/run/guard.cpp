#include <tla/generated/guard.hpp>

#include <tla/runtime/error.hpp>

#include <atomic>
#include <string>

namespace tla::runtime {

namespace {

/// How many GuardEveryCall live. A count that publishes nothing, hence relaxed: whoever starts a run has made his
/// before.
std::atomic<int> guards{0};

std::string textOf(const GuardedPart &part) {
  return std::string(part.parameter) + ", which is " + part.argument + ",";
}

constexpr const char *remedy = "; give it what it needs: the whole tile, or lower(), which is strictly below the "
                               "diagonal, or upper(), which is the rest";

} // namespace

GuardEveryCall::GuardEveryCall() { guards.fetch_add(1, std::memory_order_relaxed); }
GuardEveryCall::~GuardEveryCall() { guards.fetch_sub(1, std::memory_order_relaxed); }
bool guardsEveryCall() { return guards.load(std::memory_order_relaxed) > 0; }

void failWriteOutside(const GuardedPart &part, int row, int column) {
  throw Error("writes outside of " + textOf(part) + " to element (" + std::to_string(row) + ", " +
              std::to_string(column) + ") of the tile" + remedy);
}

void failReadOutside(std::initializer_list<const GuardedPart *> arguments) {
  std::string all;
  for (const GuardedPart *part : arguments)
    if (part)
      all += (all.empty() ? "" : " or ") + textOf(*part);
  throw Error("reads outside of " + all + " as its results change with what is there" + remedy);
}

void failHalf(const GuardedPart &part, const char *condition) {
  throw Error("stays inside " + textOf(part) + " only if " + condition + remedy);
}

} // namespace tla::runtime
