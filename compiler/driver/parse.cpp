#include "compiler/driver/parse.hpp"

#include "compiler/ir/loop_errors.hpp"

#include <algorithm>
#include <iterator>

namespace hetc::driver {

namespace {

void addFiles(const frontend::FrontEnd &session, process::SourceFiles &files) {
  for (const auto *read : {&session.dependencies(), &session.kernelSources()})
    files.add({read->begin(), read->end()});
  for (const std::string &library : session.libraries())
    if (library.find('/') != library.npos) // others the linker finds
      files.add({library});
}

} // namespace

std::optional<Parsed> parseProgram(frontend::FrontEnd &session, process::SourceFiles &files) {
  std::optional<ir::Program> program = session.parse();
  addFiles(session, files);
  if (!program || !files.checkOutput())
    return std::nullopt;
  Parsed parsed{std::move(*program), {}, session.remarks()};
  if (ir::Program *call = session.checkedCall())
    parsed.checkedCall = std::move(*call);
  std::ranges::move(ir::findLoopErrors(parsed.program), std::back_inserter(parsed.diagnostics));
  return parsed;
}

} // namespace hetc::driver
