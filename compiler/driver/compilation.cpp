#include "compiler/driver/compilation.hpp"

#include "compiler/dependence/arguments.hpp"
#include "compiler/driver/check_request.hpp"
#include "compiler/driver/parse.hpp"
#include "compiler/driver/split_program.hpp"
#include "compiler/driver/step.hpp"
#include "compiler/driver/task_maps.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/ir/until.hpp"
#include "compiler/ir/verifier.hpp"
#include "compiler/process/files.hpp"
#include "compiler/process/process.hpp"

#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <utility>

namespace hetc::driver {

Compilation::Compilation(const Request &request)
    : request_(request), copies_(copiesWanted(request)), timer_(request.timeStages),
      notes_(llvm::sys::path::filename(request.file).str(), request.remarks && isTerminal()),
      session_({request.file, request.algorithm, request.type, request.compilerArguments, llvm::errs().has_colors(),
                request.split > 1, request.findings, request.text, kernelsForMaps(copies_, request.tasks)}),
      files_(request.output), reporter_(session_, request.file, request.remarks) {
  // What the analysis has to say was shown when the program was compiled without loops.
  reporter_.ignoreRemarks(request.onlyNodeLoops);
}

bool Compilation::run(const Step &stage) {
  const StageTimer::Scope scope = timer_.start(stage.name);
  const StageNotes::Scope note = notes_.enter(stage.name);
  const Said said = (this->*stage.run)();
  if (!said || !reporter_.show(*said))
    return false;
  const std::string broken = ir::verify((this->*stage.subject)());
  if (!broken.empty())
    process::reportOwnError(std::string("after stage '") + stage.name + "': " + broken);
  return broken.empty();
}

Result Compilation::finish(bool ok) {
  result_.ok = ok;
  result_.dependencies = files_.dependencies();
  result_.absent = files_.absent();
  result_.remarks = reporter_.remarks();
  return std::move(result_);
}

Said Compilation::parse() {
  std::optional<Parsed> parsed = parseProgram(session_, files_);
  if (!parsed)
    return std::nullopt;
  result_.program = std::move(parsed->program);
  if (request_.runOnly) {
    result_.program.check.clear();
    result_.program.checkArguments.clear();
  } else {
    checkedCall_ = std::move(parsed->checkedCall);
  }
  return std::move(parsed->diagnostics);
}

Said Compilation::proveCall() { return dependence::proveProgram(*checkedCall_, /*wantsPriorities=*/false).diagnostics; }

/// An algorithm that applies Q is used by others as well, and proved for them: here its kernels' arguments are checked
/// when they run.
bool Compilation::fitsCall() const { return provesCall() && program().check == "user"; }

Said Compilation::fitCall() { return fitArguments(*checkedCall_).diagnostics; }

dependence::Analyzed Compilation::analyze(ir::Program &program, dependence::Use use, bool makesLoops) const {
  const int largestGrid = request_.emit == Emit::Check ? 2 : 1;
  using Dependences = dependence::Questions::Dependences;
  const bool isShown = request_.emit == Emit::Deps;
  const dependence::Questions questions{isShown      ? Dependences::All
                                        : makesLoops ? Dependences::Flow
                                                     : Dependences::Unwritten,
                                        request_.emit != Emit::Check};
  return dependence::analyzeProgram(program, largestGrid, dependence::analysisLimits(program, use), questions);
}

Said Compilation::analyzeWhole() {
  whole_.emplace(Whole{ir::withAnyEnd(program()), {}});
  whole_->analyzed = analyze(whole_->program, dependence::Use::Loops, /*makesLoops=*/false);
  result_.proved = whole_->analyzed.proved;
  return whole_->analyzed.diagnostics;
}

Said Compilation::fitWhole() {
  fitted_ = fitArguments(whole_->program);
  return fitted_->diagnostics;
}

Said Compilation::takeStages() {
  result_.program.checksContent = whole_->program.checksContent;
  result_.program = ir::inStages(program());
  dependence::copyProved(whole_->program, result_.program);
  return Said::value_type();
}

Said Compilation::prove() {
  dependence::Proved proved = dependence::proveProgram(program(), /*wantsPriorities=*/true);
  dependence::derivePriorities(result_.program, proved.priorities);
  return std::move(proved.diagnostics);
}

Said Compilation::fit() {
  fitted_ = fitArguments(result_.program);
  return fitted_->diagnostics;
}

Said Compilation::split() {
  if (!program().functions.empty() || (checkedCall_ && !checkedCall_->functions.empty()))
    return refuseSplit();
  return splitProgram(result_.program, *fitted_, checkedCall_, request_.split, session_.rules()).diagnostics;
}

/// There is a request for the program on whole tiles then.
Said Compilation::refuseSplit() {
  result_.splitRefused = true;
  remark("'" + program().name +
         "' runs on whole tiles, not on slices: it calls an algorithm that calls itself, and what "
         "its kernels are given is not proved to fit slices");
  return std::nullopt;
}

Said Compilation::deal() {
  result_.hasNoUpdates = true;
  if (!program().functions.empty())
    return {{ir::makeError(program().functions.front().location,
                           (isOctal() ? "--tasks octal is" : "copies of the nodes are") +
                               std::string(" for programs without algorithms that call themselves, as '") +
                               program().functions.front().algorithm + "' does")}};
  if (program().until)
    return {{ir::makeError(program().until->location, (isOctal() ? "--tasks octal is" : "copies of the nodes are") +
                                                          std::string(" for programs whose loops no element ends: "
                                                                      "this one's run is several runs"))}};
  ir::Program tried;
  if (onlyTriesMaps()) {
    static_cast<ir::Declarations &>(tried) = program();
    tried.body = copyOf(program().body);
  }
  ir::Program &subject = onlyTriesMaps() ? tried : result_.program;
  Dealt dealt =
      isOctal() ? dealProgram(subject, session_.kernels()) : replicateProgram(subject, copies_, session_.kernels());
  result_.hasNoUpdates = !dealt.isDealt;
  return std::move(dealt.diagnostics);
}

/// Returns the use that is made of the analysis.
dependence::Use Compilation::useOfAnalysis() const {
  const bool isShown = request_.emit == Emit::Deps || request_.emit == Emit::Check;
  return isShown || hasDistribution() ? dependence::Use::Loops : dependence::Use::Priorities;
}

Said Compilation::analyze() {
  // Of parts, and of a program whose updates are dealt, all was said before; what the latter does is known to the run.
  reporter_.ignoreRemarks(program().until || request_.onlyNodeLoops || program().isDealt());
  const bool makesLoops = hasDistribution() && specialize::needsFlow(program());
  analyzed_ = analyze(result_.program, useOfAnalysis(), makesLoops);
  if (analyzed_->ownMistake) {
    reporter_.show(analyzed_->diagnostics);
    refuse(*analyzed_->ownMistake);
    return std::nullopt;
  }
  if (!program().until)
    result_.proved = analyzed_->proved;
  return analyzed_->diagnostics;
}

/// Where the program is wrong on the distribution, a request that can do without loops goes on without them.
Said Compilation::specialize() {
  reporter_.ignoreRemarks(false);
  auto made = specialize::specializeProgram(program(), *analyzed_, *request_.distribution);
  if (!reporter_.show(made.diagnostics)) {
    result_.loopsFailed = true;
    return request_.needsLoops ? std::nullopt : Said(std::in_place);
  }
  specialized_ = std::move(made);
  result_.nodeLoops = hasLoops();
  return Said::value_type();
}

bool Compilation::write(const std::string &bytes) const { return process::writeFile(request_.output, bytes); }

bool Compilation::writeProgram() const { return write(ir::print(program())); }

/// Writes the dependences of the whole, where its parts are compiled.
bool Compilation::writeDependences() const {
  const ir::Program &shown = whole_ ? whole_->program : program();
  const dependence::Analyzed &analyzed = whole_ ? whole_->analyzed : *analyzed_;
  if (analyzed.analysis && !analyzed.analysis->incomplete)
    return write(dependence::print(analyzed.onOneNode ? *analyzed.onOneNode : shown, *analyzed.analysis));
  llvm::errs() << "hetc: no dependences to print: " << analyzed.obstacle << "\n";
  return false;
}

bool Compilation::writeNodes() const {
  if (!hasLoops()) {
    llvm::errs() << "hetc: no loops for nodes to print: "
                 << (specialized_ ? specialized_->obstacle : analyzed_->obstacle) << "\n";
    return false;
  }
  if (!request_.node)
    return write(specialize::print(*specialized_->loops));
  std::vector<std::pair<int, int>> parts;
  for (const auto &[x, y] : specialized_->distribution.partsOf(*request_.node))
    parts.emplace_back(x, y);
  return write(specialize::print(specialize::atNode(*specialized_->loops, parts)));
}

} // namespace hetc::driver
