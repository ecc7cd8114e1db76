// The threads of a block as fibers: each runs until it has to wait for others.
#include "cuda_runtime.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <ucontext.h>
#include <vector>

dim3 gridDim, blockDim, blockIdx, threadIdx;

namespace shim {

namespace {
enum class State { Ready, AtBlockBarrier, AtWarpBarrier, Spinning, Ended };

struct PendingCopy {
  void *to;
  const void *from;
  int bytes, valid;
};

/// The stack of one thread of the device. Its function never returns: it waits for the next block.
struct Fiber {
  static constexpr std::size_t stackBytes = 64 << 10;
  std::unique_ptr<char[]> stack{new char[stackBytes]};
  ucontext_t context;
  std::jmp_buf place;
  bool started = false;
  State state = State::Ended;
  dim3 index;
  double value = 0;                            // that shuffles exchange
  const void *operands = nullptr;              // that a warp's instruction takes
  std::deque<std::vector<PendingCopy>> groups; // of asynchronous copies; the last is open
};

std::mutex mutex; // one grid at a time
std::vector<std::unique_ptr<Fiber>> fibers;
const std::function<void()> *work;
Fiber *current;
std::jmp_buf scheduler;
ucontext_t schedulerContext;

/// Blocks that are resident at one time have each their fibers and their memory.
unsigned residentBlock, firstFiber;

unsigned threadNumber() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

/// Back to the scheduler; returns when the fiber's turn comes again.
void leave(State state) {
  Fiber *const self = current;
  self->state = state;
  if (!_setjmp(self->place))
    _longjmp(scheduler, 1);
  threadIdx = self->index;
}

void fiberMain() {
  for (;;) {
    (*work)();
    leave(State::Ended);
  }
}

void resume(Fiber &fiber) {
  current = &fiber;
  threadIdx = fiber.index;
  if (_setjmp(scheduler))
    return;
  if (fiber.started)
    _longjmp(fiber.place, 1);
  fiber.started = true;
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack.get();
  fiber.context.uc_stack.ss_size = Fiber::stackBytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, fiberMain, 0);
  swapcontext(&schedulerContext, &fiber.context);
}

/// Lets those of [begin, end) that wait at the barrier go on when all that have not ended wait there; returns whether
/// any does.
bool openBarrier(unsigned begin, unsigned end, State barrier) {
  unsigned waiting = 0, ended = 0;
  for (unsigned t = begin; t < end; ++t) {
    waiting += fibers[t]->state == barrier;
    ended += fibers[t]->state == State::Ended;
  }
  if (waiting == 0 || waiting + ended < end - begin)
    return false;
  for (unsigned t = begin; t < end; ++t)
    if (fibers[t]->state == barrier)
      fibers[t]->state = State::Ready;
  return true;
}

/// Until the lanes of the warp have ended, or wait for the block or for other blocks.
void runWarp(unsigned begin, unsigned end) {
  do
    for (unsigned t = begin; t < end; ++t)
      if (fibers[t]->state == State::Ready)
        resume(*fibers[t]);
  while (openBarrier(begin, end, State::AtWarpBarrier));
  bool isSpinning = false;
  for (unsigned t = begin; t < end; ++t)
    isSpinning |= fibers[t]->state == State::Spinning;
  for (unsigned t = begin; t < end && !isSpinning; ++t)
    if (fibers[t]->state == State::AtWarpBarrier) {
      std::fprintf(stderr, "shim: the lanes of a warp wait at different barriers\n");
      std::abort();
    }
}

/// Makes the resident block the one whose fibers run.
void enter(unsigned block, unsigned threads) {
  residentBlock = block;
  firstFiber = block * threads;
}

constexpr std::size_t guardBytes = 64;
constexpr char guardByte = 0x5a;
std::size_t sharedBytes; // of the blocks that run
struct alignas(256) Memory {
  char bytes[sharedMemoryBytes + guardBytes];
};
Memory &memoryOfBlock() {
  static std::vector<std::unique_ptr<Memory>> memory;
  while (memory.size() <= residentBlock)
    memory.push_back(std::make_unique<Memory>());
  return *memory[residentBlock];
}

void endBlock() {
  const char *const guard = memoryOfBlock().bytes + sharedBytes;
  for (std::size_t i = 0; i < guardBytes; ++i)
    if (guard[i] != guardByte) {
      std::fprintf(stderr, "shim: a block writes behind its shared memory of %zu bytes\n", sharedBytes);
      std::abort();
    }
}

void prepareBlock(dim3 block, unsigned threads) {
  std::memset(memoryOfBlock().bytes, 0xff, sharedBytes);
  std::memset(memoryOfBlock().bytes + sharedBytes, guardByte, guardBytes);
  while (fibers.size() < firstFiber + threads)
    fibers.push_back(std::make_unique<Fiber>());
  for (unsigned t = 0; t < threads; ++t) {
    Fiber &fiber = *fibers[firstFiber + t];
    fiber.state = State::Ready;
    fiber.groups.assign(1, {});
    fiber.index = dim3(t % block.x, t / block.x % block.y, t / block.x / block.y);
  }
}

void runBlock(unsigned threads) {
  const unsigned end = firstFiber + threads;
  do
    for (unsigned t = firstFiber; t < end; t += lanes)
      runWarp(t, t + lanes < end ? t + lanes : end);
  while (openBarrier(firstFiber, end, State::AtBlockBarrier));
}

/// Lets those look again that wait for other blocks; whether any does.
bool wakeSpinning(unsigned threads) {
  bool any = false;
  for (unsigned t = firstFiber; t < firstFiber + threads; ++t)
    if (fibers[t]->state == State::Spinning) {
      fibers[t]->state = State::Ready;
      any = true;
    }
  return any;
}

/// The blocks of a row, which go on by turns.
void runTogether(unsigned blocks, dim3 block, unsigned threads) {
  for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
    enter(blockIdx.x, threads);
    prepareBlock(block, threads);
  }
  for (bool any = true; any;) {
    any = false;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
      enter(blockIdx.x, threads);
      runBlock(threads);
      any |= wakeSpinning(threads);
    }
  }
  for (unsigned b = 0; b < blocks; ++b) {
    enter(b, threads);
    endBlock();
  }
}
} // namespace

