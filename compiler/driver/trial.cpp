#include "compiler/driver/trial.hpp"

#include "compiler/codegen/cxx.hpp"
#include "compiler/codegen/link_errors.hpp"
#include "compiler/process/files.hpp"

#include <llvm/Support/raw_ostream.h>

namespace hetc::driver {

std::optional<Tried> tryProgram(const ir::Program &program, const TrialObjects &objects, const Validate &validate) {
  const process::TemporaryFile library("hetc-try", "so");
  if (!library)
    return std::nullopt;
  const backend::LinkOutcome linked = backend::link(objects.inputs, backend::LinkKind::SharedLibrary, library.path());
  if (linked.ok)
    return Tried{validate({library.path(), codegen::descriptionSymbol(program), objects.distribution})};
  if (!objects.isComplete)
    return Tried{};
  llvm::errs() << codegen::explainLinkFailure(linked.messages, program, objects.inputs.objects);
  return std::nullopt;
}

} // namespace hetc::driver
