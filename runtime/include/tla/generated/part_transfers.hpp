// Messages between nodes, from those between parts of nodes: for loops of nodes of distributions whose parts the
// compiler knows (Distribution::parts). Only their generated code includes this header: what it includes takes longer
// to compile than all else of a program.
#pragma once

#include <tla/runtime/generator.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tla::runtime {

/// One node's ends. Its parts' messages come in program order. What goes between two parts of one node is no message,
/// and of a version of a tile, or half, each other node gets the first only: a part needs what it reads whether or not
/// another of its node has it. Both ends leave out the same, as both are told which version it is. A version is the
/// time of its writer, N numbers.
template <std::size_t N> class PartTransfers {
public:
  using Version = std::array<int, N>;

  PartTransfers(Generator &tasks, int node) : tasks_(tasks), node_(node) {}

  void send(TileTable &matrix, int row, int column, Region region, int destination, int priority,
            const Version &version) {
    if (destination == node_)
      return;
    if (const auto lacking = supply({&matrix, row, column}, region, destination, version))
      tasks_.send(matrix, row, column, *lacking, destination, priority);
  }
  void receive(TileTable &matrix, int row, int column, Region region, int source, int priority,
               const Version &version) {
    if (source == node_)
      return;
    if (const auto lacking = supply({&matrix, row, column}, region, node_, version))
      tasks_.receive(matrix, row, column, *lacking, source, priority);
  }

private:
  struct Tile {
    const TileTable *matrix;
    int row, column;
    bool operator==(const Tile &) const = default;
  };
  struct Hash {
    std::size_t operator()(const Tile &tile) const {
      const std::uint64_t place = std::uint64_t(std::uint32_t(tile.row)) << 32 | std::uint32_t(tile.column);
      return static_cast<std::size_t>((place ^ reinterpret_cast<std::uintptr_t>(tile.matrix)) * 0x9e3779b97f4a7c15u >>
                                      7);
    }
  };
  struct Half {
    Version version{};
    std::vector<int> holders; ///< nodes that have got this version
  };

  /// The part of the region that the node has not got yet of this version; it has it then.
  std::optional<Region> supply(const Tile &tile, Region region, int node, const Version &version) {
    std::array<Half, 2> &halves = tiles_[tile];
    const bool lower = region != Region::Upper && supply(halves[0], node, version),
               upper = region != Region::Lower && supply(halves[1], node, version);
    if (!lower && !upper)
      return std::nullopt;
    return lower && upper ? Region::Full : lower ? Region::Lower : Region::Upper;
  }
  static bool supply(Half &half, int node, const Version &version) {
    if (half.version != version) {
      half.version = version;
      half.holders.clear();
    }
    if (std::find(half.holders.begin(), half.holders.end(), node) != half.holders.end())
      return false;
    half.holders.push_back(node);
    return true;
  }

  Generator &tasks_;
  const int node_;
  std::unordered_map<Tile, std::array<Half, 2>, Hash> tiles_;
};

} // namespace tla::runtime
