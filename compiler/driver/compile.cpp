#include "compiler/driver/compile.hpp"

#include "compiler/codegen/backend.hpp"
#include "compiler/codegen/cxx.hpp"
#include "compiler/dependence/arguments.hpp"
#include "compiler/dependence/dependence.hpp"
#include "compiler/driver/files.hpp"
#include "compiler/driver/link_errors.hpp"
#include "compiler/driver/process.hpp"
#include "compiler/driver/stage_timer.hpp"
#include "compiler/frontend/frontend.hpp"
#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/period.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/ir/verifier.hpp"
#include "compiler/specialize/specialize.hpp"
#include "compiler/split/split.hpp"
#include "compiler/support/paths.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace hetc::driver {

namespace {

class Pipeline {
public:
  explicit Pipeline(const Request &request)
      : request_(request), timer_(request.timeStages),
        session_({request.file, request.algorithm, request.type, request.compilerArguments, llvm::errs().has_colors(),
                  request.split > 1}) {}

  Result run() {
    std::vector<std::string> given = request_.kernelSources;
    given.push_back(request_.file);
    result_.ok = checkFile(request_.file) && checkSlices() && checkNotInput(request_.output, given) && stages();
    return std::move(result_);
  }

private:
  bool stages() {
    if (!stage("parse", [this] { return parse(); }))
      return false;
    if (request_.emit == Emit::Parse)
      return true;
    if (request_.emit == Emit::Ir)
      return write(ir::print(result_.program));
    if (request_.split > 1 && !splitStages())
      return false;
    if (request_.emit == Emit::Split)
      return write(ir::print(result_.program));
    if (!stage("analyze", [this] { return analyze(); }))
      return false;
    // A program on slices is proved as the author wrote it; its own calls are checked when they run.
    if (request_.split == 1 && !stage("fit", [this] { return checkArguments(); }))
      return false;
    if (request_.emit == Emit::Check)
      return true;
    if (request_.emit == Emit::Deps)
      return writeDependences();
    if (!request_.distribution.empty() && !stage("specialize", [this] { return specialize(); }))
      return false;
    if (request_.onlyNodeLoops && !nodeProgram_)
      return true;
    if (request_.validate && nodeProgram_ && !validateLoops())
      return false;
    if (request_.emit == Emit::Nodes)
      return writeNodes();
    if (cxx_.empty() && !stage("generate", [this] { return generate(); }))
      return false;
    if (request_.emit == Emit::Cxx)
      return write(cxx_);
    if (request_.emit == Emit::Llvm || request_.emit == Emit::Object)
      return compileAndWrite();
    return compileAndLink();
  }

  /// Loops of nodes are tried as machine code, so that nothing on the way there is left out.
  bool validateLoops() {
    std::optional<std::string> difference;
    const bool tried = stage("generate", [this] { return generate(); }) &&
                       stage("compile", [this] { return compileGenerated(codegen::OutputKind::Object); }) &&
                       stage("validate", [&] { return tryLoops(difference); });
    if (difference)
      refuseLoops(*difference);
    return tried;
  }

  bool tryLoops(std::optional<std::string> &difference) {
    const TemporaryFile object("hetc-try", "o");
    return object && object.write(object_) && tryProgram({object.path()}, distribution_->name(), difference);
  }

  /// False when it cannot be linked, which is said where the objects are to be a complete program.
  bool tryProgram(const std::vector<std::string> &objects, const std::string &distribution,
                  std::optional<std::string> &difference, bool isComplete = true) {
    const TemporaryFile library("hetc-try", "so");
    if (!library)
      return false;
    const codegen::LinkOutcome linked = codegen::link(objects, codegen::LinkKind::SharedLibrary, library.path());
    if (linked.ok)
      difference = request_.validate({library.path(), codegen::descriptionSymbol(result_.program), distribution});
    else if (isComplete)
      llvm::errs() << explainLinkFailure(linked.messages, result_.program, objects);
    return linked.ok;
  }

  /// The program on slices computes what the plain one does. Where it does not, there is a request for the latter.
  bool trySplit() {
    std::optional<std::string> difference;
    if (!tryProgram(objectPaths(), "", difference))
      return false;
    return !difference || refuseSplit(*difference);
  }

