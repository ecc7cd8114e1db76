#include "runtime/core/passes/protocol.hpp"

#include "runtime/core/window/halves.hpp"
#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <algorithm>

namespace tla::runtime {

int nodeOf(const TaskClass &taskClass, const TileAccess *accesses, int accessCount) {
  const TileAccess *place = mainAccess(taskClass, accesses, accessCount);
  if (!place && accessCount)
    place = accesses;
  return place && exists(*place) ? place->matrix->node(place->row, place->column) : 0;
}

Protocol::Protocol(const Distribution &distribution) : distribution_(distribution) {}

TileTable &Protocol::LastWrites::table(Storage &storage, const char *name, bool workspace, bool regions) {
  TileTable &table = DryPass::table(storage, name, workspace, regions);
  if (static_cast<std::size_t>(table.number()) == protocol_.lastWriters_.size())
    protocol_.lastWriters_.emplace_back(workspace ? 0 : Halves::count(table));
  return table;
}

void Protocol::LastWrites::append(const TaskCall &call) {
  ++sequence_;
  for (int i = 0; i < call.accessCount; ++i) {
    const TileAccess &access = call.accesses[i];
    if (!writes(access) || access.matrix->workspace() || !exists(access))
      continue;
    std::vector<std::uint64_t> &writers = protocol_.lastWriters_[access.matrix->number()];
    const auto [first, last] = Halves::of(*access.matrix, access.region);
    for (int half = first; half <= last; ++half)
      writers[Halves::index(access.tile(), half)] = sequence_;
  }
}

void Protocol::Instances::add(const TileTable &table) {
  if (static_cast<std::size_t>(table.number()) < matrices_.size())
    return;
  const std::size_t states = Halves::count(table);
  const std::size_t words = (protocol_.distribution_.nodes() + 63) / 64;
  matrices_.push_back({&table, std::vector<State>(states), std::vector<std::uint64_t>(states * words)});
}

void Protocol::Instances::append(const TaskCall &call) {
  ++sequence_;
  const int node = nodeOf(call.taskClass, call.accesses, call.accessCount);
  for (int i = 0; i < call.accessCount; ++i)
    if (reads(call.accesses[i]) && exists(call.accesses[i]))
      bring(call.accesses[i], node, call.priority);
  listener_.task(node, call);
  for (int i = 0; i < call.accessCount; ++i)
    if (writes(call.accesses[i]) && exists(call.accesses[i]))
      produce(call.accesses[i], node);
  for (int i = 0; i < call.accessCount; ++i)
    if (writes(call.accesses[i]) && exists(call.accesses[i]) && !call.accesses[i].matrix->workspace())
      bringHome(call.accesses[i]);
}

int Protocol::Instances::producer(const TileAccess &access, int half) {
  const int producer = state(access, half).producer;
  return producer < 0 ? access.matrix->node(access.row, access.column) : producer;
}

std::uint64_t *Protocol::Instances::holders(const TileAccess &access, int half) {
  const std::size_t words = (protocol_.distribution_.nodes() + 63) / 64;
  return &matrices_[access.matrix->number()].holders[index(access, half) * words];
}

bool Protocol::Instances::lacks(const TileAccess &access, int half, int node) {
  return producer(access, half) != node && !(holders(access, half)[node / 64] >> node % 64 & 1);
}

bool Protocol::Instances::sameVersion(const TileAccess &access) {
  return producer(access, 0) == producer(access, 1) && state(access, 0).writer == state(access, 1).writer;
}

/// The node gets what it lacks of what the access reads.
void Protocol::Instances::bring(const TileAccess &access, int node, int priority) {
  const auto [first, last] = Halves::of(*access.matrix, access.region);
  if (first < last && lacks(access, 0, node) && lacks(access, 1, node) && sameVersion(access))
    return transfer(access, Region::Full, node, priority);
  for (int half = first; half <= last; ++half)
    if (lacks(access, half, node))
      transfer(access, Halves::region(*access.matrix, half), node, priority);
}

void Protocol::Instances::transfer(const TileAccess &access, Region region, int node, int priority) {
  const auto [first, last] = Halves::of(*access.matrix, region);
  for (int half = first; half <= last; ++half)
    holders(access, half)[node / 64] |= std::uint64_t(1) << node % 64;
  listener_.transfer({access.matrix, access.row, access.column, region}, producer(access, first), node, priority);
}

void Protocol::Instances::produce(const TileAccess &access, int node) {
  const std::size_t words = (protocol_.distribution_.nodes() + 63) / 64;
  const auto [first, last] = Halves::of(*access.matrix, access.region);
  for (int half = first; half <= last; ++half) {
    state(access, half) = {node, sequence_};
    std::fill_n(holders(access, half), words, 0);
  }
}

bool Protocol::Instances::isLast(const TileAccess &access, int half) {
  return protocol_.lastWriters_[access.matrix->number()][index(access, half)] == sequence_;
}

void Protocol::Instances::bringHome(const TileAccess &access) {
  const int home = access.matrix->node(access.row, access.column);
  const auto [first, last] = Halves::of(*access.matrix, access.region);
  if (first < last && isLast(access, 0) && isLast(access, 1))
    return bring(access, home, leastPriority);
  for (int half = first; half <= last; ++half)
    if (isLast(access, half) && lacks(access, half, home))
      transfer(access, Halves::region(*access.matrix, half), home, leastPriority);
}

} // namespace tla::runtime
