#include "compiler/driver/compile.hpp"

#include "compiler/codegen/generate_code.hpp"
#include "compiler/codegen/link_program.hpp"
#include "compiler/codegen/machine_code.hpp"
#include "compiler/codegen/processors.hpp"
#include "compiler/dependence/analyze_program.hpp"
#include "compiler/dependence/arguments.hpp"
#include "compiler/driver/fit.hpp"
#include "compiler/driver/parse.hpp"
#include "compiler/driver/split_program.hpp"
#include "compiler/driver/stages.hpp"
#include "compiler/driver/task_maps.hpp"
#include "compiler/driver/trial.hpp"
#include "compiler/ir/diagnose.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/ir/until.hpp"
#include "compiler/maps/replicate.hpp"
#include "compiler/process/files.hpp"
#include "compiler/process/process.hpp"
#include "compiler/specialize/specialize_program.hpp"
#include "compiler/split/split.hpp"

#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace hetc::driver {

namespace {

struct TriedCode {
  codegen::Code code;                    ///< with its object
  std::optional<std::string> difference; ///< as in Tried
};

/// One way through the stages, from the source to what the request wants written. What a stage makes goes on as a
/// value, which the stage's header describes; the IR itself is rewritten where it is, in the result:
///
///   parse                Parsed: the program, and the one that its check calls
///   prove, fit, split    Fitted, Split: both on slices (--split)
///   prove, fit, maps     Fitted, Dealt: updates dealt to copies of the nodes (--copies), or elements of one (--tasks)
///   analyze, fit         Analyzed: dependences; the program has priorities, and says what is proved
///   specialize           Specialized: the loops of nodes (--dist)
///   generate             Generated: C++
///   compile, kernels     Compiled, Objects: machine code
///   validate             Tried: loops of nodes, and programs on slices, beside the plain program
///   link                 Linked: what runs
class Compilation {
public:
  explicit Compilation(const Request &request)
      : request_(request), copies_(request.copies != 1 ? request.copies : copiesOf(request.distribution)),
        timer_(request.timeStages),
        notes_(llvm::sys::path::filename(request.file).str(), request.remarks && isTerminal()),
        session_({request.file, request.algorithm, request.type, request.compilerArguments, llvm::errs().has_colors(),
                  request.split > 1, request.findings, request.text, kernelsForMaps(copies_, request.tasks)}),
        files_(request.output), reporter_(session_, request.file, request.remarks), stages_(timer_, notes_, reporter_) {
    // What the analysis has to say was shown when the program was compiled without loops.
    reporter_.ignoreRemarks(request.onlyNodeLoops);
  }

  Result run() {
    std::vector<std::string> given = request_.kernelSources;
    given.push_back(request_.file);
    result_.ok = process::checkFile(request_.file) && checkSlices() && checkMaps() &&
                 process::checkNotInput(request_.output, given) && runStages();
    result_.dependencies = files_.dependencies();
    result_.absent = files_.absent();
    result_.remarks = reporter_.remarks();
    return std::move(result_);
  }

private:
  /// All stages in their order, down to where the request stops. False after an error, which was shown.
  bool runStages() {
    std::optional<Parsed> parsed = stages_.run("parse", [&] { return parseProgram(session_, files_); });
    if (!parsed)
      return false;
    ir::Program &program = result_.program = std::move(parsed->program);
    std::optional<ir::Program> &checkedCall = parsed->checkedCall;
    if (request_.emit == Emit::Parse)
      return true;
    if (request_.emit == Emit::Ir)
      return write(ir::print(program));

    if (checkedCall && request_.emit != Emit::Split && !prove(*checkedCall, program.check))
      return false;
    std::optional<Fitted> whole; // of a program whose parts are what is compiled
    if (program.until) {
      std::optional<Whole> proved = proveWhole(program);
      if (!proved || request_.emit == Emit::Check)
        return proved.has_value();
      if (request_.emit == Emit::Deps)
        return writeDependences(proved->program, proved->analyzed);
      program = ir::inStages(program);
      dependence::copyProved(proved->program, program);
      whole = std::move(proved->fitted);
    }
    if (request_.split > 1 && !split(program, checkedCall, whole))
      return false;
    if (request_.emit == Emit::Split)
      return write(ir::print(program));
    if ((copies_ > 1 || isOctal()) && !dealUpdates(program))
      return false;
    if (request_.emit == Emit::Maps)
      return write(ir::print(program));

    const std::optional<dependence::Analyzed> analyzed = analyze(program);
    if (!analyzed)
      return false;
    if (request_.emit == Emit::Check)
      return true;
    if (request_.emit == Emit::Deps)
      return writeDependences(program, *analyzed);

    std::optional<specialize::Specialized> specialized;
    if (!request_.distribution.empty() && !(specialized = specialize(program, *analyzed))) {
      result_.loopsFailed = true;
      if (request_.needsLoops)
        return false;
    }
    const bool hasLoops = specialized && specialized->loops;
    if (request_.onlyNodeLoops && !hasLoops)
      return true;

    std::optional<codegen::Code> code;
    if (request_.validate && hasLoops) {
      std::optional<TriedCode> tried = tryLoops(program, checkedCall, specialized);
      if (!tried)
        return false;
      if (tried->difference)
        refuseLoops(program, *specialized, *tried->difference);
      else
        code = std::move(tried->code);
    }
    if (request_.emit == Emit::Nodes)
      return writeNodes(specialized, *analyzed);

    if (!code)
      code = generate(program, checkedCall, specialized);
    if (!code)
      return false;
    switch (request_.emit) {
    case Emit::Cxx:
      return write(code->generated.cxx);
    case Emit::Llvm:
    case Emit::Object:
      return compileAndWrite(program, *code);
    default:
      return compileAndLink(program, *code);
    }
  }

