#include "runtime/core/window/run_tables.hpp"

#include <tla/runtime/executor.hpp>

#include <algorithm>
#include <limits>

namespace tla::runtime {

TileTable &RunTables::table(Storage &storage, const char *name, bool workspace, bool regions) {
  for (const auto &known : tables_)
    if (&known->storage() == &storage) { // two parameters, one matrix
      if (regions)
        addRegions(*known);
      return *known;
    }
  const int number = static_cast<int>(tables_.size());
  tables_.push_back(std::make_unique<TileTable>(distribution_
                                                    ? TileTable::ofNamedTiles(storage, name, workspace, regions, number)
                                                    : TileTable(storage, name, workspace, regions, number)));
  tables_.back()->setWritten(held_.find(storage));
  if (distribution_)
    tables_.back()->distribute(*distribution_, rank_);
  return *tables_.back();
}

void RunTables::addRegions(TileTable &table) {
  table.addRegions();
  for (const auto &replica : replicas_)
    if (replica->number() == table.number())
      replica->addRegions();
}

TileTable &RunTables::replica(TileTable &matrix, int place, const MatrixHomes *homes) {
  TileTable &replica = *replicas_.emplace_back(std::make_unique<TileTable>(matrix, place));
  replica.setHomes(homes);
  return replica;
}

std::int64_t RunTables::lookahead(std::size_t given, std::uint64_t open) const {
  std::uint64_t matrices = 0;
  for (const auto &table : tables_)
    matrices += table->callersBytes();
  const int nodes = distribution_ ? distribution_->nodes() : 1;
  const std::uint64_t bytes = given == Options::usualLookahead ? usualLookahead(matrices, nodes, open) : given;
  return static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, std::numeric_limits<std::int64_t>::max()));
}

} // namespace tla::runtime
