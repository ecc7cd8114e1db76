#include "compiler/driver/compile.hpp"

#include "compiler/driver/check_request.hpp"
#include "compiler/driver/step.hpp"

namespace hetc::driver {

namespace {

using C = Compilation;

/// The way of a program through hetc, from the source to what the request wants written: stages, and the places where a
/// request may end, in their order. A stage stands in several places where several programs go through it.
constexpr Step steps[] = {
    stage("parse", &C::parse, &C::program),
    end(Emit::Parse),
    end(Emit::Ir, "ir", &C::writeProgram),

    // The algorithm that the program's check calls.
    stage("prove", &C::proveCall, &C::checkedCall, &C::provesCall),
    stage("fit", &C::fitCall, &C::checkedCall, &C::fitsCall),

    // A program that an element ends is proved as a whole; what is compiled are its parts, of which nothing remains to
    // be said.
    stage("analyze", &C::analyzeWhole, &C::whole, &C::hasParts),
    stage("fit", &C::fitWhole, &C::whole, &C::hasParts),
    end(Emit::Check, nullptr, nullptr, &C::hasParts),
    end(Emit::Deps, "deps", &C::writeDependences, &C::hasParts),
    stage("stages", &C::takeStages, &C::program, &C::hasParts),

    // --split. The author's program is proved first, so that what is wrong in it is said in the author's terms.
    stage("prove", &C::prove, &C::program, &C::provesBeforeSplit),
    stage("fit", &C::fit, &C::program, &C::fitsBeforeSplit),
    stage("split", &C::split, &C::program, &C::isSplit),
    end(Emit::Split, "split", &C::writeProgram),

    // --copies, --tasks octal. The author's program is proved first here, too.
    stage("prove", &C::prove, &C::program, &C::provesBeforeMaps),
    stage("fit", &C::fit, &C::program, &C::provesBeforeMaps),
    stage("maps", &C::deal, &C::program, &C::isDealt),
    end(Emit::Maps, "maps", &C::writeProgram),

    // A program on slices is proved as the author wrote it; its own calls are checked when they run.
    stage("analyze", &C::analyze, &C::program),
    stage("fit", &C::fit, &C::program, &C::fitsPlain),
    end(Emit::Check),
    end(Emit::Deps, "deps", &C::writeDependences),

    // --dist. The loops of nodes are tried as machine code, which is used where they are right.
    stage("specialize", &C::specialize, &C::program, &C::hasDistribution),
    end(Emit::SharedLibrary, nullptr, nullptr, &C::lacksLoops),
    stage("generate", &C::generate, &C::program, &C::triesLoops),
    stage("compile", &C::compileObject, &C::program, &C::triesLoops),
    stage("validate", &C::tryLoops, &C::program, &C::triesLoops),
    end(Emit::Nodes, "nodes", &C::writeNodes),

    stage("generate", &C::generate, &C::program, &C::lacksCode),
    end(Emit::Cxx, "cpp", &C::writeCxx),
    stage("compile", &C::compileText, &C::program, &C::wantsText),
    end(Emit::Llvm, "llvm", &C::writeText),
    stage("compile", &C::compileObject, &C::program, &C::lacksObject),
    stage("kernels", &C::addKernels, &C::program, &C::wantsKernels),
    // A program on slices, or whose updates are dealt, computes what the plain one does.
    stage("validate", &C::tryProgram, &C::program, &C::isTransformed),
    end(Emit::Object, "obj", &C::writeObject),
    stage("link", &C::link, &C::program),
    end(Emit::SharedLibrary),
    end(Emit::Executable, "exe"),
};

bool isEnd(const Step &step, Emit emit) { return !step.run && step.emit == emit; }

/// Down to where the request ends. False after an error, which was shown.
bool runSteps(Compilation &compilation) {
  for (const Step &step : steps) {
    if (!(compilation.*step.isWanted)())
      continue;
    if (isEnd(step, compilation.request().emit))
      return !step.write || (compilation.*step.write)();
    if (step.run && !compilation.run(step))
      return false;
  }
  return true;
}

Result compileOnce(const Request &request) {
  Compilation compilation(request);
  return compilation.finish(checkRequest(request) && runSteps(compilation));
}

} // namespace

Result compile(const Request &request) {
  Result result = compileOnce(request);
  if (!result.splitRefused)
    return result;
  Request plain = request;
  plain.split = 1;
  Result instead = compileOnce(plain);
  instead.splitRefused = true;
  instead.dependencies.merge(result.dependencies); // another split rule may do
  instead.remarks.insert(instead.remarks.begin(), result.remarks.begin(), result.remarks.end());
  return instead;
}

std::vector<std::pair<std::string, Emit>> emitNames() {
  std::vector<std::pair<std::string, Emit>> names;
  for (const Step &step : steps)
    if (!step.run && step.name && step.isWanted == &C::always)
      names.emplace_back(step.name, step.emit);
  return names;
}

} // namespace hetc::driver
