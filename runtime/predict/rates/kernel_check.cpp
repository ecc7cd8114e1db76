#include "runtime/predict/rates/kernel_check.hpp"

#include "dsl/base/text.hpp"
#include "runtime/predict/rates/probe_task.hpp"
#include "runtime/predict/rates/probe_tiles.hpp"

#include <tla/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>

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

  /// Empty: the same. Nothing: it could not be found out, for want of memory, or since the kernel fails.
  std::optional<std::string> difference() {
    std::vector<AcceleratorTile> tiles;
    for (int tile = 0; tile < probe_.tiles; ++tile)
      if (!tiles.emplace_back(accelerator_, storage(tile).bytes()).data())
        return std::nullopt;
    runtime::SingleTask mine = taskOf(shape_), its = taskOf(shape_);
    for (int tile = 0; tile < probe_.tiles; ++tile) {
      mine.setTile(tile, host_[tile].data());
      its.setTile(tile, tiles[tile].data());
    }
    if (!runThere(its, tiles))
      return std::nullopt;
    mine.run();
    double most = 0;
    for (int tile = 0; tile < probe_.outputs; ++tile) {
      if (!isOfPivots(tile))
        most = std::max(most, differenceOf(tile));
      else if (!sameBytes(tile))
        return "chooses other pivots than the host";
    }
    if (!std::isfinite(most))
      return "computes what is no number, or the host does";
    if (most > nb_ * unitRoundoff(type_))
      return format("computes other numbers than the host: they differ by %.1e of the largest", most);
    const runtime::TaskSize size = runtime::sizeOf(probe_.taskClass, runtime::TaskView(its.task()));
    return accelerator_.joins(probe_.taskClass, size) ? differenceTogether() : "";
  }

