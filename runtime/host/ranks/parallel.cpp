#include "runtime/host/ranks/parallel.hpp"

namespace tla::host {
namespace {
using runtime::Access;
using runtime::Generator;
using runtime::Outcome;
using runtime::TaskClass;
using runtime::TaskView;
using runtime::TileAccess;
using Body = std::function<void(int, int)>;

int callBody(const TaskView &view) {
  view.parameters<Body>()(view.index(0), view.index(1));
  return 0;
}
constexpr TaskClass bodyTask{"tile", "runtime/host", callBody, nullptr, 0, true};

} // namespace

void requireFinished(const Outcome &outcome) {
  if (outcome.kind == Outcome::Kind::Interrupted)
    throw Interrupted{};
  if (outcome.kind != Outcome::Kind::Finished)
    throw Error(outcome.message);
}

void forEachTile(runtime::Executor &executor, Storage &storage, const Body &body) {
  requireFinished(executor.run([&](Generator &generator) {
    runtime::TileTable &table = generator.matrix(storage, "matrix");
    generator.setParameters(&body);
    for (int j = 0; j < storage.nt(); ++j)
      for (int i = 0; i < storage.mt(); ++i)
        if (storage.tile(i, j)) {
          const int indices[] = {i, j};
          const TileAccess access{&table, i, j * storage.slices(), Access::ReadWrite}; // its first slice stands for it
          generator.append({bodyTask, 0, indices, 2, &access, 1});
        }
  }));
}

void forEachStep(runtime::Executor &executor, int blocks,
                 const std::function<void(const std::function<void(const BlockStep &)> &)> &list, const Body &body) {
  // One byte per block stands for it: the runtime orders the steps by their accesses to these.
  const StorageRef tokens(new Storage(blocks, 1, 1, 1, 1, Shape::General));
  tokens->allocate();
  requireFinished(executor.run([&](Generator &generator) {
    runtime::TileTable &table = generator.matrix(*tokens, "blocks");
    generator.setParameters(&body);
    list([&](const BlockStep &step) {
      const int indices[] = {step.i, step.j};
      const TileAccess accesses[] = {{&table, step.first, 0, Access::ReadWrite},
                                     {&table, step.second, 0, Access::ReadWrite}};
      generator.append({bodyTask, 0, indices, 2, accesses, step.first == step.second ? 1 : 2});
    });
  }));
}

} // namespace tla::host
