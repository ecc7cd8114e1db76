#include "runtime/predict/rates/dominant_kernel.hpp"

#include "runtime/core/passes/flop_count.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <tla/generated/stages.hpp>
#include <tla/runtime/error.hpp>
#include <tla/runtime/generator.hpp>

#include <algorithm>
#include <deque>
#include <map>

namespace tla::host {
namespace {

constexpr long mostTiles = 8; // per side

/// Adds up the operations of the tasks that it is given.
class FlopsByKernel final : public runtime::TaskSink {
public:
  runtime::TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    return tables_.emplace_back(
        runtime::TileTable::ofNamedTiles(storage, name, workspace, regions, static_cast<int>(tables_.size())));
  }
  void keep(const StorageRef &storage) override { kept_.push_back(storage); }
  void setParameters(const void *parameters) override { count_.setParameters(parameters); }
  void append(const runtime::TaskCall &call) override {
    if (call.taskClass.userKernel)
      return;
    for (int i = 0; i < call.accessCount; ++i)
      if (const runtime::TileAccess &access = call.accesses[i]; !access.matrix->has(access.row, access.column))
        throw Error(access.matrix->outsideText(access.row, access.column));
    flops_[call.taskClass.kernel] += count_.of(call);
  }
  void release(const runtime::TileRef &) override {}
  void send(const runtime::TileRef &, int, int) override {}
  void receive(const runtime::TileRef &, int, int) override {}
  bool stopped() const override { return false; }

  const std::map<std::string, double> &flops() const { return flops_; }

private:
  std::deque<runtime::TileTable> tables_;
  std::vector<StorageRef> kept_;
  runtime::FlopCount count_;
  std::map<std::string, double> flops_;
};

} // namespace

std::vector<std::string> kernelsByFlops(const Problem &problem) try {
  const long limit = mostTiles * problem.nb;
  const runtime::Values &whole = problem.values;
  const runtime::Values values{std::min(whole.m, limit), std::min(whole.n, limit), std::min(whole.k, limit),
                               problem.scalars.data(), whole.period};
  std::vector<StorageRef> storages;
  std::vector<Storage *> pointers;
  for (int i = 0; i < problem.algorithm->matrixCount; ++i)
    storages.push_back(describeStorage(problem.algorithm->matrices[i], values, problem.nb, problem.cut));
  for (const StorageRef &storage : storages)
    pointers.push_back(&*storage);
  FlopsByKernel sink;
  runtime::Generator generator(sink);
  constexpr int mostIterations = 2; // of a loop that an element may end: all of them have the same kernels
  runtime::forEachStage(
      *problem.algorithm, {pointers.data(), problem.scalars.data()},
      [&](const runtime::Arguments &part) {
        problem.algorithm->generate(generator, part);
        return true;
      },
      mostIterations);
  std::vector<std::string> kernels;
  for (const auto &[kernel, flops] : sink.flops())
    kernels.push_back(kernel);
  std::stable_sort(kernels.begin(), kernels.end(),
                   [&](const std::string &a, const std::string &b) { return sink.flops().at(a) > sink.flops().at(b); });
  return kernels;
} catch (const std::exception &) {
  return {}; // what is wrong the run itself says
}

} // namespace tla::host
