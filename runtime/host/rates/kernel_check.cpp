#include "runtime/host/rates/kernel_check.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/rates/probe_task.hpp"
#include "runtime/host/rates/probe_tiles.hpp"

#include <tla/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace tla::host {
namespace {
using runtime::Accelerator;

/// Element (i, j) of a tile: ones on the diagonal, the rest random, such that all of it together is below 1/2 in norm.
/// Factorizations succeed, and products are not small beside the rounding of what they are added to.
std::complex<double> elementOf(int tile, long i, int j, int nb) {
  if (i == j)
    return 1;
  return 0.6 / std::sqrt(nb) * randomElement<std::complex<double>>(static_cast<RandomBits>(tile), i, j);
}

/// The row of a panel of `rows` where LU finds row i of it: all its pivots are far from the diagonal.
long scattered(long i, long rows) {
  constexpr long prime = 7919; // no divisor of rows
  return (i * prime + rows / 2) % rows;
}

/// The tiles of a probe, twice.
class TwoSides {
public:
  TwoSides(Accelerator &accelerator, ElementType type, const RateProbe &probe, int nb)
      : accelerator_(accelerator), type_(type), probe_(probe), nb_(nb), shape_(probe, nb, elementBytes(type)) {
    for (int tile = 0; tile < probe.tiles; ++tile) {
      host_.push_back(makeTile(tile));
      there_.push_back(makeTile(tile));
    }
  }

  /// Empty: the same.
  std::string difference() {
    std::vector<AcceleratorTile> tiles;
    for (int tile = 0; tile < probe_.tiles; ++tile)
      if (!tiles.emplace_back(accelerator_, storage(tile).bytes()).data())
        return "";
    runtime::SingleTask mine = taskOf(shape_), its = taskOf(shape_);
    for (int tile = 0; tile < probe_.tiles; ++tile) {
      mine.setTile(tile, host_[tile].data());
      its.setTile(tile, tiles[tile].data());
    }
    if (const std::string error = runThere(its, tiles); !error.empty())
      return "fails: " + error;
    mine.run();
    double most = 0;
    for (int tile = 0; tile < probe_.outputs; ++tile)
      most = std::max(most, differenceOf(tile));
    const double tolerance = nb_ * unitRoundoff(type_);
    return most <= tolerance ? ""
                             : format("computes other numbers than the host: they differ by %.1e of the largest", most);
  }

private:
  const Storage &storage(int tile) { return shape_.table(tile).storage(); }

  HostTile makeTile(int tile) {
    const bool isOfPanel = probe_.pivots && tile < probe_.outputs - 1;
    const long rows = static_cast<long>(probe_.outputs - 1) * nb_;
    return {type_, storage(tile), [&](int i, int j, int) {
              return isOfPanel ? elementOf(0, scattered(static_cast<long>(tile) * nb_ + i, rows), j, nb_)
                               : elementOf(tile, i, j, nb_);
            }};
  }

  std::string runThere(runtime::SingleTask &task, const std::vector<AcceleratorTile> &tiles) {
    for (int tile = 0; tile < probe_.tiles; ++tile)
      accelerator_.copyIn(wholeTile(there_[tile].data(), tiles[tile].data(), storage(tile)), nullptr);
    if (Ends ends = finishAll(accelerator_, probe_.tiles); !ends.error.empty())
      return ends.error;
    accelerator_.launch(probe_.taskClass, task.task(), runtime::Standing::Among, nullptr);
    if (Ends ends = finishAll(accelerator_, 1); !ends.error.empty())
      return ends.error;
    for (int tile = 0; tile < probe_.outputs; ++tile)
      accelerator_.copyOut(wholeTile(tiles[tile].data(), there_[tile].data(), storage(tile)), nullptr);
    return finishAll(accelerator_, probe_.outputs).error;
  }

  /// The largest difference of two elements over the largest element; infinite where one is no number, or pivots
  /// differ.
  double differenceOf(int tile) {
    const void *const mine = host_[tile].data(), *const its = there_[tile].data();
    if (probe_.pivots && tile == probe_.outputs - 1)
      return std::memcmp(mine, its, host_[tile].bytes()) ? HUGE_VAL : 0;
    return withNumberType(type_, [&](auto zero) {
      using T = decltype(zero);
      double largest = 0, difference = 0;
      for (std::size_t i = 0; i < host_[tile].bytes() / sizeof(T); ++i) {
        const T expected = static_cast<const T *>(mine)[i], got = static_cast<const T *>(its)[i];
        const double off = std::abs(got - expected);
        largest = std::max(largest, static_cast<double>(std::abs(expected)));
        difference = off == off ? std::max(difference, off) : HUGE_VAL;
      }
      return difference == 0 ? 0 : difference / largest;
    });
  }

  Accelerator &accelerator_;
  const ElementType type_;
  const RateProbe &probe_;
  const int nb_;
  ProbeShape shape_;
  std::vector<HostTile> host_, there_;
};

} // namespace

void requireSameResults(Accelerator &accelerator, const KernelCheck &check) {
  std::vector<RateProbe> probes = probesOf(check.type, check.kernels);
  for (RateProbe &panel : panelProbesOf(check.type, check.kernels))
    probes.push_back(std::move(panel));
  for (const RateProbe &probe : probes) {
    if (!accelerator.has(probe.taskClass))
      continue;
    if (check.checkpoint)
      check.checkpoint();
    const std::string difference = TwoSides(accelerator, check.type, probe, check.nb).difference();
    if (!difference.empty())
      throw Error(accelerator.properties().name + ": its kernel " + probe.taskClass.kernel + " for " +
                  typeName(check.type) + " " + difference +
                  format(" (tiles of %d); nothing is run on this device. '--devices none' computes on the host, "
                         "tools/gpu-check tests the device kernel by kernel",
                         check.nb));
  }
}

} // namespace tla::host
