// Whether a user's kernel stays inside the parts of tiles that it is given, A(i, j).lower() or A(i, j).rows(0, 2).
// Before a call runs, the kernel is tried twice on copies of its tiles, in which what it was not given has other
// elements each time. Only generated code includes this header.
//
// A half of a tile has dependences, places and messages of its own: what a kernel finds in the other half depends on
// what else runs, and where. So a kernel that leaves its half is stopped, by its first such call already.
#pragma once

#include <tla/generated/guard.hpp>
#include <tla/runtime/task.hpp>

#include <atomic>
#include <cstdint>

namespace tla::runtime {

/// The calls of one task statement that were tried, by the sizes of the parts of tiles: the first of each size, as far
/// as there is room, and all while a GuardEveryCall lives. Any thread; an entry is written once, from 0 to its sizes,
/// and nothing else is published by it.
class GuardedCalls {
public:
  /// Whether a call is to be tried whose parts have these numbers of rows and columns.
  bool isDue(std::uint64_t sizes) {
    if (guardsEveryCall()) [[unlikely]]
      return true;
    for (std::atomic<std::uint64_t> &seen : seen_) {
      std::uint64_t known = seen.load(std::memory_order_relaxed);
      if (known == sizes)
        return false;
      if (known == 0 && seen.compare_exchange_strong(known, sizes, std::memory_order_relaxed))
        return true;
      if (known == sizes)
        return false;
    }
    return false;
  }

