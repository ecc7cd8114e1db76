// The threads of a device as threads of the host, so that ThreadSanitizer sees what no barrier orders. Slow: for few
// blocks.
#include "cuda_runtime.h"

#include <barrier>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

thread_local dim3 gridDim, blockDim, blockIdx, threadIdx;

namespace shim {
namespace {

struct Warp {
  std::barrier<> barrier{lanes};
  double values[lanes] = {};        // that shuffles exchange
  const void *operands[lanes] = {}; // that a warp's instruction takes
};

struct PendingCopy {
  void *to;
  const void *from;
  int bytes, valid;
};

struct Block {
  Block(unsigned threads, std::size_t sharedBytes)
      : barrier(threads), warps(threads / lanes), memory(new char[sharedBytes]) {}
  std::barrier<> barrier;
  std::vector<Warp> warps;
  const std::unique_ptr<char[]> memory;
};

std::mutex mutex; // one grid at a time, as its kernels' static arrays want it
thread_local Block *currentBlock;
thread_local Warp *currentWarp;
thread_local unsigned currentLane;
thread_local std::deque<std::vector<PendingCopy>> groups(1); // of asynchronous copies; the last is open

void runThread(Block &block, unsigned thread, const std::function<void()> &body) {
  currentBlock = &block;
  currentWarp = &block.warps[thread / lanes];
  currentLane = thread % lanes;
  threadIdx = dim3(thread % blockDim.x, thread / blockDim.x % blockDim.y, thread / blockDim.x / blockDim.y);
  body();
  block.barrier.arrive_and_drop();
  currentWarp->barrier.arrive_and_drop();
}

/// Blocks [begin, end) of a grid, in the order of their numbers.
void runBlocks(dim3 grid, dim3 size, unsigned begin, unsigned end, const std::function<void()> &body,
               std::size_t sharedBytes) {
  const unsigned threads = size.x * size.y * size.z, whole = (threads + lanes - 1) / lanes * lanes;
  std::vector<std::unique_ptr<Block>> blocks;
  for (unsigned b = begin; b < end; ++b)
    blocks.push_back(std::make_unique<Block>(whole, sharedBytes));
  std::vector<std::thread> running;
  for (unsigned b = begin; b < end; ++b)
    for (unsigned t = 0; t < whole; ++t)
      running.emplace_back([&, b, t] {
        gridDim = grid;
        blockDim = size;
        blockIdx = dim3(b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y);
        const std::function<void()> nothing = [] {};
        runThread(*blocks[b - begin], t, t < threads ? body : nothing);
      });
  for (std::thread &each : running)
    each.join();
}

} // namespace

void runGrid(dim3 grid, dim3 block, const std::function<void()> &body, bool together, std::size_t sharedBytes) {
  const std::lock_guard guard(mutex);
  const unsigned blocks = grid.x * grid.y * grid.z;
  for (unsigned b = 0; b < blocks; b += together ? blocks : 1)
    runBlocks(grid, block, b, together ? blocks : b + 1, body, sharedBytes);
}

unsigned laneOfThread() { return currentLane; }

double exchange(double value, unsigned lane) {
  currentWarp->values[currentLane] = value;
  currentWarp->barrier.arrive_and_wait();
  const double other = currentWarp->values[lane];
  currentWarp->barrier.arrive_and_wait(); // all have read
  return other;
}

void shareWithWarp(const void *operands) {
  currentWarp->operands[currentLane] = operands;
  currentWarp->barrier.arrive_and_wait();
}
const void *sharedBy(unsigned lane) { return currentWarp->operands[lane]; }

void startCopy(void *to, const void *from, int bytes, int valid) { groups.back().push_back({to, from, bytes, valid}); }
void closeGroup() { groups.emplace_back(); }
void waitForGroups(unsigned remaining) {
  for (; groups.size() > remaining + 1; groups.pop_front())
    for (const PendingCopy &copy : groups.front()) {
      std::memset(copy.to, 0, copy.bytes);
      std::memcpy(copy.to, copy.from, copy.valid);
    }
}

void *sharedMemory() { return currentBlock->memory.get(); }
void letOthersRun() { std::this_thread::yield(); }

} // namespace shim

void __syncthreads() { shim::currentBlock->barrier.arrive_and_wait(); }
void __syncwarp() { shim::currentWarp->barrier.arrive_and_wait(); }
