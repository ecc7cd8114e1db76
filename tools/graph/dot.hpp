// `hetc graph`: the task graph of a program for concrete sizes, as Graphviz dot.
#pragma once

#include "compiler/ir/program.hpp"
#include "compiler/ir/unroll.hpp"

#include <string>

namespace hetc::graph {

/// One node per task, coloured by kernel; solid edges carry data, dashed ones are WAR and WAW. Edges that follow from
/// others on the same tile are not drawn. `error` is set instead when the program cannot be unrolled.
std::string drawGraph(const ir::Program &program, const ir::Sizes &sizes, std::string &error);

} // namespace hetc::graph
