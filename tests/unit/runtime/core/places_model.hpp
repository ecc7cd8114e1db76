// A model of the memories of one node, which follows what places decide, copy by copy.
#pragma once

#include "runtime/core/passes/replay.hpp"
#include "runtime/core/places/homes.hpp"
#include "runtime/core/places/places.hpp"
#include "tests/unit/runtime/core/random_program.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tla::test {

using namespace runtime;

/// Who has which content: the oracle. Versions of halves are numbered as the stream writes them.
class Model final : public PlacedSink {
public:
  Model(const NodePlaces &places, const Distribution *distribution, int rank)
      : places_(places), distribution_(distribution), rank_(rank), used_(places.count()), peak_(places.count()),
        arrived_(places.count()) {}

  TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    TileTable &table = tables_.emplace_back(storage, name, workspace, regions, static_cast<int>(matrices_++));
    if (distribution_)
      table.distribute(*distribution_, rank_);
    placeOf_[&table] = hostPlace;
    for (int j = 0; j < storage.ns() && !workspace; ++j)
      for (int i = 0; i < storage.mt(); ++i)
        for (int half = 0; half <= int(regions) && !table.foreign(i, j); ++half) {
          const Key key{table.number(), i, j, half};
          initial_.insert(key);
          content_[key][homeOf(table, i, j)] = 0;
          if (places_.homes && places_.homes->find(storage) && !places_.homes->find(storage)->isChanged(i, j))
            content_[key][hostPlace] = 0;
        }
    return table;
  }
  TileTable &replica(TileTable &matrix, int place) override {
    TileTable &table = tables_.emplace_back(matrix.storage(), matrix.name(), true, matrix.regions(), matrix.number());
    placeOf_[&table] = place;
    return table;
  }
  void keep(const StorageRef &) override {}
  void setParameters(const void *) override {}
  void append(const TaskCall &) override { FAIL(); }

  void appendAt(int place, const TaskCall &call) override {
    const TileAccess *const accesses = call.accesses;
    const int count = call.accessCount;
    log_.push_back({place, call.indices[0], count, 0});
    ++tasksAt[place];
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(placeOf_.at(accesses[i].matrix), place);
      if (accesses[i].access != Access::Write)
        expectContent(accesses[i].tile(), place);
    }
    for (int i = 0; i < count; ++i) {
      resident(accesses[i].tile(), place);
      if (accesses[i].access != Access::Read)
        write(accesses[i].tile(), place);
    }
    checkUsed();
  }
  void copy(const TileRef &from, TileTable &to, int) override {
    const int source = placeOf_.at(from.matrix), destination = placeOf_.at(&to);
    ASSERT_NE(source, destination);
    log_.push_back({source, destination, from.row, from.column});
    expectContent(from, source);
    EXPECT_TRUE(source == hostPlace || destination == hostPlace || places_.reaches(source, destination));
    resident({&to, from.row, from.column, from.region}, destination);
    const auto [first, last] = Halves::of(*from.matrix, from.region);
    for (int half = first; half <= last; ++half) {
      const Key key{from.matrix->number(), from.row, from.column, half};
      content_[key][destination] = latest_[key];
      if (!arrived_[destination].insert({key, latest_[key]}).second)
        ++twice;
    }
    ++copies;
  }
  void reserve(int place, std::size_t bytes) override { reserved_[place] += bytes; }
  void release(const TileRef &tile) override {
    const TileTable &matrix = *tile.matrix;
    const int place = placeOf_.at(&matrix);
    log_.push_back({-1, place, tile.row, tile.column});
    if (place == hostPlace && !matrix.workspace() && !matrix.foreign(tile.row, tile.column))
      return;
    ASSERT_TRUE(place == hostPlace || homeOf(matrix, tile.row, tile.column) != place);
    const auto [first, last] = Halves::of(matrix, tile.region);
    for (int half = first; half <= last; ++half)
      content_[{matrix.number(), tile.row, tile.column, half}].erase(place);
    if (place != hostPlace) {
      if (tile.region != Region::Full) // the half's content ends; the memory goes when the other one's has ended, too
        return;
      ASSERT_TRUE(tilesAt_[place].erase({matrix.number(), tile.row, tile.column}));
      used_[place] -= places_.memory(place).taken(matrix.tileBytes(tile.row, tile.column));
    }
  }
  void send(const TileRef &tile, int, int) override { expectContent(tile, hostPlace); }
  void receive(const TileRef &tile, int, int) override { write(tile, hostPlace); }
  bool stopped() const override { return false; }

  /// At the end: the caller's tiles are at home, and nobody else has any.
  void expectComplete() {
    for (const TileTable &table : tables_) {
      if (placeOf_.at(&table) != hostPlace || table.workspace())
        continue;
      const Storage &storage = table.storage();
      for (int j = 0; j < storage.ns(); ++j)
        for (int i = 0; i < storage.mt(); ++i)
          if (!table.foreign(i, j))
            expectContent({const_cast<TileTable *>(&table), i, j}, homeOf(table, i, j));
    }
    for (int place = 1; place < places_.count(); ++place)
      EXPECT_EQ(used_[place], 0u) << "place " << place;
  }
  std::size_t peak(int place) const { return peak_[place]; }
  const std::vector<std::array<int, 4>> &log() const { return log_; }

  int copies = 0, twice = 0;
  std::map<int, int> tasksAt;

