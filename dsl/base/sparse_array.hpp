// An array of which only those elements take memory that somebody has asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace tla {

/// Values by number, each made when it is first asked for. Memory grows with these alone, whatever their numbers are:
/// a value and its number, and 8 to 16 bytes. References stay valid until clear().
///
/// A hash table with linear probing (Knuth, The Art of Computer Programming 3, 6.4) holds the places of elements that
/// lie one behind the other. So elements never move, and a table that is half empty wastes 4 bytes a place.
template <typename Value> class SparseArray {
public:
  /// The value of this number, at first Value(). Throws std::bad_alloc, and is then as before.
  Value &operator[](std::size_t number) {
    if (2 * (size_ + 1) > places_.size()) [[unlikely]]
      grow();
    std::uint32_t &place = placeOf(number);
    if (!place) [[unlikely]] {
      add(number);
      place = static_cast<std::uint32_t>(size_);
    }
    return element(place - 1).value;
  }
  /// The number of values that there are.
  std::size_t size() const { return size_; }
  /// visit(value), in the order in which they were first asked for.
  template <typename Visit> void forEach(Visit &&visit) {
    for (std::size_t i = 0; i < size_; ++i)
      visit(element(i).value);
  }
  void clear() { *this = SparseArray(); }

private:
  struct Element {
    std::size_t number;
    Value value{};
  };
  static constexpr std::size_t perBlock = 32, leastPlaces = 64;

  Element &element(std::size_t i) { return blocks_[i / perBlock][i % perBlock]; }
  /// Where the place of the number's element is, or will be: 0 where there is none yet.
  std::uint32_t &placeOf(std::size_t number) {
    std::size_t at = number * 0x9e3779b97f4a7c15 >> shift_;
    while (places_[at] && element(places_[at] - 1).number != number)
      at = (at + 1) & (places_.size() - 1);
    return places_[at];
  }
  [[gnu::noinline]] void add(std::size_t number) {
    if (size_ + 1 > UINT32_MAX)
      throw std::bad_alloc();
    if (size_ == blocks_.size() * perBlock)
      blocks_.push_back(std::make_unique<Element[]>(perBlock));
    element(size_++).number = number;
  }
  [[gnu::noinline]] void grow() {
    std::vector<std::uint32_t> more(places_.empty() ? leastPlaces : 2 * places_.size());
    places_.swap(more);
    shift_ = 64;
    for (std::size_t size = places_.size(); size > 1; size /= 2)
      --shift_;
    for (std::size_t i = 0; i < size_; ++i)
      placeOf(element(i).number) = static_cast<std::uint32_t>(i + 1);
  }

  std::vector<std::unique_ptr<Element[]>> blocks_;
  std::size_t size_ = 0;
  std::vector<std::uint32_t> places_; // number of the element + 1, 0: free; a power of two, at most half in use
  int shift_ = 64;                    // of the hash, for as many bits as places_ has
};

} // namespace tla
