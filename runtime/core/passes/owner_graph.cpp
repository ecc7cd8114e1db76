#include "runtime/interfaces/owner_graph.hpp"

#include "runtime/core/passes/borrowed_period.hpp"
#include "runtime/core/passes/flop_count.hpp"
#include "runtime/core/passes/protocol.hpp"
#include "runtime/core/passes/shapes.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/packing.hpp"

#include <tla/generated/stages.hpp>
#include <tla/runtime/error.hpp>

#include <map>
#include <set>
#include <tuple>

namespace tla::runtime {

namespace {

/// Bytes by the tiles that exchange them.
using Exchanges = std::map<std::set<int>, double>;

/// The program's instances where each tile of a period is a node of its own.
class OwnerPass final : public DryPass, private InstanceListener {
public:
  OwnerPass(const Distribution &tiles, const Protocol &protocol, OwnerGraph &graph, Exchanges &exchanges)
      : DryPass(&tiles), instances_(protocol, *this), graph_(graph), exchanges_(exchanges) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = DryPass::table(storage, name, workspace, regions);
    instances_.add(table);
    return table;
  }
  void setParameters(const void *parameters) override { flops_.setParameters(parameters); }
  void append(const TaskCall &call) override {
    for (int i = 0; i < call.accessCount; ++i)
      if (const TileAccess &access = call.accesses[i]; !access.matrix->has(access.row, access.column))
        throw Error(access.matrix->outsideText(access.row, access.column));
    flopsOfTask_ = flops_.of(call);
    instances_.append(call);
  }

  /// All versions have gone where they go.
  void finish() {
    for (const auto &[tile, version] : versions_)
      exchanges_[version.tiles] += version.bytes;
    versions_.clear();
  }

private:
  /// One of a tile, or of a part of it, on its way.
  struct Version {
    double bytes;
    std::set<int> tiles;
  };
  using Key = std::tuple<int, int, int, Region>; // matrix, row, column

  void transfer(const TileRef &tile, int source, int destination, int) override {
    Version &version =
        versions_.try_emplace(keyOf(tile), Version{static_cast<double>(packedBytes(tile)), {}}).first->second;
    version.tiles.insert({source, destination});
  }
  void task(int node, const TaskCall &call) override {
    graph_.flops[node] += flopsOfTask_;
    for (int i = 0; i < call.accessCount; ++i)
      if (call.accesses[i].access != Access::Read)
        end(call.accesses[i].tile());
  }
  /// A new version is made.
  void end(TileRef tile) {
    const Region written = tile.region;
    for (const Region region : {Region::Full, Region::Lower, Region::Upper}) {
      const bool isOther = written != Region::Full && region != Region::Full && region != written;
      tile.region = region;
      const auto version = isOther ? versions_.end() : versions_.find(keyOf(tile));
      if (version == versions_.end())
        continue;
      exchanges_[version->second.tiles] += version->second.bytes;
      versions_.erase(version);
    }
  }
  static Key keyOf(const TileRef &tile) { return {tile.matrix->number(), tile.row, tile.column, tile.region}; }

  Protocol::Instances instances_;
  OwnerGraph &graph_;
  Exchanges &exchanges_;
  std::map<Key, Version> versions_;
  FlopCount flops_;
  double flopsOfTask_ = 0;
};

void addPart(const Algorithm &algorithm, const Arguments &arguments, const Distribution &tiles, OwnerGraph &graph,
             Exchanges &exchanges) {
  Protocol protocol(tiles);
  Protocol::LastWrites lastWrites(protocol);
  Generator first(lastWrites);
  algorithm.generate(first, arguments);
  OwnerPass pass(tiles, protocol, graph, exchanges);
  Generator second(pass);
  algorithm.generate(second, arguments);
  pass.finish();
}

} // namespace

OwnerGraph ownerGraph(const Algorithm &algorithm, const Arguments &arguments, int rows, int columns) {
  const Distribution tiles = Distribution::blockCyclic(rows, columns);
  const BorrowedPeriod period(algorithm, arguments, tiles);
  requireFittingShapes(algorithm, arguments);
  OwnerGraph graph{rows, columns, std::vector<double>(rows * static_cast<std::size_t>(columns)), {}};
  if (writesNothing(algorithm, arguments))
    return graph;
  Exchanges exchanges;
  const auto add = [&](const Arguments &part) {
    addPart(algorithm, part, tiles, graph, exchanges);
    return true;
  };
  forEachStage(algorithm, arguments, add, 0);
  for (const auto &[owners, bytes] : exchanges)
    graph.edges.push_back({{owners.begin(), owners.end()}, bytes});
  return graph;
}

} // namespace tla::runtime
