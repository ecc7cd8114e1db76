// What all stages of a compilation have in common: the clock, what is said meanwhile, their diagnostics, and the
// verifier behind each of them.
#pragma once

#include "compiler/driver/reporter.hpp"
#include "compiler/driver/stage_notes.hpp"
#include "compiler/driver/stage_timer.hpp"
#include "compiler/ir/program.hpp"

#include <optional>

namespace hetc::driver {

/// A stage is a function whose value is what it makes, or an optional of that: nothing after an error, which it showed.
/// What it has to say otherwise are the `diagnostics` of its value.
class Stages {
public:
  Stages(StageTimer &timer, StageNotes &notes, Reporter &reporter)
      : timer_(timer), notes_(notes), reporter_(reporter) {}

  /// Runs a stage that rewrites or reads a program: under the clock, then shows its diagnostics, then runs the
  /// verifier: a stage that breaks the IR is found at once. That may be one that only reads: what is const of a program
  /// are not its loops and tasks. Returns what the stage made, nothing after an error.
  template <typename Stage> auto run(const char *name, const ir::Program &program, Stage &&stage) {
    const StageTimer::Scope scope = timer_.start(name);
    const StageNotes::Scope note = notes_.enter(name);
    std::optional made = stage();
    if (made && !(show(*made) && verify(name, program)))
      made.reset();
    return made;
  }

  /// Runs, in the same way, a stage that makes the program, which is `program` in its value.
  template <typename Stage> auto run(const char *name, Stage &&stage) {
    const StageTimer::Scope scope = timer_.start(name);
    const StageNotes::Scope note = notes_.enter(name);
    std::optional made = stage();
    if (made && !(show(*made) && verify(name, made->program)))
      made.reset();
    return made;
  }

private:
  template <typename Made> bool show(const Made &made) {
    if constexpr (requires { made.diagnostics; })
      return reporter_.show(made.diagnostics);
    return true;
  }
  /// Runs the verifier after the stage with this name. False when it broke the program, which is shown.
  static bool verify(const char *name, const ir::Program &program);

  StageTimer &timer_;
  StageNotes &notes_;
  Reporter &reporter_;
};

} // namespace hetc::driver
