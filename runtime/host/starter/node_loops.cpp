#include "runtime/host/starter/node_loops.hpp"

#include "runtime/host/starter/run_command.hpp"
#include "runtime/interfaces/starter.hpp"

#include <tla/runtime/error.hpp>
#include <tla/runtime/executor.hpp>

#include <dlfcn.h>

namespace tla::host {
namespace {
using runtime::Algorithm;
using runtime::hasNodeLoops;

/// The path of a shared library; empty: none. Nobody is asked for loops that the program would have, could they be had.
std::string askForLoops(const Distribution &distribution, bool silent) {
  const std::optional<Starter> starter = findStarter();
  return starter && starter->distribution != distribution.name()
             ? runCommand(starter->moduleCommand(distribution.name()), silent).value_or("")
             : "";
}

bool isFor(const Algorithm &algorithm, const Distribution &distribution) {
  return algorithm.distribution && distribution.name() == algorithm.distribution;
}

/// The algorithm's description in a shared library; null: it has none.
const Algorithm *findModule(const Algorithm &algorithm, const std::string &path) {
  void *const library = path.empty() ? nullptr : ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string name = std::string("tla_algorithm_") + algorithm.name + "_" + static_cast<char>(algorithm.type);
  return library ? static_cast<const Algorithm *>(::dlsym(library, name.c_str())) : nullptr;
}

/// False when the library is not what it should be, or says that its loops were refused.
bool takeLoops(Algorithm &algorithm, const Distribution &distribution, const std::string &path) {
  const Algorithm *const module = findModule(algorithm, path);
  if (!module || module->mapping != algorithm.mapping || !isFor(*module, distribution))
    return false;
  algorithm.distribution = module->distribution;
  algorithm.generateNode = module->generateNode;
  return hasNodeLoops(algorithm, distribution);
}

void requireLoops(const Algorithm &algorithm, const Distribution &distribution, const Settings &settings) {
  if (settings.generator != GeneratorChoice::Nodes || hasNodeLoops(algorithm, distribution))
    return;
  if (isFor(algorithm, distribution))
    throw Error(std::string("--generator nodes: the loops that hetc makes for the nodes of ") + distribution.name() +
                " do something else than " + algorithm.name + ", and are not used; this is hetc's own error");
  throw UsageError(std::string("--generator nodes: ") + algorithm.name + " has no loops for the nodes of " +
                   distribution.name());
}

/// Loops are made for the distribution's own period.
bool mustReplay(const Distribution &distribution, const Settings &settings) {
  const bool other = settings.period && *settings.period != distribution.period();
  if (other && settings.generator == GeneratorChoice::Nodes)
    throw UsageError(std::string("--generator nodes: with --period the nodes of ") + distribution.name() +
                     " have no loops");
  return other || settings.generator == GeneratorChoice::Replay;
}

Algorithm byReplay(Algorithm algorithm) {
  algorithm.generateNode = nullptr;
  return algorithm;
}

/// On the ranks that ask, "path"; on all, that of the first rank of this machine.
std::string pathOnThisMachine(const std::string &path, Ranks &ranks, const Neighbours &neighbours) {
  return ranks.exchange(path)[neighbours.first];
}
} // namespace

const Algorithm *forCopies(const Algorithm &algorithm, int copies) {
  std::optional<Starter> starter = findStarter();
  if (!starter || starter->split > 1 || algorithm.isDealt())
    return nullptr;
  starter->copies = copies;
  const Algorithm *const module =
      findModule(algorithm, runCommand(starter->moduleCommand(""), /*silent=*/true).value_or(""));
  const bool isSame = module && module->copies() == copies && module->matrixCount == algorithm.matrixCount;
  return isSame ? module : nullptr;
}

bool canAskForLoops() { return findStarter().has_value(); }

const char *generatorName(const Algorithm &algorithm, const Distribution &distribution) {
  return runtime::hasNodeLoops(algorithm, distribution) ? "nodes" : "replay";
}

Algorithm withNodeLoops(const Algorithm &algorithm, const Distribution &distribution, const Settings &settings,
                        bool ask) {
  if (mustReplay(distribution, settings))
    return byReplay(algorithm);
  Algorithm result = algorithm;
  const bool has = hasNodeLoops(algorithm, distribution);
  if (ask && !algorithm.isDealt() && !has && canAskForLoops()) // the order of what is dealt is known to a run only
    takeLoops(result, distribution, askForLoops(distribution, settings.quiet));
  requireLoops(result, distribution, settings);
  return result;
}

Algorithm withNodeLoops(const Algorithm &algorithm, const Distribution &distribution, const Settings &settings,
                        Ranks &ranks, const Neighbours &neighbours) {
  if (mustReplay(distribution, settings))
    return byReplay(algorithm);
  Algorithm result = algorithm;
  if (!hasNodeLoops(algorithm, distribution)) {
    const bool asks = canAskForLoops() && ranks.rank() == neighbours.first;
    const std::string mine = asks ? askForLoops(distribution, !ranks.first() || settings.quiet) : "";
    const bool has = takeLoops(result, distribution, pathOnThisMachine(mine, ranks, neighbours));
    if (ranks.largest(has ? 0 : 1) != 0)
      result = byReplay(result);
  }
  requireLoops(result, distribution, settings);
  return result;
}

} // namespace tla::host
