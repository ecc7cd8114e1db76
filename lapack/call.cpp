#include "lapack/call.hpp"

#include "dsl/base/text.hpp"
#include "lapack/environment.hpp"
#include "lapack/summary.hpp"

#include <chrono>
#include <limits>
#include <new>
#include <optional>

namespace tla::lapack {
namespace {

/// The flag is the thread's, as no parameter of LAPACK's interface tells a routine that another one called it.
thread_local bool insideCall = false;

struct Inside {
  Inside() { insideCall = true; }
  ~Inside() { insideCall = false; }
};

/// Why a call is passed on.
struct Refusal {
  std::string reason;   ///< empty: it is not
  bool isWhole = false; ///< whether its parts are passed on, too
};

/// Makes the call to the next library.
void passOn(const Call &call, bool isWhole = false) {
  const bool before = insideCall;
  insideCall = before && (isWhole || !call.partsOnTiles);
  call.passOn();
  insideCall = before;
}

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
    countTiled(call_.routine);
    how_ = "tiled, nb " + std::to_string(tiles.nb()) + ", " + std::to_string(tiles.threads()) + " threads";
  }
  void passedOn(const std::string &reason) {
    countPassedOn(call_.routine, reason);
    how_ = "passed on (" + reason + ")";
  }

  ~Report() {
    if (!environment().verbose)
      return;
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin_;
    std::string line = "hetc: " + call_.routine;
    for (const Size &size : call_.sizes)
      line += std::string(" ") + size.name + "=" + std::to_string(size.value);
    std::fputs(format("%s: %s, %.6f s\n", line.c_str(), how_.c_str(), elapsed.count()).c_str(), stderr);
  }

private:
  const Call &call_;
  std::chrono::steady_clock::time_point begin_;
  std::string how_;
};

int tiledFrom(const Call &call) { return environment().minN.value_or(call.tiledFrom); }

bool isSmall(const Call &call) { return call.least < tiledFrom(call); }

/// Empty when the sizes are for tiles; else why not.
std::string whyNotTiled(const Call &call) {
  if (call.least == 0)
    return "nothing to compute";
  if (isSmall(call))
    return "smaller than " + std::to_string(tiledFrom(call));
  const auto fits = [](long size) { return size <= std::numeric_limits<int>::max(); };
  const bool allFit = std::all_of(call.leading.begin(), call.leading.end(), fits) &&
                      std::all_of(call.sizes.begin(), call.sizes.end(), [&](const Size &s) { return fits(s.value); });
  return allFit ? "" : "a dimension is larger than 2147483647";
}

/// LAPACK's info, when the call was computed; else `refusal` says why not.
std::optional<int> computeOnTiles(const Call &call, Report &report, Refusal &refusal) {
  const Lease lease(call.origin.library);
  if (lease.refusal()) {
    refusal = {lease.refusal()};
    return std::nullopt;
  }
  std::optional<Tiles> tiles;
  try {
    const int most = call.largestTile;
    tiles.emplace(lease, most ? std::min(environment().nb.value_or(most), most) : lease.tileSize(call.work));
    const int info = call.onTiles(*tiles);
    report.tiled(*tiles);
    return info;
  } catch (const LeftToLapack &error) {
    refusal = {error.what(), true};
  } catch (const NotStarted &error) {
    refusal = {error.what()};
  } catch (const std::bad_alloc &) {
    if (tiles && tiles->hasRun())
      endHalfWay(call.routine.c_str(), "out of memory");
    refusal = {"out of memory"};
  }
  return std::nullopt;
}

} // namespace

std::optional<int> perform(const Call &call) {
  if (insideCall) {
    call.passOn();
    return std::nullopt;
  }
  // Nothing can be said of the arguments then: what looks like INTEGERs of 32 bits has 64.
  const bool unknown =
      call.origin.library && call.origin.library->plainNamesAreIlp64 && call.origin.names == Names::Plain;
  if (const int illegal = unknown ? 0 : firstIllegal(call.requirements)) {
    xerbla(fortranName(call.routine).c_str(), -illegal, call.origin);
    return illegal;
  }
  const Inside inside; // not before: a host's XERBLA need not come back
  // Of small calls nobody may ask, and what is said of them takes as long as they do.
  if (call.query || (isSmall(call) && !isSummaryWanted())) {
    passOn(call);
    return std::nullopt;
  }
  Report report(call);
  Refusal refusal{unknown ? "the library has 64-bit integers under LAPACK's plain names" : whyNotTiled(call)};
  if (refusal.reason.empty())
    if (const std::optional<int> info = computeOnTiles(call, report, refusal))
      return info;
  report.passedOn(refusal.reason);
  passOn(call, refusal.isWhole);
  return std::nullopt;
}

} // namespace tla::lapack
