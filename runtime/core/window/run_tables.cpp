#include "runtime/core/window/run_tables.hpp"

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

} // namespace tla::runtime
