#include "compiler/driver/stages.hpp"

#include "compiler/ir/verifier.hpp"
#include "compiler/process/process.hpp"

namespace hetc::driver {

bool Stages::verify(const char *name, const ir::Program &program) {
  const std::string broken = ir::verify(program);
  if (!broken.empty())
    process::reportOwnError(std::string("after stage '") + name + "': " + broken);
  return broken.empty();
}

} // namespace hetc::driver