  /// Adds the size of a part to `before`, the number for the parts before it. The result is never 0.
  template <typename T> static std::uint64_t sizesOf(const ConstTile<T> &part, std::uint64_t before = 1) {
    const std::uint64_t size = static_cast<std::uint64_t>(part.m()) << 32 | static_cast<std::uint32_t>(part.n());
    return (before * 0x9e3779b97f4a7c15u + size) | 1;
  }

private:
  std::atomic<std::uint64_t> seen_[4]{}; // a matrix has tiles of four sizes at most
};

/// The value that a copy has wherever the kernel was given nothing. Numbers that count or index stay small.
template <typename T> T poison(int trial) {
  const bool second = trial == 1;
  if constexpr (isComplex<T>)
    return T(poison<RealType<T>>(trial), poison<RealType<T>>(trial));
  else if constexpr (__is_same(T, int))
    return second;
  else
    return second ? static_cast<T>(__builtin_nan("7")) : static_cast<T>(12345.625);
}

/// The trials of one call: the third repeats the first.
inline constexpr int guardTrials = 3;

/// One tile of a call, of which the kernel is given all or a part, and a copy of it for each trial.
template <typename T> class GuardedTile {
public:
  /// `given` is `whole`, or a part of its memory; `part` says which argument that is, null: all of the tile is.
  GuardedTile(const Tile<T> &whole, const Tile<T> &given, const GuardedPart *part)
      : whole_(whole), given_(given), part_(part) {
    const long ld = whole.ld(), offset = given.data() - whole.data();
    const bool isEmpty = given.m() <= 0 || given.n() <= 0;
    row_ = isEmpty ? 0 : static_cast<int>(offset % ld);
    column_ = isEmpty ? 0 : static_cast<int>(offset / ld);
  }
  GuardedTile(const GuardedTile &) = delete;
  GuardedTile &operator=(const GuardedTile &) = delete;
  ~GuardedTile() {
    for (T *copy : copies_)
      delete[] copy;
  }

  void fill(int trial) {
    trial_ = trial;
    T *const copy = copies_[trial] = new T[static_cast<std::size_t>(ld()) * (whole_.n() > 0 ? whole_.n() : 1)]();
    for (int j = 0; j < whole_.n(); ++j)
      for (int i = 0; i < whole_.m(); ++i)
        copy[at(i, j)] = isGiven(i, j) ? whole_(i, j) : poison<T>(trial);
  }
  Tile<T> argument() const {
    return {copies_[trial_] + at(row_, column_), given_.m(), given_.n(), ld(), given_.region()};
  }
  /// Throws where the kernel has written beside its part.
  void requireInside() const {
    const T expected = poison<T>(trial_);
    for (int j = 0; j < whole_.n() && part_; ++j)
      for (int i = 0; i < whole_.m(); ++i)
        if (!isGiven(i, j) && __builtin_memcmp(copies_[trial_] + at(i, j), &expected, sizeof(T)) != 0)
          failWriteOutside(*part_, i, j);
  }
  /// Whether two trials have left the same bits in what the kernel was given.
  bool isSame(int one, int other) const {
    for (int j = 0; j < whole_.n(); ++j)
      for (int i = 0; i < whole_.m(); ++i)
        if (isGiven(i, j) && __builtin_memcmp(copies_[one] + at(i, j), copies_[other] + at(i, j), sizeof(T)) != 0)
          return false;
    return true;
  }
  const GuardedPart *part() const { return part_; }

private:
  int ld() const { return whole_.m() > 1 ? whole_.m() : 1; }
  long at(int i, int j) const { return i + static_cast<long>(j) * ld(); }
  bool isGiven(int i, int j) const {
    const int r = i - row_, c = j - column_;
    return r >= 0 && c >= 0 && r < given_.m() && c < given_.n() &&
           (given_.region() == Region::Full || (given_.region() == Region::Lower) == (r > c));
  }

  const Tile<T> whole_, given_;
  const GuardedPart *const part_;
  int row_, column_; // of the part in the tile
  T *copies_[guardTrials] = {};
  int trial_ = 0;
};

/// A panel, all of which the kernel is given.
template <typename T> class GuardedPanel {
public:
  explicit GuardedPanel(const ConstPanel<T> &panel) : count_(panel.mt()) {
    tiles_ = new GuardedTile<T> *[count_ + 1];
    arguments_ = static_cast<Tile<T> *>(::operator new(sizeof(Tile<T>) * (count_ + 1)));
    for (int r = 0; r < count_; ++r) {
      const ConstTile<T> tile = panel(r);
      const Tile<T> whole(const_cast<T *>(tile.data()), tile.m(), tile.n(), tile.ld());
      tiles_[r] = new GuardedTile<T>(whole, whole, nullptr);
    }
  }
  GuardedPanel(const GuardedPanel &) = delete;
  GuardedPanel &operator=(const GuardedPanel &) = delete;
  ~GuardedPanel() {
    for (int r = 0; r < count_; ++r)
      delete tiles_[r];
    delete[] tiles_;
    ::operator delete(arguments_);
  }

  void fill(int trial) {
    for (int r = 0; r < count_; ++r) {
      tiles_[r]->fill(trial);
      new (arguments_ + r) Tile<T>(tiles_[r]->argument());
    }
  }
  Panel<T> argument() const { return {arguments_, count_}; }
  void requireInside() const {}
  bool isSame(int one, int other) const {
    for (int r = 0; r < count_; ++r)
      if (!tiles_[r]->isSame(one, other))
        return false;
    return true;
  }
  const GuardedPart *part() const { return nullptr; }

private:
  int count_;
  GuardedTile<T> **tiles_;
  Tile<T> *arguments_;
};

/// A scalar of a call.
template <typename Value> class GuardedValue {
public:
  explicit GuardedValue(const Value &value) : value_(value) {}
  void fill(int) {}
  const Value &argument() const { return value_; }
  void requireInside() const {}
  bool isSame(int, int) const { return true; }
  const GuardedPart *part() const { return nullptr; }

private:
  const Value value_;
};

/// Tries a call: `kernel` takes its arguments and returns its info. Throws Error where it writes beside a part, or does
/// something else when what is beside it changes. A kernel that does not even repeat itself says nothing of what it
/// reads.
template <typename Kernel, typename... Arguments>
void requireInsideParts(const Kernel &kernel, Arguments &&...arguments) {
  int info[guardTrials];
  const auto attempt = [&](int trial) {
    (arguments.fill(trial), ...);
    info[trial] = kernel(arguments.argument()...);
    (arguments.requireInside(), ...);
  };
  const auto isSame = [&](int one, int other) {
    return info[one] == info[other] && (arguments.isSame(one, other) && ...);
  };
  attempt(0);
  attempt(1);
  if (isSame(0, 1)) [[likely]]
    return;
  attempt(2);
  if (isSame(0, 2))
    failReadOutside({arguments.part()...});
}

} // namespace tla::runtime
