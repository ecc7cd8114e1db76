// `hetc graph`: the task graph of a program for concrete sizes, as Graphviz dot.
#pragma once

#include "compiler/ir/program.hpp"
#include "compiler/ir/unroll.hpp"

#include <string>
#include <variant>

namespace hetc::graph {

/// One node per task, coloured by kernel; solid edges carry data, dashed ones are WAR and WAW. Edges that follow from
/// others on the same tile are not drawn. An error when the program cannot be unrolled.
std::variant<std::string, ir::UnrollError> drawGraph(const ir::Program &program, const ir::Sizes &sizes);

} // namespace hetc::graph