  bool checkSlices() const {
    if (request_.split >= 1 && request_.split <= split::mostSlices)
      return true;
    llvm::errs() << "hetc: --split: a tile is cut into 1 (not at all) to " << split::mostSlices << " slices, not "
                 << request_.split << "\n";
    return false;
  }

  bool isOctal() const { return request_.tasks == Tasks::Octal; }

  bool checkMaps() const {
    std::string error;
    if (isOctal() && (request_.split > 1 || copies_ > 1 || !request_.distribution.empty()))
      error = "--tasks octal deals updates to the elements of one node: leave out --split, --copies and --dist";
    else if (copies_ < 1 || copies_ > maps::mostCopies)
      error = "nodes stand in 1 to " + std::to_string(maps::mostCopies) + " copies, not " + std::to_string(copies_);
    else if (copies_ > 1 && request_.split > 1)
      error = "a program is for slices of tiles (--split) or for copies of nodes (copies=" + std::to_string(copies_) +
              "), not for both";
    else if (const int has = copiesOf(request_.distribution); has > 1 && has != copies_)
      error = "--copies: " + request_.distribution + " has " + std::to_string(has) + " copies of nodes, not " +
              std::to_string(copies_);
    if (!error.empty())
      llvm::errs() << "hetc: " << error << "\n";
    return error.empty();
  }

  /// The author's program is proved first, so that what is wrong in it is said in the author's terms.
  bool dealUpdates(ir::Program &program) {
    result_.hasNoUpdates = true;
    if (program.until) {
      reporter_.show(
          {ir::makeError(program.until->location, (isOctal() ? "--tasks octal is" : "copies of the nodes are") +
                                                      std::string(" for programs whose loops no element ends: "
                                                                  "this one's run is several runs"))});
      return false;
    }
    result_.hasNoUpdates = false;
    if (isOctal() && request_.emit == Emit::Check) { // all that can be proved is the author's
      ir::Program tried;
      static_cast<ir::Declarations &>(tried) = program;
      tried.body = copyOf(program.body);
      return dealOrReplicate(tried);
    }
    if (!proveAuthors(program) || !stages_.run("fit", program, [&] { return fitArguments(program); }))
      return false;
    return dealOrReplicate(program);
  }

  bool dealOrReplicate(ir::Program &program) {
    return stages_
        .run("maps", program,
             [&] {
               Dealt dealt = isOctal() ? dealProgram(program, session_.kernels())
                                       : replicateProgram(program, copies_, session_.kernels());
               result_.hasNoUpdates = !dealt.isDealt;
               return dealt;
             })
        .has_value();
  }

  /// The errors of an algorithm that the check calls. What applies Q is used by others as well, and proved for them:
  /// here its kernels' arguments are checked when they run.
  bool prove(ir::Program &call, const std::string &check) {
    return stages_.run("prove", call, [&] { return dependence::proveProgram(call); }) &&
           (check != "user" || stages_.run("fit", call, [&] { return fitArguments(call); }));
  }

  /// Before hetc makes another program of it, whose tasks begin with the priorities of these.
  bool proveAuthors(ir::Program &program) {
    const auto proved = stages_.run("prove", program, [&] { return dependence::proveProgram(program); });
    if (proved)
      dependence::derivePriorities(program, proved->priorities);
    return proved.has_value();
  }

