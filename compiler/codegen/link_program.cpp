#include "compiler/codegen/link_program.hpp"

#include "compiler/codegen/link_errors.hpp"
#include "compiler/process/files.hpp"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <utility>

namespace hetc::codegen {

namespace {

backend::LinkOutcome linkTo(const std::string &output, const ir::Program &program, const backend::LinkInputs &inputs,
                            backend::LinkKind kind) {
  backend::LinkOutcome outcome = backend::link(inputs, kind, output);
  llvm::errs() << (outcome.ok ? outcome.messages : explainLinkFailure(outcome.messages, program, inputs.objects));
  return outcome;
}

/// Into the output, where that is a device or a pipe; else in the place of the file there.
bool deliver(process::TemporaryFile &linked, const std::string &output, bool direct) {
  if (!direct)
    return linked.moveTo(output);
  const auto bytes = llvm::MemoryBuffer::getFile(linked.path());
  return bytes && process::writeFile(output, (*bytes)->getBuffer().str());
}

} // namespace

std::optional<Linked> linkProgram(const ir::Program &program, const backend::LinkInputs &inputs, backend::LinkKind kind,
                                  const std::string &output) {
  const bool direct = process::writesDirectly(output);
  process::TemporaryFile linked =
      direct ? process::TemporaryFile("hetc", "out") : process::TemporaryFile::beside(output);
  if (!linked)
    return std::nullopt;
  backend::LinkOutcome outcome = linkTo(linked.path(), program, inputs, kind);
  if (!outcome.ok || !deliver(linked, output, direct))
    return std::nullopt;
  return Linked{output, std::move(outcome.read)};
}

} // namespace hetc::codegen
