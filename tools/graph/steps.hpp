// A small run of a program, step by step: who owns which tile, which tasks are ready together, what goes from node to
// node. For pictures that explain; nothing is computed.
#pragma once

#include "compiler/ir/program.hpp"
#include "compiler/ir/unroll.hpp"
#include "runtime/distribution/distribution.hpp"

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace hetc::graph {

struct Tile {
  int matrix, row, column;
  auto operator<=>(const Tile &) const = default;
};

struct Matrix {
  std::string name;
  int rows, columns;       ///< tiles
  std::vector<int> owners; ///< node of tile (i, j) at i + j * rows; -1: no task names it
};

struct Task {
  int kernel; ///< index in Steps::kernels
  int line;
  int node; ///< the owner of its main output
  int step; ///< behind the steps of all tasks that it waits for, from 0 on
  std::vector<Tile> writes, reads;
};

/// A tile that other nodes need goes to each of them once.
struct Message {
  int from, to;
  Tile tile;
  int step; ///< step of the task that wrote the tile; -1: it had its content before
};

struct Steps {
  std::string name, distribution;
  int nodes = 1;
  std::vector<std::string> kernels;
  std::vector<Matrix> matrices;
  std::vector<Task> tasks; ///< tasks in program order
  std::vector<Message> messages;
  int count = 0; ///< steps
};

inline constexpr std::size_t mostTasks = 4000, mostTiles = 1024;
inline constexpr int mostNodes = 36;

/// Deals tasks to steps as if there were a core for each task: a step is all that waits for the one before it. The text
/// says why there is no picture: more than the numbers above, or the error of ir::unroll().
std::variant<Steps, std::string> stepsOf(const ir::Program &program, const ir::Sizes &sizes,
                                         const tla::Distribution &distribution);

} // namespace hetc::graph