private:
  using Key = std::array<int, 4>; // matrix, row, column, half

  int homeOf(const TileTable &table, int row, int column) const {
    const MatrixHomes *const homes = places_.homes ? places_.homes->find(table.storage()) : nullptr;
    return homes ? homes->place(row, column) : hostPlace;
  }
  void expectContent(const TileRef &tile, int place) {
    const auto [first, last] = Halves::of(*tile.matrix, tile.region);
    for (int half = first; half <= last; ++half) {
      const Key key{tile.matrix->number(), tile.row, tile.column, half};
      if (!latest_.contains(key) && !initial_.contains(key))
        continue; // never written: undefined for the serial program, too
      ASSERT_TRUE(content_[key].contains(place)) << tile.matrix->tileName(tile.row, tile.column) << " at " << place;
      ASSERT_EQ(content_[key][place], latest_[key]) << tile.matrix->tileName(tile.row, tile.column);
    }
  }
  void write(const TileRef &tile, int place) {
    const auto [first, last] = Halves::of(*tile.matrix, tile.region);
    for (int half = first; half <= last; ++half) {
      const Key key{tile.matrix->number(), tile.row, tile.column, half};
      content_[key][place] = ++latest_[key];
    }
  }
  /// A tile that is not there yet takes memory, which was reserved.
  void resident(const TileRef &tile, int place) {
    if (place == hostPlace || homeOf(*tile.matrix, tile.row, tile.column) == place ||
        !tilesAt_[place].insert({tile.matrix->number(), tile.row, tile.column}).second)
      return;
    const std::size_t bytes = places_.memory(place).taken(tile.matrix->tileBytes(tile.row, tile.column));
    ASSERT_GE(reserved_[place], bytes);
    reserved_[place] -= bytes;
    used_[place] += bytes;
    peak_[place] = std::max(peak_[place], used_[place]);
    ASSERT_LE(used_[place] + (places_.homes ? places_.homes->bytes(places_, place) : 0), places_.memory(place).bytes);
  }
  void checkUsed() {
    for (int place = 1; place < places_.count(); ++place)
      EXPECT_EQ(reserved_[place], 0u) << "reserved and not used";
  }

  const NodePlaces &places_;
  const Distribution *const distribution_;
  const int rank_;
  std::size_t matrices_ = 0;
  std::deque<TileTable> tables_;
  std::map<const TileTable *, int> placeOf_;
  std::map<Key, std::map<int, int>> content_; // by place: number of the version that is there
  std::map<Key, int> latest_;
  std::set<Key> initial_;
  std::map<int, std::set<std::array<int, 3>>> tilesAt_;
  std::map<int, std::size_t> reserved_;
  std::vector<std::size_t> used_, peak_;
  std::vector<std::set<std::pair<Key, int>>> arrived_;
  std::vector<std::array<int, 4>> log_;
};

NodePlaces makePlaces(std::vector<int> weights, std::size_t bytes, bool peers,
                      const Distribution &distribution = Distribution(), int rank = 0) {
  std::vector<NodePlaces::Memory> memories;
  for (std::size_t place = 1; place < weights.size(); ++place)
    memories.push_back({"test:" + std::to_string(place - 1), bytes, 64});
  NodePlaces places(memories, {weights.begin() + 1, weights.end()}, weights[0], distribution, rank);
  places.reaches = [peers](int from, int to) { return peers || from + 1 == to; };
  return places;
}

constexpr std::size_t plenty = 1 << 20;

/// The whole stream of one rank through Places into the model.
template <typename Stream>
void runModel(const NodePlaces &places, const Distribution *distribution, int rank, Stream stream, Model &model) {
  TileUses uses;
  {
    TileUses::Recorder recorder(uses, places, distribution, rank);
    stream(recorder);
  }
  Places sink(places, uses, model);
  stream(sink);
  model.expectComplete();
  for (int place = 1; place < places.count(); ++place)
    EXPECT_GE(sink.peakBytes(place), model.peak(place));
}

inline auto streamOf(const Program &program, ProgramData &data) {
  return [&](TaskSink &sink) {
    Generator generator(sink);
    generate(program, data, generator);
  };
}

} // namespace tla::test