  /// False. The author's program was proved before it was split.
  bool refuseSplit(const std::string &difference) {
    result_.splitRefused = true;
    remark({}, "hetc's own error, please report it with the source: on slices of tiles '" + result_.program.name +
                   "' does something else than the plain program, which is used instead (" + difference + ")");
    return false;
  }

  void refuseLoops(const std::string &difference) {
    result_.nodeLoops = false;
    result_.loopsRefused = true;
    cxx_.clear();
    object_.clear();
    remark({}, "hetc's own error, please report it with the source: the loops for the nodes of " +
                   distribution_->name() + " do something else than '" + result_.program.name +
                   "', and each node runs all of it instead (" + difference + ")");
  }

  bool checkSlices() const {
    if (request_.split >= 1 && request_.split <= split::mostSlices)
      return true;
    llvm::errs() << "hetc: --split: a tile is cut into 1 (not at all) to " << split::mostSlices << " slices, not "
                 << request_.split << "\n";
    return false;
  }

  /// The author's program is analyzed before it is split, so that what is wrong in it is said in the author's terms.
  bool splitStages() {
    const bool isWanted = request_.emit != Emit::Split; // else to be looked at
    if ((isWanted && !stage("prove", [this] { return prove(); })) || !stage("fit", [this] { return checkArguments(); }))
      return false;
    return stage("split", [this] {
      split();
      return true;
    });
  }

  /// Runs one stage under the clock, then the verifier: a stage that breaks the IR is found at once.
  template <typename Stage> bool stage(const char *name, Stage &&run) {
    const StageTimer::Scope scope = timer_.start(name);
    if (!run())
      return false;
    if (const std::string broken = ir::verify(result_.program); !broken.empty()) {
      reportOwnError(std::string("after stage '") + name + "': " + broken);
      return false;
    }
    return true;
  }

  bool parse() {
    auto program = session_.parse();
    result_.dependencies.insert(session_.dependencies().begin(), session_.dependencies().end());
    result_.dependencies.insert(session_.kernelSources().begin(), session_.kernelSources().end());
    if (!program || !keepsInputs())
      return false;
    result_.program = std::move(*program);
    const bool ends = requireEnds(result_.program.body, ir::loopEnds(result_.program));
    return requirePanelSteps() && ends;
  }

