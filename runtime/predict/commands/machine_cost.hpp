// What a run costs on a machine that is known as numbers, beside what any run must cost there.
#pragma once

#include "runtime/host/problem/problem.hpp"
#include "runtime/predict/rates/element_bounds.hpp"
#include "runtime/predict/rates/machine_numbers.hpp"

#include "runtime/interfaces/cost.hpp"

#include <optional>
#include <vector>

namespace tla::host {

/// The cost of one element. Operations and words are of the algorithm's element type.
struct ElementCost {
  std::size_t kind;                      ///< index in MachineNumbers::elements
  int node;                              ///< node of the run
  Element numbers;                       ///< numbers of the element for this type
  double best;                           ///< F that ends first: the partition of the bound on time
  double operations;                     ///< F that it has here
  double leastWords;                     ///< the fewest words for these operations
  std::optional<double> words, messages; ///< counted here; nothing: between cores and their node's memory
  double seconds;                        ///< gamma F + beta W + alpha L, of the least words where they are not counted
  double held;                           ///< words of tiles that it keeps at most; 0: not said
};

struct MachineCost {
  MachineNumbers machine;
  AlgorithmWork work;
  std::vector<ElementCost> elements; ///< node by node
  double seconds;                    ///< time of the last element
  double bound;                      ///< (4); for nodes with memories of their own by what they must move
  /// (5), (8), (11); nothing: not for this machine, or these kernels.
  std::optional<double> transferBound, wordBound, updateBound;

  double wordsPerOperation() const { return work.operations > 0 ? work.words / work.operations : 0; } ///< c
};

/// The numbers for elements of a type. Throws UsageError where the machine has no rates for it.
Element numbersFor(const ComputeElement &element, const MachineNumbers &machine, runtime::ElementType type);

/// A cost that was counted on a distribution of as many nodes as the machine has; or, where the machine is one node,
/// on one or several of them, with as many accelerators as it has. Throws UsageError where they do not fit.
///
/// G are the updates that the cost says; where kernels are the author's own, whose operations may be of any kind, all
/// operations, and Loomis & Whitney's bound is left out.
MachineCost costOn(const MachineNumbers &machine, const Problem &problem, const runtime::Cost &cost,
                   const runtime::CostOptions &options);

} // namespace tla::host
