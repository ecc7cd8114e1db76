// One compilation: what its stages have made so far, and each of them as a function. In which order they run, and which
// of them, is compile.cpp's.
#pragma once

#include "compiler/codegen/machine_code.hpp"
#include "compiler/codegen/processors.hpp"
#include "compiler/dependence/analyze_program.hpp"
#include "compiler/driver/compile.hpp"
#include "compiler/driver/fit.hpp"
#include "compiler/driver/reporter.hpp"
#include "compiler/driver/stage_notes.hpp"
#include "compiler/driver/stage_timer.hpp"
#include "compiler/driver/trial.hpp"
#include "compiler/frontend/frontend.hpp"
#include "compiler/ir/diagnose.hpp"
#include "compiler/process/source_files.hpp"
#include "compiler/specialize/specialize_program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hetc::driver {

struct Step; // step.hpp

/// The diagnostics of a stage. Nothing: it has shown an error already.
using Said = std::optional<std::vector<ir::Diagnostic>>;

class Compilation {
public:
  /// Refers to the request.
  explicit Compilation(const Request &request);

  const Request &request() const { return request_; }

  /// Runs a stage: under the clock, then shows what it says, then runs the verifier: a stage that breaks the IR is
  /// found at once. That may be one that only reads: what is const of a program are not its loops and tasks. False
  /// after an error, which was shown.
  bool run(const Step &stage);
  /// Returns the result.
  Result finish(bool ok);

  // Programs.
  const ir::Program &program() const { return result_.program; } ///< program that is compiled
  const ir::Program &checkedCall() const { return *checkedCall_; }
  const ir::Program &whole() const { return whole_->program; }

  // Stages, in their order; where they stand in several places, once.
  Said parse();        ///< the program, and the algorithm that its check calls
  Said proveCall();    ///< errors of that
  Said fitCall();      ///< whether its calls' arguments fit together
  Said analyzeWhole(); ///< dependences of a program that an element ends, with all that it may do
  Said fitWhole();
  Said takeStages(); ///< parts of that program, which are compiled
  Said prove();      ///< errors of the author's program, and its priorities, before hetc makes another one of it
  Said fit();        ///< whether the arguments of its calls fit together
  Said refuseSplit();
  Said split();       ///< the program on slices of tiles
  Said deal();        ///< the program with updates dealt to copies of the nodes, or to elements of one
  Said analyze();     ///< dependences; the program has priorities, and it is known what is proved
  Said specialize();  ///< the loops of the distribution's nodes
  Said generate();    ///< C++
  Said compileText(); ///< LLVM's text
  Said compileObject();
  Said tryLoops();   ///< loops of nodes beside the plain program; code that is wrong goes
  Said addKernels(); ///< objects with the bodies of kernels
  Said tryProgram(); ///< the program that hetc made of the author's, beside that
  Said link();

  // What is wanted.
  bool always() const { return true; }
  bool provesCall() const { return checkedCall_ && request_.emit != Emit::Split; }
  bool fitsCall() const;
  bool hasParts() const { return program().until.has_value(); }
  bool isSplit() const { return request_.split > 1; }
  bool provesBeforeSplit() const { return fitsBeforeSplit() && request_.emit != Emit::Split; }
  bool fitsBeforeSplit() const { return isSplit() && !fitted_; }
  bool isDealt() const { return copies_ > 1 || isOctal(); }
  bool provesBeforeMaps() const { return isDealt() && !program().until && !onlyTriesMaps(); }
  bool fitsPlain() const { return !isSplit() && !program().until; }
  bool hasDistribution() const { return request_.distribution.has_value(); }
  bool lacksLoops() const { return request_.onlyNodeLoops && !hasLoops(); }
  bool triesLoops() const { return request_.validate && hasLoops(); }
  bool lacksCode() const { return !code_; }
  bool wantsText() const { return request_.emit == Emit::Llvm; }
  bool lacksObject() const { return !code_->object; }
  bool wantsKernels() const { return request_.emit != Emit::Object || isTransformed(); }
  bool isTransformed() const { return request_.validate && (isSplit() || isDealt()); }

  // What requests that end on the way want written. False after an error, which was shown.
  bool writeProgram() const;
  bool writeDependences() const;
  bool writeNodes() const;
  bool writeCxx() const { return write(code_->generated.cxx.text); }
  bool writeText() const { return write(text_); }
  bool writeObject() const { return write(code_->object->bytes); }

private:
  /// A program that an element ends, as a whole, with all that is known of it.
  struct Whole {
    ir::Program program;
    dependence::Analyzed analyzed;
  };

  bool isOctal() const { return request_.tasks == Tasks::Octal; }
  /// All that can be proved of octal boxes is the author's program.
  bool onlyTriesMaps() const { return isOctal() && request_.emit == Emit::Check; }
  bool hasLoops() const { return specialized_ && specialized_->loops; }
  dependence::Use useOfAnalysis() const;
  std::vector<std::string> kernelSources() const;
  codegen::KernelPlaces kernelPlaces() const;
  backend::CompileOptions compileOptions(const std::string &march) const;
  std::optional<codegen::Objects> storeObject() const;
  dependence::Analyzed analyze(ir::Program &program, dependence::Use use, bool makesLoops) const;
  void refuseLoops(const std::string &difference);
  void refuse(const std::string &difference);
  void refuseMap(const std::string &difference);
  void remark(const std::string &message) { reporter_.show({ir::makeRemark({}, message)}); }
  bool write(const std::string &bytes) const;

  const Request &request_;
  const int copies_;
  StageTimer timer_; // goes last, and prints its table
  StageNotes notes_;
  frontend::FrontEnd session_;
  process::SourceFiles files_;
  Reporter reporter_;
  Result result_;
  std::optional<ir::Program> checkedCall_;
  std::optional<Whole> whole_;
  std::optional<Fitted> fitted_; ///< arguments of the author's program
  std::optional<dependence::Analyzed> analyzed_;
  std::optional<specialize::Specialized> specialized_;
  codegen::Processors processors_; ///< processors for which own kernels are compiled
  std::optional<codegen::Code> code_;
  std::string text_;
  std::optional<codegen::Objects> objects_; ///< objects to be linked
};

} // namespace hetc::driver
