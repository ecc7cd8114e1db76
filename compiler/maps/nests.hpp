// Nests of loops that are products: where the updates of a matrix are that a map may deal.
#pragma once

#include "compiler/ir/program.hpp"

#include <optional>
#include <set>
#include <string>

namespace hetc::maps {

/// Three loops around updates of one matrix.
struct Nest {
  std::string matrix;
  const ir::Loop *row = nullptr, *column = nullptr, *step = nullptr; ///< column null: the tiles are C(i, 0)
  const ir::Loop *outer = nullptr, *inner = nullptr;                 ///< of row and column; inner null: there is one
  const ir::Block *around = nullptr; ///< the step's loop with what stands before and behind it; null: it is not the
                                     ///< innermost, and nothing does
  const ir::Task *update = nullptr;  ///< the first one inside all loops
  const ir::Block *body = nullptr;   ///< of the innermost loop
};

/// Of for (v = 0; v < end; ++v), where arguments decide the end; null: of others.
ir::ExprRef endOf(const ir::Program &program, const ir::Loop &loop);

/// Null: it is no loop.
const ir::Loop *asLoop(const ir::Statement &statement);

/// Finds the nest of an outermost loop, by the rules of deal.hpp.
class NestFinder {
public:
  /// Updates have calls of their own: separateUpdates().
  NestFinder(const ir::Program &program, const std::set<unsigned> &updates) : program_(program), updates_(updates) {}

  /// Nothing: there is none, and why() says what is in the way, if anything is added to in the loop.
  std::optional<Nest> find(const ir::Loop &outermost);

  /// Of the first loop in which something is.
  const std::string &why() const { return why_; }

private:
  std::optional<Nest> fail(const std::string &reason);
  const ir::Task *firstUpdate(const ir::Block &block) const;
  bool placeLoops(const ir::Loop &outermost, const ir::TileAccess &tile, Nest &nest) const;
  bool checkTasks(const ir::Block &block, const Nest &nest);
  bool checkFirst(const ir::Block &block, const Nest &nest, bool isFirst = false);
  bool checkTask(const ir::Task &task, bool isFirst);

  const ir::Program &program_;
  const std::set<unsigned> &updates_;
  std::string why_;
};

} // namespace hetc::maps
