#include "compiler/driver/parse.hpp"

#include "compiler/ir/diagnose.hpp"
#include "compiler/ir/loop_ends.hpp"
#include "compiler/ir/text.hpp"

namespace hetc::driver {

namespace {

using LoopEnds = std::map<const ir::Loop *, ir::LoopEnd>;

void addEndless(const ir::Block &block, const LoopEnds &ends, std::vector<ir::Diagnostic> &errors) {
  for (const ir::Statement &statement : block)
    if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      addEndless((*branch)->then, ends, errors);
      addEndless((*branch)->otherwise, ends, errors);
    } else if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
      const std::string &never = ends.at(loop->get()).never;
      if (!never.empty())
        errors.push_back(ir::makeError((*loop)->location, "the loop over '" + (*loop)->variable +
                                                              "' never ends once it is entered: " + never));
      addEndless((*loop)->body, ends, errors);
    }
}

void addOpenSteps(const ir::Program &program, std::vector<ir::Diagnostic> &errors) {
  for (const auto &[step, location] : ir::openPanelSteps(program))
    errors.push_back(ir::makeError(
        location, "the step of a panel must be at least 1, which hetc cannot see of '" + ir::print(*step) +
                      "': use a constant, p() or q() of a matrix, a parameter that is tuned, or max(1, ...)"));
}

void addFiles(const frontend::Session &session, process::SourceFiles &files) {
  for (const auto *read : {&session.dependencies(), &session.kernelSources()})
    files.add({read->begin(), read->end()});
  for (const std::string &library : session.libraries())
    if (library.find('/') != library.npos) // others the linker finds
      files.add({library});
}

} // namespace

std::optional<Parsed> parseProgram(frontend::Session &session, process::SourceFiles &files) {
  std::optional<ir::Program> program = session.parse();
  addFiles(session, files);
  if (!program || !files.checkOutput())
    return std::nullopt;
  Parsed parsed{std::move(*program), {}, session.remarks()};
  if (ir::Program *call = session.checkedCall())
    parsed.checkedCall = std::move(*call);
  addEndless(parsed.program.body, ir::loopEnds(parsed.program), parsed.diagnostics);
  addOpenSteps(parsed.program, parsed.diagnostics);
  return parsed;
}

} // namespace hetc::driver
