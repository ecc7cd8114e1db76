// Memory that a kernel needs for the length of one call.
#pragma once

#include <tla/tile.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <sys/mman.h>

namespace tla::reference {

/// A piece of memory aligned to a cache line; a large one to huge pages, which it asks for: packed operands are read in
/// an order in which small pages cost as much as a cache miss.
class AlignedMemory {
public:
  static constexpr std::size_t line = 64, hugePage = 2 << 20;

  /// Contents are lost when the memory grows.
  void *atLeast(std::size_t bytes) {
    if (bytes > size_) {
      const std::size_t unit = bytes < hugePage ? line : hugePage;
      size_ = (bytes + unit - 1) / unit * unit;
      data_.reset(std::aligned_alloc(unit, size_));
      if (!data_)
        throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
      if (unit == hugePage)
        ::madvise(data_.get(), size_, MADV_HUGEPAGE); // advice only: may fail
#endif
    }
    return data_.get();
  }

private:
  struct Free {
    void operator()(void *data) const { std::free(data); }
  };
  std::unique_ptr<void, Free> data_;
  std::size_t size_ = 0;
};

/// An m x n tile of uninitialized memory. Columns begin on cache lines, and the leading dimension is such that
/// neighbouring columns do not compete for the same sets of a cache. Each thread keeps the memory for its next call,
/// because fresh pages cost as much as a kernel that uses each element a few times.
template <typename T> class Scratch {
public:
  Scratch(int m, int n) : m_(m), n_(n) {
    kept().reserve(mostKept);
    if (!kept().empty()) {
      memory_ = std::move(kept().back());
      kept().pop_back();
    }
    data_ = static_cast<T *>(memory_.atLeast(sizeof(T) * ld() * std::max(1, n)));
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() {
    if (kept().size() < mostKept)
      kept().push_back(std::move(memory_));
  }

  Tile<T> tile() const { return {data_, m_, n_, ld()}; }

private:
  static constexpr std::size_t mostKept = 32; // kernels that call each other use a handful

  int ld() const {
    constexpr int inLine = AlignedMemory::line / sizeof(T);
    const int lines = std::max(1, (m_ + inLine - 1) / inLine);
    return (lines % 8 ? lines : lines + 1) * inLine;
  }
  static std::vector<AlignedMemory> &kept() {
    thread_local std::vector<AlignedMemory> memory;
    return memory;
  }
  int m_, n_;
  AlignedMemory memory_;
  T *data_;
};

} // namespace tla::reference
