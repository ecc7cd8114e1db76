#include "lapack/call.hpp"

#include "lapack/environment.hpp"

#include <chrono>
#include <new>
#include <optional>

namespace tla::lapack {
namespace {

thread_local bool insideCall = false;

struct Inside {
  Inside() { insideCall = true; }
  ~Inside() { insideCall = false; }
};

/// "DPOSV ": in capitals, padded to six.
std::string fortranName(std::string routine) {
  for (char &c : routine)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  routine.resize(std::max<std::size_t>(routine.size(), 6), ' ');
  return routine;
}

/// HETC_VERBOSE's line on one call, written when it ends.
class Report {
public:
  explicit Report(const Call &call) : call_(call), begin_(std::chrono::steady_clock::now()) {}
  Report(const Report &) = delete;
  Report &operator=(const Report &) = delete;

  void tiled(const Tiles &tiles) {
    how_ = "tiled, nb " + std::to_string(tiles.nb()) + ", " + std::to_string(tiles.threads()) + " threads";
  }
  void passedOn(const std::string &reason) { how_ = "passed on (" + reason + ")"; }

  ~Report() {
    if (!environment().verbose)
      return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    std::string line = "hetc: " + call_.routine;
    for (const Size &size : call_.sizes)
      line += std::string(" ") + size.name + "=" + std::to_string(size.value);
    std::fprintf(stderr, "%s: %s, %.6f s\n", line.c_str(), how_.c_str(), elapsed.count());
  }

private:
  const Call &call_;
  std::chrono::steady_clock::time_point begin_;
  std::string how_;
};

/// Empty when the sizes are for tiles; else why not.
std::string tooSmall(const Call &call) {
  const int from = environment().minN.value_or(call.tiledFrom);
  if (call.least == 0)
    return "nothing to compute";
  return call.least < from ? "smaller than " + std::to_string(from) : "";
}

/// True when the call was computed; else `reason` says why not.
bool computeOnTiles(const Call &call, int &info, Report &report, std::string &reason) {
  const Lease lease;
  if (lease.refusal()) {
    reason = lease.refusal();
    return false;
  }
  std::optional<Tiles> tiles;
  try {
    tiles.emplace(lease, lease.tileSize(call.work));
    report.tiled(*tiles);
    info = call.onTiles(*tiles);
    return true;
  } catch (const NotStarted &error) {
    reason = error.what();
  } catch (const std::bad_alloc &) {
    if (tiles && tiles->hasRun())
      endHalfWay(call.routine.c_str(), "out of memory");
    reason = "out of memory";
  }
  return false;
}

} // namespace

void perform(const Call &call, int &info) {
  if (insideCall)
    return call.passOn();
  info = firstIllegal(call.requirements);
  if (info != 0)
    return xerbla(fortranName(call.routine).c_str(), -info);
  const Inside inside;
  if (call.query)
    return call.passOn();
  Report report(call);
  std::string reason = tooSmall(call);
  if (reason.empty() && computeOnTiles(call, info, report, reason))
    return;
  report.passedOn(reason);
  call.passOn();
}

} // namespace tla::lapack
