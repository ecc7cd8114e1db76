#include "runtime/core/window/dry_pass.hpp"

namespace tla::runtime {

TileTable &DryTables::table(Storage &storage, const char *name, bool workspace, bool regions) {
  for (TileTable &known : tables_)
    if (&known.storage() == &storage) { // two parameters, one matrix
      if (regions)
        known.addRegions();
      return known;
    }
  tables_.push_back(TileTable::ofNamedTiles(storage, name, workspace, regions, static_cast<int>(tables_.size())));
  if (distribution_)
    tables_.back().distribute(*distribution_, rank_);
  return tables_.back();
}

} // namespace tla::runtime
