#include "compiler/driver/split_program.hpp"

#include "compiler/ir/diagnose.hpp"
#include "compiler/split/split.hpp"

namespace hetc::driver {

Split splitProgram(ir::Program &program, const Fitted &fitted, std::optional<ir::Program> &checkedCall, int slices,
                   const std::vector<ir::Program> &rules) {
  split::Subject ofCheck;
  if (checkedCall)
    ofCheck = {&*checkedCall, findFitting(*checkedCall)};
  Split split;
  for (const ir::Diagnostic &said : split::split({&program, fitted.fitting}, ofCheck, slices, rules))
    split.diagnostics.push_back(ir::makeRemark(said.location, said.message));
  return split;
}

} // namespace hetc::driver
