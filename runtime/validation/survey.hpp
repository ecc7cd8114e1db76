// A look at a program before it is run.
#pragma once

#include "runtime/core/window/dry_pass.hpp"
#include "runtime/distribution/distribution.hpp"

#include <tla/runtime/algorithm.hpp>
#include <tla/runtime/generator.hpp>

namespace tla::runtime {

constexpr std::size_t mostSurveyed = 20'000; ///< the most instances in one trial

/// Thrown out of loops that go on and on.
struct Endless {};

/// Whether the program can be run at all: it names no tile that there is not. And how many tasks it has.
class Survey final : public DryPass {
public:
  explicit Survey(const Distribution &distribution) : DryPass(&distribution) {}
  void append(const TaskCall &call) override {
    if (++tasks_ > mostSurveyed)
      throw Endless{};
    for (int i = 0; i < call.accessCount; ++i)
      require(*call.accesses[i].matrix, call.accesses[i].row, call.accesses[i].column);
  }
  void release(const TileRef &tile) override { require(*tile.matrix, tile.row, tile.column); }
  bool stopped() const override { return tasks_ > mostSurveyed; }

  bool runs(const Algorithm &algorithm, const Arguments &arguments) {
    try {
      Generator handle(*this);
      algorithm.generate(handle, arguments);
    } catch (...) { // what the program throws for itself would end a run, too
      return false;
    }
    return sound_;
  }

private:
  void require(const TileTable &matrix, int row, int column) {
    sound_ = sound_ && matrix.has(row, column) && matrix.stores(row, column);
  }
  std::size_t tasks_ = 0;
  bool sound_ = true;
};

} // namespace tla::runtime
