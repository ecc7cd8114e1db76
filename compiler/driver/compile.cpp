#include "compiler/driver/compile.hpp"

#include "compiler/codegen/backend.hpp"
#include "compiler/codegen/cxx.hpp"
#include "compiler/dependence/dependence.hpp"
#include "compiler/driver/files.hpp"
#include "compiler/driver/stage_timer.hpp"
#include "compiler/frontend/frontend.hpp"
#include "compiler/ir/text.hpp"
#include "compiler/ir/verifier.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/raw_ostream.h>

namespace hetc::driver {

namespace {

class Pipeline {
public:
  explicit Pipeline(const Request &request)
      : request_(request), timer_(request.timeStages),
        session_(
            {request.file, request.algorithm, request.type, request.compilerArguments, llvm::errs().has_colors()}) {}

  Result run() {
    result_.ok = checkFile(request_.file) && stages();
    return std::move(result_);
  }

private:
  bool stages() {
    if (!stage("parse", [this] { return parse(); }))
      return false;
    if (request_.emit == Emit::Ir)
      return write(ir::print(result_.program));
    if (!stage("analyze", [this] { return analyze(); }))
      return false;
    if (request_.emit == Emit::Check)
      return true;
    if (request_.emit == Emit::Deps)
      return writeDependences();
    if (!stage("generate", [this] { return generate(); }))
      return false;
    if (request_.emit == Emit::Cxx)
      return write(cxx_);
    if (request_.emit == Emit::Llvm || request_.emit == Emit::Object)
      return stage("compile", [this] { return compileTo(request_.output.empty() ? "-" : request_.output); });
    return compileAndLink();
  }

  /// Runs one stage under the clock, then the verifier: a stage that breaks the IR is found at once.
  template <typename Stage> bool stage(const char *name, Stage &&run) {
    const StageTimer::Scope scope = timer_.start(name);
    if (!run())
      return false;
    if (const std::string broken = ir::verify(result_.program); !broken.empty()) {
      llvm::errs() << "hetc: internal error after stage '" << name << "': " << broken << "\n";
      return false;
    }
    return true;
  }

  bool parse() {
    auto program = session_.parse();
    result_.dependencies = session_.dependencies();
    for (const std::string &source : session_.kernelSources())
      result_.dependencies.push_back(source);
    if (!program)
      return false;
    result_.program = std::move(*program);
    return true;
  }

  bool analyze() {
    auto outcome = dependence::analyze(result_.program);
    if (const auto *reason = std::get_if<dependence::NonAffine>(&outcome)) {
      remark(reason->location,
             reason->reason + "; '" + result_.program.name + "' runs in replay mode and its indices are not proved");
      return true;
    }
    if (const auto *limit = std::get_if<dependence::LimitExceeded>(&outcome)) {
      remark({}, "the dependence analysis gave up (" + limit->reason + "); '" + result_.program.name +
                     "' runs in replay mode and its indices are not proved");
      return true;
    }
    analysis_ = std::move(std::get<dependence::Analysis>(outcome));
    for (const auto *violations : {&analysis_->outOfBounds, &analysis_->uninitialized})
      for (const dependence::Violation &violation : *violations)
        session_.report({ir::Diagnostic::Severity::Error,
                         violation.location,
                         dependence::describe(result_.program, violation),
                         {}});
    if (!analysis_->outOfBounds.empty() || !analysis_->uninitialized.empty())
      return false;
    if (analysis_->incomplete)
      remark({}, "the dependence analysis gave up (" + analysis_->incomplete->reason + "); the indices of '" +
                     result_.program.name + "' are proved, and it runs in replay mode");
    else
      dependence::derivePriorities(result_.program, *analysis_);
    return true;
  }

  bool generate() {
    llvm::SmallString<256> path(request_.file);
    llvm::sys::fs::make_absolute(path);
    cxx_ = codegen::emitCxx(result_.program, {path.str().str(), request_.emitMain});
    return true;
  }

  bool compileTo(const std::string &output) {
    const auto kind = request_.emit == Emit::Llvm ? codegen::OutputKind::LlvmText : codegen::OutputKind::Object;
    return codegen::compileText(cxx_, result_.program.name + ".hetc.cpp", kind, output,
                                {request_.compilerArguments, request_.optimize, false});
  }

  bool compileAndLink() {
    TemporaryFile object("hetc", "o");
    if (!stage("compile", [&] { return compileTo(object.path()); }))
      return false;
    std::vector<TemporaryFile> bodies;
    std::vector<std::string> objects = {object.path()};
    if (!stage("kernels", [&] { return compileKernels(bodies, objects); }))
      return false;
    const auto kind =
        request_.emit == Emit::SharedLibrary ? codegen::LinkKind::SharedLibrary : codegen::LinkKind::Executable;
    return stage("link", [&] { return linkTo(kind, objects); });
  }

  bool compileKernels(std::vector<TemporaryFile> &bodies, std::vector<std::string> &objects) {
    std::vector<std::string> sources = session_.kernelSources();
    for (const std::string &source : request_.kernelSources) {
      sources.push_back(source);
      result_.dependencies.push_back(absolutePath(source));
    }
    for (const std::string &source : sources) {
      bodies.emplace_back("hetc-kernel", "o");
      if (!codegen::compileFile(source, bodies.back().path(), {request_.compilerArguments, request_.optimize, true}))
        return false;
      objects.push_back(bodies.back().path());
    }
    return true;
  }

  /// Links beside the target and renames: nothing half-written is ever seen under the final name.
  bool linkTo(codegen::LinkKind kind, const std::vector<std::string> &objects) {
    const std::string partial = request_.output + ".partial" + std::to_string(llvm::sys::Process::getProcessId());
    if (codegen::link(objects, kind, partial) && !llvm::sys::fs::rename(partial, request_.output))
      return true;
    llvm::sys::fs::remove(partial);
    llvm::errs() << "hetc: cannot link '" << request_.output << "'\n";
    return false;
  }

  bool writeDependences() {
    if (analysis_ && !analysis_->incomplete)
      return write(dependence::print(result_.program, *analysis_));
    llvm::errs() << "hetc: no dependences to print: the analysis did not get that far\n";
    return false;
  }

  bool write(const std::string &text) { return writeText(request_.output, text); }

  void remark(const ir::Location &location, const std::string &message) {
    if (request_.remarks)
      session_.report({ir::Diagnostic::Severity::Remark, location, message, {}});
  }

  const Request &request_;
  StageTimer timer_;
  frontend::Session session_;
  Result result_;
  std::optional<dependence::Analysis> analysis_;
  std::string cxx_;
};

} // namespace

Result compile(const Request &request) { return Pipeline(request).run(); }

} // namespace hetc::driver
