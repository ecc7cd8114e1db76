// Nests of loops that are products: where the updates of a matrix are that a map may deal.
#pragma once

#include "compiler/ir/program.hpp"

#include <optional>
#include <set>
#include <string>

namespace hetc::maps {

/// Three loops around updates of one matrix.
struct ProductNest {
  std::string matrix;
  const ir::Loop *row = nullptr, *column = nullptr, *step = nullptr; ///< column null: the tiles are C(i, 0)
  const ir::Loop *outer = nullptr, *inner = nullptr; ///< the loops over rows and columns; inner null: there is only one
  const ir::Block *around = nullptr; ///< the step's loop with what stands before and behind it; null: it is not the
                                     ///< innermost, and nothing does
  const ir::Task *update = nullptr;  ///< the first one inside all loops
  const ir::Block *body = nullptr;   ///< body of the innermost loop
};

/// The end of a loop for (v = 0; v < end; ++v), where arguments decide it; null: the loop is another one.
ir::ExprRef endOf(const ir::Program &program, const ir::Loop &loop);

/// The statement as a loop; null: it is no loop.
const ir::Loop *asLoop(const ir::Statement &statement);

/// Finds the nest of an outermost loop, by the rules of deal.hpp.
class NestFinder {
public:
  /// Updates have calls of their own: separateUpdates().
  NestFinder(const ir::Program &program, const std::set<unsigned> &updates) : program_(program), updates_(updates) {}

  /// Looks for the nest; where it finds none, why() says which obstacle there is, if the loop adds to anything.
  std::optional<ProductNest> find(const ir::Loop &outermost);

  /// The obstacle in the first loop that has one.
  const std::string &why() const { return why_; }

private:
  std::optional<ProductNest> fail(const std::string &reason);
  const ir::Task *firstUpdate(const ir::Block &block) const;
  bool placeLoops(const ir::Loop &outermost, const ir::TileAccess &tile, ProductNest &nest) const;
  bool checkTasks(const ir::Block &block, const ProductNest &nest);
  bool checkFirst(const ir::Block &block, const ProductNest &nest, bool isFirst = false);
  bool checkTask(const ir::Task &task, bool isFirst);

  const ir::Program &program_;
  const std::set<unsigned> &updates_;
  std::string why_;
};

} // namespace hetc::maps
