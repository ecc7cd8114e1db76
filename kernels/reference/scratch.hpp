// Memory that a kernel needs for the length of one call.
#pragma once

#include <tla/tile.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

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

  AlignedMemory() = default;
  AlignedMemory(AlignedMemory &&other) noexcept = default;
  AlignedMemory &operator=(AlignedMemory &&other) noexcept = default;
  ~AlignedMemory() = default;

private:
  friend class KeptMemory;
  struct Free {
    void operator()(void *data) const { std::free(data); }
  };
  std::unique_ptr<void, Free> data_;
  std::size_t size_ = 0;
};

/// The memory that a thread keeps for the next call.
///
/// Kernels are also called when a thread's objects are gone: by destructors of other thread-local objects, of POSIX's
/// keys and of static objects, and by atexit handlers. So the list has no destructor and stays readable as long as the
/// thread's code runs; another object gives its memory back, and from then on nothing is kept.
class KeptMemory {
public:
  /// Empty memory, where nothing is kept.
  static AlignedMemory take() {
    List &list = listOfThread();
    AlignedMemory memory;
    if (list.count > 0) {
      const Piece piece = list.pieces[--list.count];
      memory.data_.reset(piece.data);
      memory.size_ = piece.size;
    }
    return memory;
  }
  static void keep(AlignedMemory memory) {
    List &list = listOfThread();
    if (list.ended || list.count == most)
      return;
    thread_local End end;
    static_cast<void>(end); // made by the first who comes here
    const std::size_t size = memory.size_;
    list.pieces[list.count++] = {memory.data_.release(), size};
  }

private:
  static constexpr int most = 32; // kernels that call each other use a handful
  struct Piece {
    void *data;
    std::size_t size;
  };
  struct List {
    Piece pieces[most];
    int count;
    bool ended; ///< the thread's objects are being destroyed
  };
  static_assert(std::is_trivially_destructible_v<List>);
  struct End {
    ~End() {
      List &list = listOfThread();
      list.ended = true;
      while (list.count > 0)
        std::free(list.pieces[--list.count].data);
    }
  };
  static List &listOfThread() {
    static constinit thread_local List list{}; // memory that the next kernel of this thread takes without a lock
    return list;
  }
};

/// An m x n tile of uninitialized memory. Columns begin on cache lines, and the leading dimension is such that
/// neighbouring columns do not compete for the same sets of a cache. Each thread keeps the memory for its next call,
/// because fresh pages cost as much as a kernel that uses each element a few times.
template <typename T> class Scratch {
public:
  Scratch(int m, int n)
      : m_(m), n_(n), memory_(KeptMemory::take()),
        data_(static_cast<T *>(memory_.atLeast(sizeof(T) * ld() * std::max(1, n)))) {}
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  ~Scratch() { KeptMemory::keep(std::move(memory_)); }

  Tile<T> tile() const { return {data_, m_, n_, ld()}; }

private:
  int ld() const {
    constexpr int inLine = AlignedMemory::line / sizeof(T);
    const int lines = std::max(1, (m_ + inLine - 1) / inLine);
    return (lines % 8 ? lines : lines + 1) * inLine;
  }
  int m_, n_;
  AlignedMemory memory_;
  T *data_;
};

} // namespace tla::reference
