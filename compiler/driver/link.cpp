#include "compiler/driver/link.hpp"

#include "compiler/driver/files.hpp"
#include "compiler/driver/link_errors.hpp"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <utility>

namespace hetc::driver {

namespace {

codegen::LinkOutcome linkTo(const std::string &output, const ir::Program &program, const codegen::LinkInputs &inputs,
                            codegen::LinkKind kind) {
  codegen::LinkOutcome outcome = codegen::link(inputs, kind, output);
  llvm::errs() << (outcome.ok ? outcome.messages : explainLinkFailure(outcome.messages, program, inputs.objects));
  return outcome;
}

/// Into the output, where that is a device or a pipe; else in the place of the file there.
bool deliver(TemporaryFile &linked, const std::string &output, bool direct) {
  if (!direct)
    return linked.moveTo(output);
  const auto bytes = llvm::MemoryBuffer::getFile(linked.path());
  return bytes && writeFile(output, (*bytes)->getBuffer().str());
}

} // namespace

std::optional<Linked> linkProgram(const ir::Program &program, const codegen::LinkInputs &inputs, codegen::LinkKind kind,
                                  const std::string &output) {
  const bool direct = writesDirectly(output);
  TemporaryFile linked = direct ? TemporaryFile("hetc", "out") : TemporaryFile::beside(output);
  if (!linked)
    return std::nullopt;
  codegen::LinkOutcome outcome = linkTo(linked.path(), program, inputs, kind);
  if (!outcome.ok || !deliver(linked, output, direct))
    return std::nullopt;
  return Linked{output, std::move(outcome.read)};
}

} // namespace hetc::driver