  /// What the analysis is for.
  dependence::Use useOfAnalysis() const {
    const bool isShown = request_.emit == Emit::Deps || request_.emit == Emit::Check;
    return isShown || !request_.distribution.empty() ? dependence::Use::Loops : dependence::Use::Priorities;
  }

  /// The author's program is analyzed before it is split, so that what is wrong in it is said in the author's terms.
  bool split(ir::Program &program, std::optional<ir::Program> &checkedCall, std::optional<Fitted> &fitted) {
    const bool isWanted = request_.emit != Emit::Split && !fitted; // else to be looked at, or done
    if (isWanted && !proveAuthors(program))
      return false;
    if (!fitted)
      fitted = stages_.run("fit", program, [&] { return fitArguments(program); });
    return fitted && stages_.run("split", program, [&] {
      return splitProgram(program, *fitted, checkedCall, request_.split, session_.rules());
    });
  }

  /// A program that an element ends, as a whole, with all that is known of it.
  struct Whole {
    ir::Program program;
    dependence::Analyzed analyzed;
    Fitted fitted;
  };

  /// Of what is compiled then, its parts, nothing remains to be said.
  std::optional<Whole> proveWhole(const ir::Program &program) {
    Whole whole{ir::withAnyEnd(program), {}, {}};
    const int largestGrid = request_.emit == Emit::Check ? 2 : 1;
    auto analyzed = stages_.run("analyze", whole.program, [&] {
      return dependence::analyzeProgram(whole.program, largestGrid,
                                        dependence::analysisLimits(whole.program, dependence::Use::Loops));
    });
    auto fitted =
        analyzed ? stages_.run("fit", whole.program, [&] { return fitArguments(whole.program); }) : std::nullopt;
    if (!fitted)
      return std::nullopt;
    whole.analyzed = std::move(*analyzed);
    whole.fitted = std::move(*fitted);
    result_.proved = whole.analyzed.proved;
    return whole;
  }

  std::optional<dependence::Analyzed> analyze(ir::Program &program) {
    // Of a program whose updates are dealt all was said before; what it does is known to the run.
    reporter_.ignoreRemarks(program.until || request_.onlyNodeLoops || program.isDealt());
    const int largestGrid = request_.emit == Emit::Check ? 2 : 1;
    auto analyzed = stages_.run("analyze", program, [&] {
      return dependence::analyzeProgram(program, largestGrid, dependence::analysisLimits(program, useOfAnalysis()));
    });
    if (!analyzed || (analyzed->ownMistake && !refuse(program, *analyzed->ownMistake)))
      return std::nullopt;
    if (program.until)
      return analyzed;
    result_.proved = analyzed->proved;
    // A program on slices is proved as the author wrote it; its own calls are checked when they run.
    if (request_.split == 1 && !stages_.run("fit", program, [&] { return fitArguments(program); }))
      return std::nullopt;
    return analyzed;
  }

  std::optional<specialize::Specialized> specialize(const ir::Program &program, const dependence::Analyzed &analyzed) {
    reporter_.ignoreRemarks(false);
    auto specialized = stages_.run(
        "specialize", program, [&] { return specialize::specializeProgram(program, analyzed, request_.distribution); });
    result_.nodeLoops = specialized && specialized->loops;
    return specialized;
  }

  std::optional<codegen::Code> generate(const ir::Program &program, const std::optional<ir::Program> &checkedCall,
                                        const std::optional<specialize::Specialized> &specialized) {
    auto generated = stages_.run("generate", program, [&] {
      return codegen::generateCode(program, checkedCall, request_.file, request_.emitMain,
                                   specialized ? codegen::nodeGenerator(*specialized, result_.loopsRefused)
                                               : codegen::NodeGenerator{},
                                   processors(program, checkedCall));
    });
    return generated ? std::optional(codegen::Code{std::move(*generated), {}}) : std::nullopt;
  }

  /// Loops of nodes are tried as machine code, so that nothing on the way there is left out.
  std::optional<TriedCode> tryLoops(const ir::Program &program, const std::optional<ir::Program> &checkedCall,
                                    const std::optional<specialize::Specialized> &specialized) {
    std::optional<codegen::Code> code = generate(program, checkedCall, specialized);
    if (!code)
      return std::nullopt;
    code->object = stages_.run("compile", program, [&] { return compileObject(program, *code); });
    if (!code->object)
      return std::nullopt;
    const std::optional<Tried> tried = stages_.run("validate", program, [&] {
      const std::optional<codegen::Objects> objects = codegen::storeObject(*code->object);
      return objects ? tryProgram(program, {objects->inputs(), specialized->distribution.name()}, request_.validate)
                     : std::nullopt;
    });
    return tried ? std::optional(TriedCode{std::move(*code), tried->difference}) : std::nullopt;
  }

