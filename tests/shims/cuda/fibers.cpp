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
enum class State { Ready, AtBlockBarrier, AtWarpBarrier, Ended };

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
  double value = 0; // that shuffles exchange
  const void *operands = nullptr; // that a warp's instruction takes
  std::deque<std::vector<PendingCopy>> groups; // of asynchronous copies; the last is open
};

std::mutex mutex; // one grid at a time
std::vector<std::unique_ptr<Fiber>> fibers;
const std::function<void()> *work;
Fiber *current;
std::jmp_buf scheduler;
ucontext_t schedulerContext;

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

/// Those of [begin, end) that wait at the barrier go on when all wait there that have not ended; whether any does.
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

/// Until the lanes of the warp have ended or wait for the block.
void runWarp(unsigned begin, unsigned end) {
  do
    for (unsigned t = begin; t < end; ++t)
      if (fibers[t]->state == State::Ready)
        resume(*fibers[t]);
  while (openBarrier(begin, end, State::AtWarpBarrier));
  for (unsigned t = begin; t < end; ++t)
    if (fibers[t]->state == State::AtWarpBarrier) {
      std::fprintf(stderr, "shim: the lanes of a warp wait at different barriers\n");
      std::abort();
    }
}

void runBlock(unsigned threads) {
  do
    for (unsigned t = 0; t < threads; t += lanes)
      runWarp(t, t + lanes < threads ? t + lanes : threads);
  while (openBarrier(0, threads, State::AtBlockBarrier));
}
} // namespace

void runGrid(dim3 grid, dim3 block, const std::function<void()> &body) {
  const std::lock_guard guard(mutex);
  const unsigned threads = block.x * block.y * block.z;
  while (fibers.size() < threads)
    fibers.push_back(std::make_unique<Fiber>());
  work = &body;
  gridDim = grid;
  blockDim = block;
  for (blockIdx.z = 0; blockIdx.z < grid.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < grid.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < grid.x; ++blockIdx.x) {
        for (unsigned t = 0; t < threads; ++t) {
          fibers[t]->state = State::Ready;
          fibers[t]->groups.assign(1, {});
          fibers[t]->index = dim3(t % block.x, t / block.x % block.y, t / block.x / block.y);
        }
        runBlock(threads);
      }
}

unsigned laneOfThread() { return threadNumber() % lanes; }

/// Twice to the barrier: nobody overwrites a value before all have read theirs.
double exchange(double value, unsigned lane) {
  current->value = value;
  leave(State::AtWarpBarrier);
  const double other = fibers[threadNumber() / lanes * lanes + lane]->value;
  leave(State::AtWarpBarrier);
  return other;
}

void shareWithWarp(const void *operands) {
  current->operands = operands;
  leave(State::AtWarpBarrier);
}
const void *sharedBy(unsigned lane) { return fibers[threadNumber() / lanes * lanes + lane]->operands; }

void *sharedMemory() {
  alignas(256) static char memory[sharedMemoryBytes];
  return memory;
}

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
