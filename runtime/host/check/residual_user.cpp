#include "runtime/host/check/called.hpp"

namespace tla::host {

template <typename T> double residualOfUser(const CheckArguments &arguments) {
  const CalledAlgorithm called(arguments);
  using Element = typename T::Element;
  const StorageRef r = called.makeOwn<Element>(1, 1);
  Element *const here = static_cast<Element *>(r->tile(0, 0)); // null on all ranks but one
  if (here)
    *here = std::numeric_limits<RealType<Element>>::quiet_NaN(); // an algorithm that writes nothing has judged nothing
  called.run(*r);
  std::vector<double> residual{here ? static_cast<double>(std::abs(*here)) : 0};
  arguments.team.ranks.sum(residual);
  arguments.range.ownNotFinite = !std::isfinite(residual[0]);
  return residual[0];
}

TLA_INSTANTIATE_RESIDUAL(residualOfUser)

} // namespace tla::host
