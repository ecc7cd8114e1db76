// The pool of memory for tiles.
#include "runtime/core/schedule/memory_pool.hpp"

#include <tla/runtime/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

using namespace tla::runtime;

namespace {
TEST(MemoryPool, AlignsAndReuses) {
  MemoryPool pool;
  void *first = pool.allocate(1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 64, 0u);
  pool.release(first, 1000);
  EXPECT_EQ(pool.allocate(1000), first);
  void *other = pool.allocate(1);
  EXPECT_NE(other, first);
  pool.release(first, 1000);
  pool.release(other, 1);
}

/// Tiles come from slabs of many, which go as soon as nobody has a block of theirs.
TEST(MemoryPool, CutsTilesFromSlabs) {
  constexpr std::size_t bytes = MemoryPool::leastInSlab + 8, count = 300; // more than one slab
  MemoryPool pool;
  std::set<std::byte *> blocks;
  for (std::size_t i = 0; i < count; ++i) {
    auto *block = static_cast<std::byte *>(pool.allocate(bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 64, 0u);
    std::fill_n(block, bytes, std::byte(i));
    blocks.insert(block);
  }
  ASSERT_EQ(blocks.size(), count);
  for (auto block = blocks.begin(); std::next(block) != blocks.end(); ++block)
    EXPECT_GE(*std::next(block) - *block, std::ptrdiff_t(bytes));
  std::byte *kept = *blocks.begin();
  const std::byte content = kept[0];
  for (std::byte *block : blocks)
    if (block != kept)
      pool.release(block, bytes);
  EXPECT_EQ(pool.freeBytes(), (count - 1) * bytes);
  pool.trim();
  EXPECT_LT(pool.freeBytes(), (count - 1) * bytes) << "only the slab with a block in use stays";
  EXPECT_GT(pool.freeBytes(), 0u);
  EXPECT_EQ(kept[bytes - 1], content);
  std::byte *again = static_cast<std::byte *>(pool.allocate(bytes));
  EXPECT_TRUE(blocks.count(again));
  pool.release(again, bytes);
  pool.release(kept, bytes);
  pool.trim();
  EXPECT_EQ(pool.freeBytes(), 0u);
  void *afterwards = pool.allocate(bytes);
  EXPECT_NE(afterwards, nullptr);
  pool.release(afterwards, bytes);
}

TEST(MemoryPool, KeepsWhatTheLastRunAskedFor) {
  MemoryPool pool;
  for (const std::size_t bytes : {1000, 2000})
    pool.release(pool.allocate(bytes), bytes);
  pool.trimUnused();
  EXPECT_EQ(pool.freeBytes(), 3000u);
  pool.release(pool.allocate(1000), 1000);
  pool.trimUnused();
  EXPECT_EQ(pool.freeBytes(), 1000u);
  pool.trimUnused();
  EXPECT_EQ(pool.freeBytes(), 0u);
}

/// As CUDA does it: pinned as long as they are there, so that the next run finds them.
TEST(MemoryPool, PinsItsSlabs) {
  std::map<void *, std::size_t> pinned;
  int calls = 0;
  {
    MemoryPool pool;
    pool.pinSlabs({[&](void *memory, std::size_t bytes) {
                     ++calls;
                     pinned[memory] = bytes;
                     return std::string();
                   },
                   [&](void *memory) { EXPECT_EQ(pinned.erase(memory), 1u); }});
    constexpr std::size_t bytes = 1 << 20;
    auto *const block = static_cast<std::byte *>(pool.allocate(bytes));
    ASSERT_EQ(pinned.size(), 1u);
    EXPECT_LE(pinned.begin()->first, block);
    EXPECT_GE(static_cast<std::byte *>(pinned.begin()->first) + pinned.begin()->second, block + bytes);
    pool.release(block, bytes);
    pool.trimUnused(); // the end of a run
    EXPECT_EQ(pool.allocate(bytes), block);
    EXPECT_EQ(calls, 1);
    pool.release(block, bytes);
    pool.release(pool.allocate(100), 100);
    EXPECT_EQ(pinned.size(), 1u) << "small blocks are not worth it";
    pool.trim();
    EXPECT_TRUE(pinned.empty()) << "before the memory goes back";
    pool.release(pool.allocate(bytes), bytes);
    EXPECT_EQ(pinned.size(), 1u);
  }
  EXPECT_TRUE(pinned.empty());
}

TEST(MemoryPool, GoesOnWithoutPinning) {
  int calls = 0;
  MemoryPool pool;
  pool.pinSlabs({[&](void *, std::size_t) { return "no luck " + std::to_string(++calls); },
                 [](void *) { ADD_FAILURE() << "nothing is pinned"; }});
  EXPECT_EQ(pool.pinningProblem(), "");
  for (const std::size_t bytes : {1 << 20, 2 << 20}) {
    void *const block = pool.allocate(bytes);
    ASSERT_NE(block, nullptr);
    std::memset(block, 1, bytes);
    pool.release(block, bytes);
  }
  pool.trim();
  EXPECT_EQ(pool.pinningProblem(), "no luck 1");
  EXPECT_EQ(calls, 1) << "it is not tried again";
}

/// The slab is there all the same, and its blocks are each a piece of their own.
TEST(MemoryPool, SurvivesPinningThatThrows) {
  int calls = 0;
  MemoryPool pool;
  pool.pinSlabs({[&](void *, std::size_t) -> std::string {
                   if (++calls > 1)
                     throw std::bad_alloc();
                   return "";
                 },
                 [](void *) {}});
  constexpr std::size_t bytes = 1 << 20;
  std::vector<std::byte *> blocks;
  for (int i = 0; i < 40; ++i) {
    blocks.push_back(static_cast<std::byte *>(pool.allocate(bytes)));
    ASSERT_NE(blocks.back(), nullptr);
    std::memset(blocks.back(), i, bytes);
  }
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(blocks[i][bytes - 1], std::byte(i));
  EXPECT_GT(calls, 1);
  std::sort(blocks.begin(), blocks.end());
  for (int i = 1; i < 40; ++i)
    EXPECT_GE(blocks[i], blocks[i - 1] + bytes);
  for (std::byte *block : blocks)
    pool.release(block, bytes);
}
} // namespace