private:
  /// Several tasks, each with tiles of its own, and what is in them.
  class Tasks {
  public:
    Tasks(TwoSides &sides, int count) : sides_(sides) {
      for (int i = 0; i < count; ++i) {
        tasks_.push_back(taskOf(sides.shape_));
        for (int tile = 0; tile < sides.probe_.tiles; ++tile)
          tasks_[i].setTile(tile, tiles_.emplace_back(sides.accelerator_, sides.storage(tile).bytes()).data());
      }
    }
    bool hasMemory() const {
      return std::ranges::all_of(tiles_, [](const AcceleratorTile &tile) { return tile.data(); });
    }
    /// Fills the tiles with their first content, another one for each task. False: a copy failed.
    bool fill() {
      return copy([&](int task, int tile, void *there) {
        const HostTile before = sides_.makeTile(tile, task);
        sides_.accelerator_.copyIn(wholeTile(before.data(), there, sides_.storage(tile)), nullptr);
        return finishAll(sides_.accelerator_, 1).error.empty();
      });
    }
    /// One after the other, or by one launch. False: one failed.
    bool run(bool together) {
      std::vector<const runtime::Task *> list;
      for (const runtime::SingleTask &task : tasks_) {
        list.push_back(&task.task());
        if (!together)
          sides_.accelerator_.launch(sides_.probe_.taskClass, task.task(), runtime::Standing::Among, nullptr);
      }
      if (together)
        sides_.accelerator_.launchTogether(sides_.probe_.taskClass, list, runtime::Standing::Among, nullptr);
      return finishAll(sides_.accelerator_, together ? 1 : static_cast<int>(list.size())).error.empty();
    }
    /// Reads the content of all tiles. False: a copy failed.
    bool read(std::vector<HostTile> &content) {
      return copy([&](int, int tile, void *there) {
        HostTile &after = content.emplace_back(sides_.makeTile(tile));
        sides_.accelerator_.copyOut(wholeTile(there, after.data(), sides_.storage(tile)), nullptr);
        return finishAll(sides_.accelerator_, 1).error.empty();
      });
    }

  private:
    template <typename Copy> bool copy(Copy &&each) {
      for (std::size_t i = 0; i < tiles_.size(); ++i)
        if (!each(static_cast<int>(i) / sides_.probe_.tiles, static_cast<int>(i) % sides_.probe_.tiles,
                  tiles_[i].data()))
          return false;
      return true;
    }

    TwoSides &sides_;
    std::vector<AcceleratorTile> tiles_;
    std::vector<runtime::SingleTask> tasks_;
  };

  /// One launch of several gives each what it gives alone, to the bit.
  std::optional<std::string> differenceTogether() {
    constexpr int several = 3;
    Tasks tasks(*this, several);
    if (!tasks.hasMemory())
      return std::nullopt;
    std::vector<HostTile> alone, together;
    if (!tasks.fill() || !tasks.run(false) || !tasks.read(alone) || !tasks.fill() || !tasks.run(true) ||
        !tasks.read(together))
      return std::nullopt;
    for (std::size_t i = 0; i < alone.size(); ++i)
      if (std::memcmp(alone[i].data(), together[i].data(), alone[i].bytes()) != 0)
        return "computes other numbers where one launch does several tasks than where it does one";
    return "";
  }

  const Storage &storage(int tile) { return shape_.table(tile).storage(); }

  HostTile makeTile(int tile, int task = 0) {
    const bool isOfPanel = probe_.pivots && tile < probe_.outputs - 1;
    const long rows = static_cast<long>(probe_.outputs - 1) * nb_;
    return {type_, storage(tile), [&](int i, int j, int) {
              return isOfPanel ? elementOf(0, scattered(static_cast<long>(tile) * nb_ + i, rows), j, nb_)
                               : elementOf(tile + task * probe_.tiles, i, j, nb_);
            }};
  }

  bool runThere(runtime::SingleTask &task, const std::vector<AcceleratorTile> &tiles) {
    for (int tile = 0; tile < probe_.tiles; ++tile)
      accelerator_.copyIn(wholeTile(there_[tile].data(), tiles[tile].data(), storage(tile)), nullptr);
    if (!finishAll(accelerator_, probe_.tiles).error.empty())
      return false;
    accelerator_.launch(probe_.taskClass, task.task(), runtime::Standing::Among, nullptr);
    if (!finishAll(accelerator_, 1).error.empty())
      return false;
    for (int tile = 0; tile < probe_.outputs; ++tile)
      accelerator_.copyOut(wholeTile(tiles[tile].data(), there_[tile].data(), storage(tile)), nullptr);
    return finishAll(accelerator_, probe_.outputs).error.empty();
  }

  bool isOfPivots(int tile) const { return probe_.pivots && tile == probe_.outputs - 1; }
  bool sameBytes(int tile) const {
    return std::memcmp(host_[tile].data(), there_[tile].data(), host_[tile].bytes()) == 0;
  }

  /// The largest difference of two elements over the largest element before or after, before which it was 1 on the
  /// diagonal; infinite where one is no number.
  double differenceOf(int tile) {
    return withNumberType(type_, [&](auto zero) {
      using T = decltype(zero);
      const auto *const mine = static_cast<const T *>(host_[tile].data());
      const auto *const its = static_cast<const T *>(there_[tile].data());
      double largest = 1, difference = 0;
      for (std::size_t i = 0; i < host_[tile].bytes() / sizeof(T); ++i) {
        const double off = std::abs(its[i] - mine[i]);
        largest = std::max(largest, static_cast<double>(std::abs(mine[i])));
        difference = off == off ? std::max(difference, off) : HUGE_VAL;
      }
      return difference / largest;
    });
  }

  Accelerator &accelerator_;
  const ElementType type_;
  const RateProbe &probe_;
  const int nb_;
  ProbeShape shape_;
  std::vector<HostTile> host_, there_;
};

std::string messageOf(const runtime::AcceleratorProperties &device, const std::string &kernel, const KernelCheck &check,
                      const std::string &difference) {
  return device.name + ": its kernel " + kernel + " for " + typeName(check.type) + " " + difference +
         format(" (tiles of %d); nothing is run on this device", check.nb) +
         "; '--devices none' computes on the host, tools/gpu-check tests kernel by kernel" +
         (device.advice.empty() ? "" : "; " + device.advice);
}

} // namespace

bool requireSameResults(Accelerator &accelerator, const KernelCheck &check) {
  bool all = true;
  std::vector<RateProbe> probes = probesOf(check.type, check.kernels);
  for (RateProbe &panel : panelProbesOf(check.type, check.kernels))
    probes.push_back(std::move(panel));
  for (const RateProbe &probe : probes) {
    if (!accelerator.has(probe.taskClass))
      continue;
    if (check.checkpoint)
      check.checkpoint();
    const std::optional<std::string> difference = TwoSides(accelerator, check.type, probe, check.nb).difference();
    if (!difference.value_or("").empty())
      throw Error(messageOf(accelerator.properties(), probe.taskClass.kernel, check, *difference));
    all &= difference.has_value();
  }
  return all;
}

} // namespace tla::host
