// What every node does, by running the whole program and keeping books of versions: the rules of specialize.hpp in
// their plainest form. And what the loops of a node program do, by running them.
#pragma once

#include "compiler/ir/unroll.hpp"
#include "compiler/specialize/node_program.hpp"
#include "runtime/distribution/distribution.hpp"

#include <string>
#include <vector>

namespace hetc::test {

/// "S3[0, 2]", "send A(1, 0) to 2", "receive A(1, 0).lower() from 0", in order.
using Actions = std::vector<std::string>;

/// The actions of each node.
std::vector<Actions> referenceActions(const ir::Program &program, const ir::Sizes &sizes,
                                      const tla::Distribution &distribution);

struct NodeRun {
  Actions actions;
  std::size_t iterations = 0; ///< iterations of all loops
};
NodeRun runNode(const specialize::NodeProgram &nodeProgram, const ir::Program &program, const ir::Sizes &sizes,
                const tla::Distribution &distribution, int node);

} // namespace hetc::test
