#include "compiler/driver/header.hpp"

#include "compiler/codegen/header.hpp"
#include "compiler/process/files.hpp"

namespace hetc::driver {

Result writeHeader(Request request, const std::vector<ir::ElementType> &types) {
  request.emit = Emit::Parse;
  Result all;
  std::vector<ir::Program> programs;
  for (const ir::ElementType type : types) {
    request.type = type;
    Result parsed = compile(request);
    all.dependencies.merge(parsed.dependencies);
    if (!parsed.ok)
      return all;
    programs.push_back(std::move(parsed.program));
  }
  all.ok = process::writeFile(request.output, codegen::emitHeader(programs));
  return all;
}

} // namespace hetc::driver
