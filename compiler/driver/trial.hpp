// Before what hetc made of a program is used, it runs beside the plain program: loops of nodes, and programs on slices.
#pragma once

#include "compiler/backend/link.hpp"
#include "compiler/driver/compile.hpp"
#include "compiler/ir/program.hpp"

#include <optional>
#include <string>

namespace hetc::driver {

struct Tried {
  std::optional<std::string> difference; ///< difference from the plain program
};

/// The objects of a program that are to be tried.
struct TrialObjects {
  backend::LinkInputs inputs;
  const tla::Distribution *distribution = nullptr; ///< distribution of the loops, as in Trial; null: the program itself
  bool isComplete = true; ///< whether the objects are a program; else bodies of kernels may be elsewhere
};

/// Links the objects and tries them. Nothing after an error, which was shown. Objects that are not complete and cannot
/// be linked nobody can try: they are believed.
std::optional<Tried> tryProgram(const ir::Program &program, const TrialObjects &objects, const Validate &validate);

} // namespace hetc::driver
