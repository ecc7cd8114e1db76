#include "runtime/validation/instances.hpp"

#include "runtime/core/window/main_access.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <algorithm>
#include <numeric>

namespace tla::runtime {
namespace {

// Where numbers stand: of a transfer behind its kind, of a task's first access from the end of what comes before it.
constexpr std::size_t tileNumbers = 4, peerPlace = 1 + tileNumbers;

std::size_t endOfGroup(const Instances &instances, std::size_t from) {
  while (from < instances.size() && instances.kind(from) != Instances::Task)
    ++from;
  return from;
}

/// The instances from `begin` to `end`, ordered by tile.
std::vector<std::size_t> byTile(const Instances &instances, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> order(end - begin);
  std::iota(order.begin(), order.end(), begin);
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::ranges::lexicographical_compare(instances[a].subspan(1, 3), instances[b].subspan(1, 3));
  });
  return order;
}

} // namespace

void Instances::begin(Kind kind) {
  begins_.push_back(numbers_.size());
  numbers_.push_back(kind);
}

void Instances::task(const TaskCall &call) {
  begin(Task);
  numbers_.insert(numbers_.end(), {reinterpret_cast<long>(&call.taskClass), call.priority, call.indexCount});
  numbers_.insert(numbers_.end(), call.indices, call.indices + call.indexCount);
  for (int i = 0; i < call.accessCount; ++i) {
    const TileAccess &access = call.accesses[i];
    numbers_.insert(numbers_.end(), {access.matrix->number(), access.row, access.column,
                                     static_cast<long>(access.region), static_cast<long>(access.access)});
    names_.resize(std::max<std::size_t>(names_.size(), access.matrix->number() + 1));
    names_[access.matrix->number()] = access.matrix->name();
  }
}

void Instances::transfer(Kind kind, const TileRef &tile, int peer) {
  const TileTable &matrix = *tile.matrix;
  begin(kind);
  numbers_.insert(numbers_.end(), {matrix.number(), tile.row, tile.column, static_cast<long>(tile.region), peer});
  names_.resize(std::max<std::size_t>(names_.size(), matrix.number() + 1));
  names_[matrix.number()] = matrix.name();
}

std::span<const long> Instances::operator[](std::size_t index) const {
  const std::size_t begin = begins_[index], end = index + 1 < begins_.size() ? begins_[index + 1] : numbers_.size();
  return {numbers_.data() + begin, end - begin};
}

std::string Instances::tileText(std::span<const long> tile) const {
  static const char *regions[] = {"", ".lower()", ".upper()"};
  return std::string(names_[static_cast<std::size_t>(tile[0])]) + "(" + std::to_string(tile[1]) + ", " +
         std::to_string(tile[2]) + ")" + regions[tile[3]];
}

std::string Instances::text(std::size_t index) const {
  const std::span<const long> numbers = (*this)[index];
  const std::span<const long> tile = numbers.subspan(1);
  switch (kind(index)) {
  case Task: {
    const auto *const taskClass = reinterpret_cast<const TaskClass *>(numbers[1]);
    std::string text = std::string(taskClass->kernel) + " (" + taskClass->location + ") on";
    for (std::size_t place = 4 + static_cast<std::size_t>(numbers[3]); place < numbers.size(); place += 5)
      text += " " + tileText(numbers.subspan(place));
    return text;
  }
  case Send:
    return "send " + tileText(tile) + " to " + std::to_string(tile[tileNumbers]);
  case Receive:
    return "receive " + tileText(tile) + " from " + std::to_string(tile[tileNumbers]);
  case Release:
    break;
  }
  return "release " + tileText(tile);
}

std::vector<std::size_t> Instances::messages(Kind kind, int peer) const {
  std::vector<std::size_t> result;
  for (std::size_t index = 0; index < size(); ++index)
    if (const std::span<const long> numbers = (*this)[index]; numbers[0] == kind && numbers[peerPlace] == peer)
      result.push_back(index);
  return result;
}

bool Instances::sameTile(std::span<const long> a, std::span<const long> b) {
  return std::ranges::equal(a.subspan(1, tileNumbers), b.subspan(1, tileNumbers));
}

FirstDifference compare(const Instances &left, const Instances &right) {
  std::size_t l = 0, r = 0;
  while (l < left.size() || r < right.size()) {
    const std::size_t leftEnd = endOfGroup(left, l), rightEnd = endOfGroup(right, r);
    const std::vector<std::size_t> leftOrder = byTile(left, l, leftEnd), rightOrder = byTile(right, r, rightEnd);
    for (std::size_t i = 0; i < std::max(leftOrder.size(), rightOrder.size()); ++i) {
      if (i == leftOrder.size())
        return {leftEnd, rightOrder[i]};
      if (i == rightOrder.size() || !std::ranges::equal(left[leftOrder[i]], right[rightOrder[i]]))
        return {leftOrder[i], i == rightOrder.size() ? rightEnd : rightOrder[i]};
    }
    l = leftEnd;
    r = rightEnd;
    const bool leftHas = l < left.size(), rightHas = r < right.size();
    if (leftHas != rightHas || (leftHas && !std::ranges::equal(left[l], right[r])))
      return {l, r};
    l += leftHas;
    r += rightHas;
  }
  return {left.size(), right.size()};
}

} // namespace tla::runtime
