#include "runtime/host/check/called.hpp"

namespace tla::host {

template <typename T> double residualOfUser(const CheckArguments &arguments) {
  const CalledAlgorithm called(arguments);
  const StorageRef r = called.makeOwn<T>(1, 1);
  T *const here = static_cast<T *>(r->tile(0, 0)); // null on all ranks but one
  if (here)
    *here = std::numeric_limits<RealType<T>>::quiet_NaN(); // an algorithm that writes nothing has judged nothing
  called.run(*r);
  std::vector<double> residual{here ? magnitude(Accumulator<T>(*here)) : 0};
  arguments.team.ranks.sum(residual);
  return residual[0];
}

TLA_INSTANTIATE_RESIDUAL(residualOfUser)

} // namespace tla::host