  void refuseLoops(const ir::Program &program, const specialize::Specialized &specialized,
                   const std::string &difference) {
    result_.nodeLoops = false;
    result_.loopsRefused = true;
    remark("hetc's own error, please report it with the source: the loops for the nodes of " +
           specialized.distribution.name() + " do something else than '" + program.name +
           "', and each node runs all of it instead (" + difference + ")");
  }

  bool compileAndWrite(const ir::Program &program, const codegen::Code &code) {
    const auto kind = request_.emit == Emit::Llvm ? codegen::OutputKind::LlvmText : codegen::OutputKind::Object;
    const std::optional<codegen::Compiled> compiled = stages_.run(
        "compile", program, [&] { return codegen::compileCode(program, code, kind, compileOptions(), files_); });
    if (!compiled)
      return false;
    const bool isTried = request_.emit == Emit::Object && isTransformed();
    if (isTried && !accept(program, stages_.run("validate", program, [&] { return tryObject(program, *compiled); })))
      return false;
    return write(compiled->bytes);
  }

  bool compileAndLink(const ir::Program &program, const codegen::Code &code) {
    std::optional<codegen::Objects> objects = stages_.run("compile", program, [&] {
      const std::optional<codegen::Compiled> compiled = compileObject(program, code);
      return compiled ? codegen::storeObject(*compiled) : std::nullopt;
    });
    if (objects)
      objects = stages_.run("kernels", program, [&] { return withKernels(std::move(*objects)); });
    if (!objects)
      return false;
    // The program on slices, or whose updates are dealt, computes what the plain one does. Where it does not on slices,
    // there is a request for the latter.
    if (isTransformed() && !accept(program, stages_.run("validate", program, [&] {
          return tryProgram(program, {objects->inputs()}, request_.validate);
        })))
      return false;
    const auto kind =
        request_.emit == Emit::SharedLibrary ? codegen::LinkKind::SharedLibrary : codegen::LinkKind::Executable;
    const std::optional<codegen::Linked> linked = stages_.run(
        "link", program, [&] { return codegen::linkProgram(program, objects->inputs(), kind, request_.output); });
    if (linked)
      files_.add(linked->read);
    return linked.has_value();
  }

  std::optional<codegen::Compiled> compileObject(const ir::Program &program, const codegen::Code &code) {
    return codegen::compileCode(program, code, codegen::OutputKind::Object, compileOptions(), files_);
  }

  /// For which the own kernels are compiled. The same for all code that a request makes.
  codegen::Processors processors(const ir::Program &program, const std::optional<ir::Program> &checkedCall) {
    codegen::KernelPlaces places{.march = request_.march,
                                 .isForHere = request_.isForHere,
                                 .hasOwn = codegen::hasOwnKernels(program) ||
                                           (checkedCall && codegen::hasOwnKernels(*checkedCall)),
                                 .hasBodies = session_.hasBodies(),
                                 .files = {},
                                 .read = session_.dependencies()};
    if (request_.emit == Emit::Executable || request_.emit == Emit::SharedLibrary)
      places.files = codegen::textsOf(kernelSources());
    processors_ = codegen::chooseProcessors(places);
    return processors_;
  }

  std::vector<std::string> kernelSources() const {
    std::vector<std::string> sources = session_.kernelSources();
    sources.insert(sources.end(), request_.kernelSources.begin(), request_.kernelSources.end());
    return sources;
  }

  /// With what kernels link.
  std::optional<codegen::Objects> storeObject(const codegen::Compiled &compiled) {
    std::optional<codegen::Objects> objects = codegen::storeObject(compiled);
    if (objects)
      objects->libraries = session_.libraries();
    return objects;
  }

  codegen::CompileOptions compileOptions() const {
    return {request_.compilerArguments, request_.optimize, processors_.march};
  }

  std::optional<codegen::Objects> withKernels(codegen::Objects objects) {
    files_.add({}, codegen::findMissingBodies(session_.dependencies())); // one that appears is linked in from then on
    codegen::CompileOptions options = compileOptions();
    options.march = processors_.kernelMarch;
    return codegen::addKernels(std::move(objects), kernelSources(), options, files_);
  }

