// Many nests of loops, each with a part of what a node does, as one that does all in program order.
#pragma once

#include "compiler/dependence/model.hpp"
#include "compiler/specialize/nest.hpp"
#include "compiler/specialize/node_program.hpp"

namespace hetc::specialize {

/// The place of instances in the program: at those of one statement.
struct ProgramPoint {
  const dependence::StatementModel *statement = nullptr;
  /// Order at one instance: transfers to the task, the task, transfers of what it wrote, the program's releases; then
  /// by position and half.
  enum Phase { Before, Run, After, Clause } phase = Run;
  std::size_t position = 0; ///< position of the argument in ir::accessOrder, or of the release clause
  bool isUpper = false;
  /// Loops that the nest has besides the statement's: 1 over the rows of a panel, 2 over rows and columns of gathered
  /// slices.
  int tileLoops = 0;
};

/// Tasks or transfers, with their own nest of loops.
struct Event {
  ProgramPoint place;
  Nest nest;
  Block body; ///< body of the innermost loop
};

/// The variables of a statement's nest, outermost first: those of its loops, where those that count down have a name of
/// their own; then those over tiles.
std::vector<NestVariable> nestVariables(const ProgramPoint &place);

/// Each loop of the program appears once, over the values that some event inside has.
Block merge(const ir::Block &program, std::vector<Event> events);

} // namespace hetc::specialize