  /// Shows the loops that never end, and false when there are any.
  bool requireEnds(const ir::Block &block, const std::map<const ir::Loop *, ir::LoopEnd> &ends) {
    bool all = true;
    for (const ir::Statement &statement : block)
      if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
        all = requireEnds((*branch)->then, ends) && all;
        all = requireEnds((*branch)->otherwise, ends) && all;
      } else if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
        const std::string &never = ends.at(loop->get()).never;
        if (!never.empty())
          session_.report({ir::Diagnostic::Severity::Error,
                           (*loop)->location,
                           "the loop over '" + (*loop)->variable + "' never ends once it is entered: " + never,
                           {}});
        all = all && never.empty();
        all = requireEnds((*loop)->body, ends) && all;
      }
    return all;
  }

  bool requirePanelSteps() {
    const std::vector<ir::PanelStep> open = ir::openPanelSteps(result_.program);
    for (const auto &[step, location] : open)
      session_.report({ir::Diagnostic::Severity::Error,
                       location,
                       "the step of a panel must be at least 1, which hetc cannot see of '" + ir::print(*step) +
                           "': use a constant, p() or q() of a matrix, a parameter that is tuned, or max(1, ...)",
                       {}});
    return open.empty();
  }

  bool keepsInputs() const {
    return checkNotInput(request_.output, {result_.dependencies.begin(), result_.dependencies.end()});
  }

  /// Errors that the dependence analysis finds in the program as it is now: on one node, where it asks for the period.
  bool prove() {
    const bool asks = ir::asksPeriod(result_.program);
    const auto outcome =
        asks ? dependence::analyze(ir::bindPeriod(result_.program, 1, 1)) : dependence::analyze(result_.program);
    const auto *analysis = std::get_if<dependence::Analysis>(&outcome);
    return !analysis || !report(*analysis);
  }

  /// Shows the calls whose arguments do not fit together, false when there are any, and notes what is proved of others.
  bool checkArguments() {
    const dependence::ProvedArguments proved = dependence::proveArguments(result_.program);
    const dependence::Findings findings = dependence::findMisfits(result_.program, proved);
    for (const dependence::Misfit &misfit : findings.misfits)
      session_.report({ir::Diagnostic::Severity::Error, misfit.location, misfit.message, {}});
    dependence::markProved(result_.program, proved);
    fitting_ = fitting(proved, findings);
    return findings.misfits.empty();
  }

  /// Shows the violations; true when there are any.
  bool report(const dependence::Analysis &analysis) {
    for (const auto *violations : {&analysis.outOfBounds, &analysis.uninitialized})
      for (const dependence::Violation &violation : *violations)
        session_.report({ir::Diagnostic::Severity::Error,
                         violation.location,
                         dependence::describe(result_.program, violation),
                         {}});
    return !analysis.outOfBounds.empty() || !analysis.uninitialized.empty();
  }

  void split() {
    split::Subject ofCheck = {session_.checkedCall(), {}};
    if (ofCheck.program) {
      const dependence::ProvedArguments proved = dependence::proveArguments(*ofCheck.program);
      ofCheck.fitting = fitting(proved, dependence::findMisfits(*ofCheck.program, proved));
    }
    for (const ir::Diagnostic &diagnostic :
         split::split({&result_.program, fitting_}, ofCheck, request_.split, session_.rules()))
      remark(diagnostic.location, diagnostic.message);
  }

  /// Tasks whose tiles are proved to fit together, or do so at all small sizes. What is required of scalars a rule's
  /// own kernels check.
  static std::set<unsigned> fitting(const dependence::ProvedArguments &proved, const dependence::Findings &findings) {
    std::set<unsigned> all = findings.fitting;
    std::ranges::set_intersection(proved.tilesFit, proved.distinct, std::inserter(all, all.end()));
    return all;
  }

  /// A program on slices has several statements for each of the author's, and loops inside them.
  dependence::AnalysisLimits analysisLimits() const {
    dependence::AnalysisLimits limits;
    if (request_.split > 1) {
      limits.maxOperations *= 8;
      limits.maxTime *= 2;
    }
    return limits;
  }

  bool analyze() {
    auto outcome = dependence::analyze(result_.program, analysisLimits());
    if (const auto *reason = std::get_if<dependence::NonAffine>(&outcome)) {
      if (ir::asksPeriod(result_.program))
        return analyzePeriods(*reason);
      if (reason->unproved) {
        obstacle_ = reason->reason;
        remark(reason->location, obstacle_ + "; '" + result_.program.name + "' runs in replay mode");
        notProved(*reason->unproved);
      } else
        notProved(reason->location, reason->reason);
      dependence::derivePriorities(result_.program, reason->priorities);
      return true;
    }
    if (const auto *limit = std::get_if<dependence::LimitExceeded>(&outcome)) {
      notProved({}, "the dependence analysis gave up (" + limit->reason + ")");
      return true;
    }
    analysis_ = std::move(std::get<dependence::Analysis>(outcome));
    if (!accept(*analysis_))
      return false;
    if (analysis_->incomplete) {
      obstacle_ = "the dependence analysis gave up (" + analysis_->incomplete->reason + ")";
      remark({}, obstacle_ + "; the indices of '" + result_.program.name + "' are proved, and it runs in replay mode");
    } else
      dependence::derivePriorities(result_.program, analysis_->priorities);
    return true;
  }

  /// Whether the program can be used: false after an error of its author's, which is shown, and where splitting made a
  /// program that the author did not write.
  bool accept(const dependence::Analysis &analysis) {
    for (const auto *violations : {&analysis.outOfBounds, &analysis.uninitialized})
      if (request_.split > 1 && !violations->empty())
        return refuseSplit(dependence::describe(result_.program, violations->front()));
    if (report(analysis))
      return false;
    notProved(analysis.unproved);
    return true;
  }

  /// Of a program that asks for the period of its distribution: errors on one node, and when they are asked for also on
  /// small grids. What it does on a distribution is analyzed when that is known: analyzeBound(). `whole` says why the
  /// program for all periods is not affine.
  bool analyzePeriods(const dependence::NonAffine &whole) {
    dependence::Priorities priorities = whole.priorities;
    for (int p = 1; p <= (request_.emit == Emit::Check ? 2 : 1); ++p) {
      ir::Program bound = ir::bindPeriod(result_.program, p, p);
      auto outcome = dependence::analyze(bound, analysisLimits());
      if (const auto *open = std::get_if<dependence::NonAffine>(&outcome); open && open->unproved) {
        notProved(*open->unproved);
        continue;
      }
      auto *analysis = std::get_if<dependence::Analysis>(&outcome);
      if (!analysis) {
        notProved(whole.location, whole.reason);
        break;
      }
      if (!accept(*analysis))
        return false;
      if (p > 1)
        continue;
      // Exact, where the cover has both branches of every condition.
      for (const auto &[task, priority] : analysis->priorities)
        priorities.insert_or_assign(task, priority);
      if (request_.emit == Emit::Deps) {
        bound_ = std::move(bound);
        analysis_ = std::move(*analysis);
      }
    }
    dependence::derivePriorities(result_.program, priorities);
    return true;
  }

  void notProved(const std::vector<dependence::Violation> &violations) {
    for (const dependence::Violation &violation : violations) {
      result_.proved = false;
      remark(violation.location, "hetc cannot prove that this access is always right; the runtime checks it");
    }
  }

  void notProved(const ir::Location &location, const std::string &reason) {
    result_.proved = false;
    obstacle_ = reason;
    remark(location, reason + "; '" + result_.program.name + "' runs in replay mode and its indices are not proved");
  }

  bool specialize() {
    std::string error;
    distribution_ = tla::parseDistribution(request_.distribution, error);
    if (distribution_ && ir::asksPeriod(result_.program) && !analyzeBound())
      return false;
    if (!distribution_ || !analysis_ || analysis_->incomplete)
      return bool(distribution_);
    auto outcome = specialize::specialize(bound_ ? *bound_ : result_.program, *analysis_, *distribution_);
    if (const auto *obstacle = std::get_if<specialize::Obstacle>(&outcome)) {
      obstacle_ = obstacle->reason;
      remarkNoLoops();
    } else
      nodeProgram_ = std::move(std::get<specialize::NodeProgram>(outcome));
    result_.nodeLoops = nodeProgram_.has_value();
    return true;
  }

  /// What the distribution decides of the program is a constant for its loops: they are made of such a program.
  bool analyzeBound() {
    bound_ = ir::bindPeriod(result_.program, distribution_->period().rows, distribution_->period().columns);
    auto outcome = dependence::analyze(*bound_, analysisLimits());
    analysis_.reset();
    if (const auto *reason = std::get_if<dependence::NonAffine>(&outcome))
      obstacle_ = reason->reason;
    else if (const auto *limit = std::get_if<dependence::LimitExceeded>(&outcome))
      obstacle_ = "the dependence analysis gave up (" + limit->reason + ")";
    else {
      analysis_ = std::move(std::get<dependence::Analysis>(outcome));
      if (report(*analysis_))
        return false;
      if (analysis_->incomplete)
        obstacle_ = "the dependence analysis gave up (" + analysis_->incomplete->reason + ")";
    }
    if (!analysis_ || analysis_->incomplete)
      remarkNoLoops();
    return true;
  }

  void remarkNoLoops() {
    remark({}, "there are no loops for the nodes of " + distribution_->name() + " (" + obstacle_ +
                   "); each runs all of '" + result_.program.name + "'");
  }

  bool writeNodes() {
    if (!nodeProgram_) {
      llvm::errs() << "hetc: no loops for nodes to print: " << obstacle_ << "\n";
      return false;
    }
    if (!request_.node)
      return write(specialize::print(*nodeProgram_));
    return write(specialize::print(specialize::atNode(*nodeProgram_, partsOf(*request_.node))));
  }

  /// The coordinates of a node's parts.
  std::vector<std::pair<int, int>> partsOf(int node) const {
    std::vector<std::pair<int, int>> coordinates;
    for (int part = 0; part < distribution_->parts().nodes(); ++part)
      if (distribution_->nodeOfPart(part) == node) {
        const auto [x, y] = distribution_->parts().coordinates(part);
        coordinates.emplace_back(x, y);
      }
    return coordinates;
  }

  static void put(int number, const tla::Distribution::Coordinates &at, std::vector<std::vector<int>> &table) {
    table.resize(std::max<std::size_t>(table.size(), at.x + 1));
    std::vector<int> &row = table[at.x];
    row.resize(std::max<std::size_t>(row.size(), at.y + 1), -1);
    row[at.y] = number;
  }

  codegen::NodeGenerator nodeGenerator() const {
    if (!nodeProgram_)
      return {};
    codegen::NodeGenerator generator{result_.loopsRefused ? nullptr : &*nodeProgram_, distribution_->name(), {}};
    if (bound_)
      std::tie(generator.p, generator.q) = std::pair(distribution_->period().rows, distribution_->period().columns);
    const tla::Distribution &parts = distribution_->parts();
    for (int part = 0; part < parts.nodes(); ++part)
      put(distribution_->nodeOfPart(part), parts.coordinates(part), generator.nodes);
    for (int node = 0; node < distribution_->nodes() && nodeProgram_->parts > 1; ++node) {
      put(node, distribution_->coordinates(node), generator.own);
      std::vector<int> &coordinates = generator.parts.emplace_back();
      for (const auto &[x, y] : partsOf(node))
        coordinates.insert(coordinates.end(), {x, y});
    }
    return generator;
  }

  bool generate() {
    llvm::SmallString<256> path(request_.file);
    llvm::sys::fs::make_absolute(path);
    cxx_ = codegen::emitCxx(result_.program,
                            {path.str().str(), request_.emitMain, nodeGenerator(), session_.checkedCall()});
    return true;
  }

  /// The object may be there already, of a program that was tried.
  bool compileGenerated() {
    if (request_.emit == Emit::Llvm)
      return compileGenerated(codegen::OutputKind::LlvmText);
    return !object_.empty() || compileGenerated(codegen::OutputKind::Object);
  }

  bool compileGenerated(codegen::OutputKind kind) {
    unsigned line;
    auto compiled = codegen::compileText(cxx_, result_.program.name + ".hetc.cpp", kind,
                                         {request_.compilerArguments, request_.optimize, false}, &line);
    if (!compiled && line)
      reportOwnError("the C++ that it makes of " + codegen::statementAt(cxx_, line) +
                     " does not compile (--emit=cpp shows it)");
    return keep(std::move(compiled));
  }

  /// The compiler's output becomes object_, and what it read is noted.
  bool keep(std::optional<codegen::Compiled> compiled) {
    if (!compiled)
      return false;
    object_ = std::move(compiled->bytes);
    result_.dependencies.merge(compiled->dependencies);
    result_.absent.merge(compiled->absent);
    return keepsInputs();
  }

  bool compileAndWrite() {
    if (!stage("compile", [this] { return compileGenerated(); }))
      return false;
    const bool isTried = request_.emit == Emit::Object && request_.validate && request_.split > 1;
    if (isTried && !stage("validate", [this] { return tryObject(); }))
      return false;
    return write(object_);
  }

  /// The object, with those bodies of kernels that hetc finds itself; where the linker wants others nobody can try it.
  bool tryObject() {
    const std::string object = object_;
    if (!storeObject() || !compileKernels())
      return false;
    object_ = object;
    std::optional<std::string> difference;
    return !tryProgram(objectPaths(), "", difference, /*isComplete=*/false) || !difference || refuseSplit(*difference);
  }

  bool compileAndLink() {
    if (!stage("compile", [&] { return compileGenerated() && storeObject(); }))
      return false;
    if (!stage("kernels", [&] { return compileKernels(); }))
      return false;
    if (request_.validate && request_.split > 1 && !stage("validate", [&] { return trySplit(); }))
      return false;
    return stage("link", [&] { return link(); });
  }

  bool storeObject() {
    TemporaryFile &file = objects_.emplace_back("hetc", "o");
    return file && file.write(object_);
  }

  bool compileKernels() {
    noteAbsentKernelSources();
    std::vector<std::string> sources = session_.kernelSources();
    sources.insert(sources.end(), request_.kernelSources.begin(), request_.kernelSources.end());
    for (const std::string &source : sources)
      if (!keep(codegen::compileFile(source, {request_.compilerArguments, request_.optimize, true})) || !storeObject())
        return false;
    return true;
  }

  /// A body that appears beside a header is linked in from then on.
  void noteAbsentKernelSources() {
    for (const std::string &file : session_.dependencies()) {
      llvm::SmallString<256> source(file);
      llvm::sys::path::replace_extension(source, "cpp");
      if (!support::isOwnHeader(file) && !source.starts_with("/usr/") && !llvm::sys::fs::exists(source))
        result_.absent.insert(source.str().str());
    }
  }

  /// Links beside the target and renames: nothing half-written is ever seen under the final name.
  bool link() {
    const bool direct = writesDirectly(request_.output);
    TemporaryFile linked = direct ? TemporaryFile("hetc", "out") : TemporaryFile::beside(request_.output);
    if (!linked || !linkTo(linked.path()))
      return false;
    if (!direct)
      return linked.moveTo(request_.output);
    const auto bytes = llvm::MemoryBuffer::getFile(linked.path());
    return bytes && write((*bytes)->getBuffer().str());
  }

  std::vector<std::string> objectPaths() const {
    std::vector<std::string> paths;
    for (const TemporaryFile &object : objects_)
      paths.push_back(object.path());
    return paths;
  }

  bool linkTo(const std::string &output) {
    const std::vector<std::string> objects = objectPaths();
    const auto kind =
        request_.emit == Emit::SharedLibrary ? codegen::LinkKind::SharedLibrary : codegen::LinkKind::Executable;
    const codegen::LinkOutcome outcome = codegen::link(objects, kind, output);
    llvm::errs() << (outcome.ok ? outcome.messages : explainLinkFailure(outcome.messages, result_.program, objects));
    return outcome.ok;
  }

  bool writeDependences() {
    if (analysis_ && !analysis_->incomplete)
      return write(dependence::print(bound_ ? *bound_ : result_.program, *analysis_));
    llvm::errs() << "hetc: no dependences to print: " << obstacle_ << "\n";
    return false;
  }

  bool write(const std::string &bytes) { return writeFile(request_.output, bytes); }

  void remark(const ir::Location &location, const std::string &message) {
    if (request_.onlyNodeLoops && !distribution_) // the analysis' were shown when the program was compiled
      return;
    const std::string file = location.file.empty() ? request_.file : location.file;
    const std::string place =
        location.line ? file + ":" + std::to_string(location.line) + ":" + std::to_string(location.column) + ": " : "";
    result_.remarks.push_back(place + "remark: " + message);
    if (request_.remarks)
      session_.report({ir::Diagnostic::Severity::Remark, location, message, {}});
  }

  const Request &request_;
  StageTimer timer_;
  frontend::Session session_;
  Result result_;
  std::set<unsigned> fitting_; ///< tasks whose tiles fit together
  std::optional<dependence::Analysis> analysis_;
  std::optional<tla::Distribution> distribution_;
  std::optional<ir::Program> bound_; ///< the program on that distribution, where it asks for its period
  std::optional<specialize::NodeProgram> nodeProgram_;
  std::string obstacle_; ///< why there are no dependences, or no loops for nodes
  std::string cxx_, object_;
  std::vector<TemporaryFile> objects_;
};

} // namespace

Result compile(const Request &request) {
  Result result = Pipeline(request).run();
  if (!result.splitRefused)
    return result;
  Request plain = request;
  plain.split = 1;
  Result instead = Pipeline(plain).run();
  instead.splitRefused = true;
  instead.dependencies.merge(result.dependencies); // another split rule may do
  instead.remarks.insert(instead.remarks.begin(), result.remarks.begin(), result.remarks.end());
  return instead;
}

bool checkDistribution(const Request &request) {
  if (request.distribution.empty() && !request.node && request.emit != Emit::Nodes)
    return true;
  std::string error;
  const auto distribution = tla::parseDistribution(request.distribution, error);
  if (distribution && request.node && (*request.node < 0 || *request.node >= distribution->nodes()))
    error = distribution->name() + " has nodes 0 to " + std::to_string(distribution->nodes() - 1) + ", not " +
            std::to_string(*request.node);
  if (!error.empty())
    llvm::errs() << "hetc: " << error << "\n";
  return error.empty();
}

} // namespace hetc::driver