  /// The object, with those bodies of kernels that hetc finds itself; where the linker wants others nobody can try it.
  std::optional<Tried> tryObject(const ir::Program &program, const codegen::Compiled &object) {
    std::optional<codegen::Objects> objects = codegen::storeObject(object);
    if (objects)
      objects = withKernels(std::move(*objects));
    if (!objects)
      return std::nullopt;
    return tryProgram(program, {objects->inputs(), "", /*isComplete=*/false}, request_.validate);
  }

  /// Whether there is something to try, and somebody to do it.
  bool isTransformed() const { return request_.validate && (request_.split > 1 || copies_ > 1 || isOctal()); }

  /// Whether the program, which was tried, can be used.
  bool accept(const ir::Program &program, const std::optional<Tried> &tried) {
    return tried && (!tried->difference || refuse(program, *tried->difference));
  }

  bool refuse(const ir::Program &program, const std::string &difference) {
    return copies_ > 1 || isOctal() ? refuseMap(program, difference) : refuseSplit(program, difference);
  }

  /// False: nothing else was asked for.
  bool refuseMap(const ir::Program &program, const std::string &difference) {
    result_.mapRefused = true;
    const std::string what = std::string("with updates dealt to ") +
                             (isOctal() ? "the elements of a node '" : "copies of the nodes '") + program.name +
                             "' does something else than the plain program (" + difference + ")";
    const auto isAuthors = [](const ir::Kernel &kernel) {
      return !kernel.name.starts_with("tla::") &&
             std::ranges::any_of(kernel.parameters, [](const auto &each) { return each.addsIf != nullptr; });
    };
    const auto claim = std::ranges::find_if(program.kernels, isAuthors);
    if (claim == program.kernels.end())
      process::reportOwnError(what);
    else
      reporter_.show({ir::makeError(claim->location, what + ": the clause sum(...) of kernel '" + claim->name +
                                                         "' is not true, or this is hetc's own error")});
    return false;
  }

  /// False: there is a request for the author's program then, which was proved before it was split.
  bool refuseSplit(const ir::Program &program, const std::string &difference) {
    result_.splitRefused = true;
    remark("hetc's own error, please report it with the source: on slices of tiles '" + program.name +
           "' does something else than the plain program, which is used instead (" + difference + ")");
    return false;
  }

  void remark(const std::string &message) { reporter_.show({ir::makeRemark({}, message)}); }

  bool writeDependences(const ir::Program &program, const dependence::Analyzed &analyzed) {
    if (analyzed.analysis && !analyzed.analysis->incomplete)
      return write(dependence::print(analyzed.onOneNode ? *analyzed.onOneNode : program, *analyzed.analysis));
    llvm::errs() << "hetc: no dependences to print: " << analyzed.obstacle << "\n";
    return false;
  }

  bool writeNodes(const std::optional<specialize::Specialized> &specialized, const dependence::Analyzed &analyzed) {
    if (!specialized || !specialized->loops) {
      const std::string &obstacle = specialized ? specialized->obstacle : analyzed.obstacle;
      llvm::errs() << "hetc: no loops for nodes to print: " << obstacle << "\n";
      return false;
    }
    if (!request_.node)
      return write(specialize::print(*specialized->loops));
    std::vector<std::pair<int, int>> parts;
    for (const auto &[x, y] : specialized->distribution.partsOf(*request_.node))
      parts.emplace_back(x, y);
    return write(specialize::print(specialize::atNode(*specialized->loops, parts)));
  }

  bool write(const std::string &bytes) { return process::writeFile(request_.output, bytes); }

  const Request &request_;
  const int copies_;
  StageTimer timer_; // goes last, and prints its table
  StageNotes notes_;
  frontend::Session session_;
  process::SourceFiles files_;
  Reporter reporter_;
  Stages stages_;
  Result result_;
  codegen::Processors processors_; ///< of the code that was generated last
};

} // namespace

Result compile(const Request &request) {
  Result result = Compilation(request).run();
  if (!result.splitRefused)
    return result;
  Request plain = request;
  plain.split = 1;
  Result instead = Compilation(plain).run();
  instead.splitRefused = true;
  instead.dependencies.merge(result.dependencies); // another split rule may do
  instead.remarks.insert(instead.remarks.begin(), result.remarks.begin(), result.remarks.end());
  return instead;
}

int copiesOf(const std::string &distribution) {
  std::string error;
  const auto parsed = distribution.empty() ? std::nullopt : tla::parseDistribution(distribution, error);
  return parsed ? parsed->copies() : 1;
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
