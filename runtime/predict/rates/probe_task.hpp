// A probe as a task on tiles of one size.
#pragma once

#include "runtime/core/passes/single_task.hpp"
#include "runtime/predict/rates/rate_probes.hpp"

#include <algorithm>
#include <vector>

namespace tla::host {

/// The tiles of a probe, as the runtime sees them; tile(number) of which probe, rows and bytes.
class ProbeShape {
public:
  ProbeShape(const RateProbe &probe, int nb, std::size_t elementBytes)
      : probe_(probe), square_(nb, nb, nb, nb, elementBytes, Shape::General),
        factors_(std::min(nb, blockReflectors), nb, std::min(nb, blockReflectors), nb, elementBytes, Shape::General),
        squareTable_(square_, "A", true, false), factorsTable_(factors_, "W", true, false) {}

  runtime::TileTable &table(int number) {
    return probe_.factors && number == probe_.tiles - 1 ? factorsTable_ : squareTable_;
  }
  std::size_t bytes(int number) { return table(number).storage().bytes(); }
  const RateProbe &probe() const { return probe_; }

private:
  const RateProbe &probe_;
  Storage square_, factors_;
  runtime::TileTable squareTable_, factorsTable_;
};

inline runtime::SingleTask taskOf(ProbeShape &shape) {
  std::vector<runtime::SingleArgument> arguments;
  for (int tile = 0; tile < shape.probe().tiles; ++tile)
    arguments.push_back({&shape.table(tile), tile < shape.probe().outputs});
  return {shape.probe().taskClass, arguments};
}

} // namespace tla::host
