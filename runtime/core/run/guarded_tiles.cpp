#include "runtime/core/run/guarded_tiles.hpp"

#include "runtime/core/window/packing.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tla::runtime {
namespace {

/// A not-a-number in elements of four and of eight bytes.
constexpr unsigned char guardBytes[] = {0xa7, 0xa7, 0xff, 0xff};

constexpr unsigned char guardAt(std::size_t offset) { return guardBytes[offset % sizeof guardBytes]; }

} // namespace

int GuardedTiles::Copy::ld() const { return std::max(1, rows) + guardRows; }

const TileTable &GuardedTiles::Copy::table() const { return *versions.front()->table; }

std::string GuardedTiles::Copy::name() const {
  return table().tileName(versions.front()->row, versions.front()->column);
}

GuardedTiles::GuardedTiles(Task &task) {
  // Tasks of hosts may go past their view, to the tiles themselves; gathered tiles are windows on several of the run's.
  if (!task.taskClass->userKernel || task.taskClass->gathers)
    return;
  for (int i = 0; i < task.nodeCount; ++i)
    if (const AccessNode &node = task.node(i); node.version() && node.version()->data)
      add(node);
  for (Copy &copy : copies_)
    fill(copy);
  for (Copy &copy : copies_)
    for (Version *const version : copy.versions) {
      version->data = copy.bytes.data() + copy.begin();
      version->guarded = true;
    }
}

void GuardedTiles::add(const AccessNode &node) {
  Version &version = *node.version();
  auto copy = std::ranges::find(copies_, version.data, &Copy::home);
  if (copy == copies_.end()) {
    const Storage &storage = version.table->storage();
    copies_.push_back({{},
                       {},
                       version.data,
                       ldOf(version),
                       storage.tileRows(version.row),
                       storage.sliceCols(version.column),
                       storage.elementBytes(),
                       false});
    copy = std::prev(copies_.end());
  }
  if (std::ranges::find(copy->versions, &version) == copy->versions.end())
    copy->versions.push_back(&version);
  copy->written = copy->written || node.kind() == AccessNode::Write;
}

void GuardedTiles::fill(Copy &copy) const {
  copy.bytes.resize(copy.columnBytes() * (copy.columns + 2));
  for (std::size_t offset = 0; offset < copy.bytes.size(); ++offset)
    copy.bytes[offset] = guardAt(offset);
  for (int column = 0; column < copy.columns; ++column)
    std::memcpy(copy.bytes.data() + copy.begin() + column * copy.columnBytes(),
                static_cast<const char *>(copy.home) + copy.elementBytes * copy.homeLd * column,
                copy.elementBytes * copy.rows);
}

GuardedTiles::~GuardedTiles() {
  for (Copy &copy : copies_) {
    for (Version *const version : copy.versions) {
      version->data = copy.home;
      version->guarded = false;
    }
    for (int column = 0; copy.written && column < copy.columns; ++column)
      std::memcpy(static_cast<char *>(copy.home) + copy.elementBytes * copy.homeLd * column,
                  copy.bytes.data() + copy.begin() + column * copy.columnBytes(), copy.elementBytes * copy.rows);
  }
}

/// Names the first such element in memory, of several.
std::string GuardedTiles::damageOf(const Copy &copy) {
  const std::string shape = std::to_string(copy.rows) + " x " + std::to_string(copy.columns);
  for (std::size_t offset = 0; offset < copy.bytes.size(); ++offset) {
    long row = static_cast<long>(offset % copy.columnBytes() / copy.elementBytes);
    long column = static_cast<long>(offset / copy.columnBytes()) - 1;
    const bool isInside = row < copy.rows && column >= 0 && column < copy.columns;
    if (column < 0) { // that many before the first element
      row -= copy.ld();
      column = 0;
    }
    if (!isInside && copy.bytes[offset] != guardAt(offset))
      return "writes element (" + std::to_string(row) + ", " + std::to_string(column) + "), which is outside the " +
             shape + " elements of tile " + copy.name();
  }
  for (int column = 0; !copy.written && column < copy.columns; ++column)
    if (std::memcmp(copy.bytes.data() + copy.begin() + column * copy.columnBytes(),
                    static_cast<const char *>(copy.home) + copy.elementBytes * copy.homeLd * column,
                    copy.elementBytes * copy.rows) != 0)
      return "writes tile " + copy.name() + ", which it says only to read";
  return {};
}

std::string GuardedTiles::damage() const {
  for (const Copy &copy : copies_)
    if (std::string text = damageOf(copy); !text.empty())
      return text;
  return {};
}

std::string GuardedTiles::tileAt(const void *element) const {
  const auto copy =
      std::ranges::find_if(copies_, [&](const Copy &each) { return each.bytes.data() + each.begin() == element; });
  return copy == copies_.end() ? "" : copy->name();
}

} // namespace tla::runtime
