// The IR as text: what --emit=ir shows. The tests can read it (tests/ir_text/parse.hpp).
#pragma once

#include "compiler/ir/program.hpp"

#include <string>

namespace hetc::ir {

std::string print(const Program &program);
/// "A(i, k).rows(0, 4)".
std::string print(const TileAccess &access);

} // namespace hetc::ir
