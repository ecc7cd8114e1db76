// What one node of a distribution does, for all nodes and sizes at once: loops over its own tasks, its own sends and
// receives, and the program's releases of its tiles. Made by specialize(), printed as C++ by codegen. Knows no isl.
#pragma once

#include "compiler/ir/program.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hetc::specialize {

/// An instance of a task. Its expressions hold once the loop variables of the program are replaced by `indices`.
struct OwnTask {
  const ir::Task *task = nullptr;
  std::map<std::string, ir::ExprRef> indices; ///< values of the program's loop variables over those here
};

/// One message of this node, or a release clause for a tile of its own: see
/// runtime/include/tla/runtime/generator.hpp.
struct Transfer {
  enum class Kind { Send, Receive, Release } kind = Kind::Send;
  std::string matrix;
  ir::ExprRef row, column;
  ir::Region region = ir::Region::Full;
  ir::ExprRef peerX, peerY; ///< coordinates of the other node, or part of a node; null for a release
  /// The priority of the task that reads the content there, the least if none does; null: the task has none.
  ir::ExprRef priority = {};
  /// In a program of parts: what tells this version of the tile from all others, of equal length everywhere.
  std::vector<ir::ExprRef> version = {};
};

/// const bool name = value.
struct Let {
  std::string name;
  ir::ExprRef value;
};

struct Loop;
struct If;
using Statement = std::variant<std::unique_ptr<Loop>, std::unique_ptr<If>, Let, OwnTask, Transfer>;
using Block = std::vector<Statement>;

/// first, first + step, ... up to last, if `when` holds (null: always). `member` names a bool of the body that tells
/// whether the present value is one of them; empty in a loop over one range.
struct Range {
  ir::ExprRef first, last;
  std::int64_t step = 1;
  ir::ExprRef when;
  std::string member;
};

/// variable <= last, as its loop tests it: `variable < e` where `last` is e - 1.
ir::ExprRef isWithin(const std::string &variable, const Range &range);

/// The values of all ranges in ascending order, each once. A single range has no condition.
struct Loop {
  std::string variable;
  std::vector<Range> ranges;
  Block body;
};

struct If {
  ir::ExprRef condition;
  Block then;
};

/// Over the program's names and the node's coordinates, the variables `nodeX` and `nodeY`. Borrows the program.
/// Variables that the program does not have hold two underscores in a row, as no name of a user's may.
///
/// For a distribution of which each node has several parts (Distribution::parts), up to `parts` of them, the loops do
/// in program order what these parts do, and the coordinates are those of parts. Messages are what goes between parts:
/// who runs the loops leaves out those between two parts of one node, and all but the first of a version between two
/// nodes.
struct NodeProgram {
  Block body;
  int parts = 1;
  std::size_t versionLength = 0; ///< length of Transfer::version
};
inline const std::string nodeX = "x__", nodeY = "y__";
/// The coordinates of a part, and whether the node has so many: variables, the latter a bool.
struct PartNames {
  std::string x, y, exists;
};
PartNames partNames(int part);

/// Behind the loops of `all`, those of a program that runs where `condition` holds. Both are for one distribution.
void append(const ir::ExprRef &condition, NodeProgram &&nodeProgram, NodeProgram &all);

/// The text of --emit=nodes: C-like loops with "potrf(Lower, A(k, k))" and "send A(i, k) to (x__, y__)". Deterministic.
std::string print(const NodeProgram &nodeProgram);

/// A copy with values in the place of names.
Block withNames(const Block &block, const std::map<std::string, ir::ExprRef> &values);

/// A copy of the loops for the node with these parts, at most NodeProgram::parts; of one without parts: with these
/// coordinates. They are put in, and constants computed.
NodeProgram atNode(const NodeProgram &nodeProgram, const std::vector<std::pair<int, int>> &parts);

} // namespace hetc::specialize
