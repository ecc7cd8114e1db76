// Programs whose loop an element ends, part by part (Algorithm::stages).
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <functional>

namespace tla::runtime {

/// The stage that generated code is asked for; without one, a stage that is no part of the program.
inline Stage stageOf(const Arguments &arguments) { return arguments.stage ? *arguments.stage : Stage(); }

/// Appends the tasks that `generate` has for the stage; without a stage the whole program, as if no element ended its
/// loop.
void generateStages(Generator &tasks, const Arguments &arguments, const Stages &stages,
                    void (*generate)(Generator &, const Arguments &));
/// Counts the tasks that generateStages() would append.
long countStages(const Arguments &arguments, const Stages &stages, long (*count)(const Arguments &));

/// Calls visit() with the arguments of each part of a run that no element ends early, in order, until it returns false.
/// Held workspaces have no memory for tiles. Of a program without parts: once, with the arguments. With a number of
/// iterations, not 0, as if the element ended the loop in that one.
void forEachStage(const Algorithm &algorithm, const Arguments &arguments,
                  const std::function<bool(const Arguments &)> &visit, int iterations = 0);

} // namespace tla::runtime