void runGrid(dim3 grid, dim3 block, const std::function<void()> &body, bool together, std::size_t bytes) {
  const std::lock_guard guard(mutex);
  sharedBytes = bytes;
  const unsigned threads = block.x * block.y * block.z;
  work = &body;
  gridDim = grid;
  blockDim = block;
  if (together)
    return runTogether(grid.x, block, threads);
  enter(0, threads);
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) {
        prepareBlock(block, threads);
        runBlock(threads);
        endBlock();
      }
}

void letOthersRun() { leave(State::Spinning); }

unsigned laneOfThread() { return threadNumber() % lanes; }

/// Twice to the barrier: nobody overwrites a value before all have read theirs.
double exchange(double value, unsigned lane) {
  current->value = value;
  leave(State::AtWarpBarrier);
  const double other = fibers[firstFiber + threadNumber() / lanes * lanes + lane]->value;
  leave(State::AtWarpBarrier);
  return other;
}

void shareWithWarp(const void *operands) {
  current->operands = operands;
  leave(State::AtWarpBarrier);
}
const void *sharedBy(unsigned lane) { return fibers[firstFiber + threadNumber() / lanes * lanes + lane]->operands; }

void *sharedMemory() { return memoryOfBlock().bytes; }

void startCopy(void *to, const void *from, int bytes, int valid) {
  current->groups.back().push_back({to, from, bytes, valid});
}
void closeGroup() { current->groups.emplace_back(); }
void waitForGroups(unsigned remaining) {
  for (; current->groups.size() > remaining + 1; current->groups.pop_front())
    for (const PendingCopy &copy : current->groups.front()) {
      std::memset(copy.to, 0, copy.bytes);
      std::memcpy(copy.to, copy.from, copy.valid);
    }
}

} // namespace shim

void __syncthreads() { shim::leave(shim::State::AtBlockBarrier); }
void __syncwarp() { shim::leave(shim::State::AtWarpBarrier); }
