#include "runtime/bootstrap/gather.hpp"

#include <cstring>

namespace tla::bootstrap {
namespace {

/// visit(address, bytes) of each column of the tiles in a tile column that the rank owns, in order.
template <typename Visit>
void forEachRun(const Storage &storage, const Placement &placement, int tileColumn, Visit &&visit) {
  for (int i = 0; i < storage.mt(); ++i)
    if (storage.stores(i, tileColumn) && placement.owns(i, tileColumn))
      for (int c = 0; c < storage.tileCols(tileColumn); ++c)
        visit(static_cast<char *>(storage.tile(i, tileColumn)) +
                  static_cast<std::size_t>(c) * storage.ld(i) * storage.elementBytes(),
              storage.tileRows(i) * storage.elementBytes());
}

void gatherColumn(const Storage &mine, const Storage *whole, const Placement &placement, int tileColumn, Ranks &ranks) {
  std::string packed;
  forEachRun(mine, placement, tileColumn, [&](const char *from, std::size_t bytes) { packed.append(from, bytes); });
  const std::vector<std::string> parts = ranks.gather(packed);
  for (std::size_t rank = 0; rank < parts.size(); ++rank) {
    const char *next = parts[rank].data();
    forEachRun(*whole, {placement.distribution, static_cast<int>(rank)}, tileColumn, [&](char *to, std::size_t bytes) {
      std::memcpy(to, next, bytes);
      next += bytes;
    });
  }
}
} // namespace

std::vector<StorageRef> gatherMatrices(const Problem &problem, Ranks &ranks) {
  std::vector<StorageRef> copies;
  for (const ProblemMatrix &matrix : problem.matrices) {
    if (ranks.first()) {
      copies.push_back(describeStorage(*matrix.parameter, problem.values, problem.nb));
      allocateStorage(*matrix.parameter, *copies.back(), {});
    }
    const Storage &mine = **matrix.storage;
    for (int j = 0; j < mine.nt(); ++j)
      gatherColumn(mine, ranks.first() ? &*copies.back() : nullptr, problem.placement, j, ranks);
  }
  return copies;
}

} // namespace tla::bootstrap
