#include "lapack/summary.hpp"

#include "lapack/environment.hpp"
#include "lapack/loaded_objects.hpp"
#include "lapack/names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <unistd.h>

namespace tla::lapack {
namespace {

using Json = nlohmann::ordered_json;

struct Counts {
  long tiled = 0;
  std::map<std::string, long> passedOn; ///< number of calls passed on, by reason
};

/// Never deleted: it is read when the process ends.
struct State {
  std::mutex mutex;
  std::map<std::string, Counts> calls; ///< counts of each routine
  std::set<std::string> ownLibraries;
};
State &state() {
  static State &instance = *new State;
  return instance;
}

constexpr const char *realRoutines[] = {"ormqr", "orgqr", "ormlq", "orglq", "syev", "syevd", "syevr", "syevx", "sygst"},
                     *complexRoutines[] = {"unmqr", "ungqr", "unmlq", "unglq", "heev",
                                           "heevd", "heevr", "heevx", "hegst"},
                     *routines[] = {"potrf", "potrs", "posv",  "potri", "trtri", "trtrs", "lauum", "getrf", "getrs",
                                    "gesv",  "getri", "geqrf", "gelqf", "gels",  "gelsd", "gesdd", "gesvd"};

template <std::size_t count> bool isOneOf(const char *const (&list)[count], const std::string &name) {
  return std::find(list, list + count, name) != list + count;
}

/// The parts of a name such as "scipy_dpotrf_64_": the routine, dpotrf, and its family, scipy_*_64_.
struct ParsedName {
  std::string routine, family;
};

std::optional<ParsedName> parse(const std::string &symbol) {
  for (const Names names : {Names::ScipyIlp64, Names::Scipy, Names::Ilp64, Names::Plain}) {
    const std::string prefix = prefixOf(names), suffix = suffixOf(names);
    if (symbol.size() <= prefix.size() + suffix.size() || symbol.compare(0, prefix.size(), prefix) != 0 ||
        symbol.compare(symbol.size() - suffix.size(), suffix.size(), suffix) != 0)
      continue;
    const std::string routine = symbol.substr(prefix.size(), symbol.size() - prefix.size() - suffix.size());
    return ParsedName{routine, prefix + "*" + suffix};
  }
  return std::nullopt;
}

bool isOurRoutine(const std::string &routine) {
  if (routine.empty() || !std::strchr("sdcz", routine[0]))
    return false;
  const std::string name = routine.substr(1);
  return isOneOf(routines, name) ||
         (std::strchr("sd", routine[0]) ? isOneOf(realRoutines, name) : isOneOf(complexRoutines, name));
}

/// Whether a symbol is a spelling of a name that tells a LAPACK, or a BLAS, whatever its names look like: letters
/// before and after are not part of them.
bool isSpelling(const char *symbol, const char *name) {
  const char *const found = strcasestr(symbol, name);
  return found && std::isalpha(static_cast<unsigned char>(found[std::strlen(name)])) == 0 &&
         !strcasestr(symbol, "lapacke") && !strcasestr(symbol, "cblas");
}

bool isWanted(const char *symbol) {
  if (isSpelling(symbol, "dgetrf") || isSpelling(symbol, "dgemm"))
    return true;
  const std::optional<ParsedName> parsed = parse(symbol);
  return parsed && isOurRoutine(parsed->routine);
}

struct Library {
  std::string file;
  bool blas = false, lapack = false;
  std::set<std::string> families, otherNames;
};
struct CallingObject {
  std::string file;
  std::set<std::string> routines;
};
struct Findings {
  std::vector<Library> libraries;
  std::vector<CallingObject> callers;
};

std::string shownFile(const std::string &file) {
  if (!file.empty())
    return file;
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, length) : "the program";
}

void look(const LoadedObject &object, Findings &findings) {
  Library library;
  CallingObject caller;
  library.file = caller.file = shownFile(object.file);
  for (const LoadedSymbol &symbol : object.symbols) {
    const std::optional<ParsedName> parsed = parse(symbol.name);
    if (parsed && isOurRoutine(parsed->routine))
      (symbol.defined ? library.families : caller.routines).insert(symbol.defined ? parsed->family : symbol.name);
    if (!symbol.defined)
      continue;
    library.blas |= isSpelling(symbol.name.c_str(), "dgemm");
    if (isSpelling(symbol.name.c_str(), "dgetrf")) {
      library.lapack = true;
      library.otherNames.insert(symbol.name);
    }
  }
  if (library.blas || library.lapack)
    findings.libraries.push_back(library);
  if (!caller.routines.empty())
    findings.callers.push_back(caller);
}

Findings findLapack(const std::set<std::string> &ownLibraries) {
  Findings findings;
  for (const LoadedObject &object : loadedObjects(isWanted))
    if (!object.ours && !ownLibraries.count(object.file))
      look(object, findings);
  return findings;
}

/// Why no call was computed on tiles.
std::string whyNothing(const State &all, const Findings &found) {
  std::map<std::string, long> reasons;
  long calls = 0;
  for (const auto &[routine, counts] : all.calls)
    for (const auto &[reason, count] : counts.passedOn) {
      reasons[reason] += count;
      calls += count;
    }
  if (calls) {
    std::string text = std::to_string(calls) + (calls == 1 ? " call was passed on" : " calls were passed on");
    for (const auto &[reason, count] : reasons)
      text += "; " + std::to_string(count) + ": " + reason;
    return text;
  }
  std::string known, other;
  for (const Library &library : found.libraries) {
    if (!library.families.empty())
      known += (known.empty() ? "" : ", ") + library.file + " (" + *library.families.begin() + ")";
    else if (library.lapack)
      other += (other.empty() ? "" : ", ") + library.file + " (" + *library.otherNames.begin() + ")";
  }
  if (!known.empty())
    return "none of hetc's routines was called in the LAPACK that is loaded, " + known;
  if (!other.empty())
    return "the LAPACK that is loaded has names that hetc does not know: " + other;
  return "no LAPACK is loaded as a library of its own";
}

Json asJson(const State &all, const Findings &found) {
  Json libraries = Json::array(), callers = Json::array(), calls = Json::array();
  for (const Library &library : found.libraries)
    libraries.push_back({{"file", library.file},
                         {"blas", library.blas},
                         {"lapack", library.lapack},
                         {"names", library.families},
                         {"other_names", library.families.empty() ? library.otherNames : std::set<std::string>()}});
  for (const CallingObject &caller : found.callers)
    callers.push_back({{"file", caller.file}, {"routines", caller.routines}});
  for (const auto &[routine, counts] : all.calls)
    calls.push_back({{"routine", routine}, {"tiled", counts.tiled}, {"passed_on", counts.passedOn}});
  return {{"program", shownFile("")}, {"pid", getpid()}, {"libraries", libraries},
          {"callers", callers},       {"calls", calls},  {"why_nothing", ""}};
}

/// One write: processes of one program may end at once.
void append(const std::string &file, const std::string &line) {
  const int fd = open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || write(fd, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    std::fprintf(stderr, "hetc: HETC_LAPACK_REPORT=%s cannot be written: %s\n", file.c_str(), std::strerror(errno));
  if (fd >= 0)
    close(fd);
}

void summarize() {
  const State &all = state();
  const bool reached =
      std::any_of(all.calls.begin(), all.calls.end(), [](const auto &entry) { return entry.second.tiled > 0; });
  const std::string &file = environment().report;
  if (reached && file.empty())
    return;
  const Findings found = findLapack(all.ownLibraries);
  const std::string why = reached ? "" : whyNothing(all, found);
  if (!reached && environment().verbose)
    std::fprintf(stderr, "hetc: nothing was computed on tiles in %s: %s\n", program_invocation_short_name, why.c_str());
  if (file.empty())
    return;
  Json report = asJson(all, found);
  report["why_nothing"] = why;
  append(file, report.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

/// When the process ends by itself, after its own exit handlers. A child that never called exec ends as its parent.
__attribute__((destructor)) void atEnd() {
  if (!isSummaryWanted())
    return;
  try {
    summarize();
  } catch (const std::exception &) { // out of memory: the end goes on
  }
}

} // namespace

bool isSummaryWanted() { return environment().verbose || !environment().report.empty(); }

void countTiled(const std::string &routine) {
  if (!isSummaryWanted())
    return;
  const std::lock_guard lock(state().mutex);
  ++state().calls[routine].tiled;
}

void countPassedOn(const std::string &routine, const std::string &reason) {
  if (!isSummaryWanted())
    return;
  const std::lock_guard lock(state().mutex);
  ++state().calls[routine].passedOn[reason];
}

void noteOwnLibraries(const std::vector<std::string> &files) {
  const std::lock_guard lock(state().mutex);
  state().ownLibraries.insert(files.begin(), files.end());
}

} // namespace tla::lapack
