// What plays the devices: streams whose operations a thread does in any order that they leave open.
#pragma once

#include "streams.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <utility>

namespace shim {

using Clock = std::chrono::steady_clock;

/// The state of an event; operations on the way share it with the event, which may be gone by then.
struct EventState {
  std::uint64_t recorded = 0, reached = 0; // how often
  ShimStream *stream = nullptr;            // of the last record
  std::uint64_t position = 0;              // there: operations before it
  Clock::time_point time;
};

} // namespace shim

struct ShimStream {
  struct Operation {
    std::function<void()> work;
    std::vector<shim::Range> ranges;
  };
  std::deque<Operation> queue;
  std::uint64_t given = 0, done = 0; // operations
  std::uint64_t seen = 0;            // that the host knows to be done
  std::deque<std::pair<std::uint64_t, std::vector<shim::Range>>>
      unseen; // what those touch of which it does not: number
  bool busy = false;
};
struct ShimEvent {
  std::shared_ptr<shim::EventState> state = std::make_shared<shim::EventState>();
};

namespace shim {

/// All streams. Never destroyed: its thread may be asleep when the process ends.
class Device {
public:
  static Device &get() {
    static Device *const device = new Device;
    return *device;
  }

  void enqueue(ShimStream *stream, std::function<void()> work, std::vector<shim::Range> ranges) {
    const std::lock_guard guard(mutex_);
    findRaces(stream, ranges);
    ++stream->given;
    if (!ranges.empty())
      stream->unseen.emplace_back(stream->given, ranges);
    stream->queue.push_back({std::move(work), std::move(ranges)});
    changed_.notify_all();
  }
  ShimStream *create() {
    const std::lock_guard guard(mutex_);
    streams_.push_back(std::make_unique<ShimStream>());
    return streams_.back().get();
  }
  void destroy(ShimStream *stream) {
    std::unique_lock lock(mutex_);
    waitFor(lock, [&] { return stream->done == stream->given; });
    std::erase_if(streams_, [&](const auto &each) { return each.get() == stream; });
  }
  void synchronize(ShimStream *stream) {
    std::unique_lock lock(mutex_);
    const std::uint64_t last = stream->given;
    waitFor(lock, [&] { return stream->done >= last; });
    see(*stream, last);
  }
  void synchronizeAll() {
    std::unique_lock lock(mutex_);
    waitFor(lock,
            [&] { return std::ranges::all_of(streams_, [](const auto &each) { return each->done == each->given; }); });
    for (const auto &stream : streams_)
      see(*stream, stream->given);
  }

  void record(ShimEvent *event, ShimStream *stream) {
    std::uint64_t number;
    {
      const std::lock_guard guard(mutex_);
      number = ++event->state->recorded;
      event->state->stream = stream;
      event->state->position = stream->given;
    }
    enqueue(stream,
            [this, state = event->state, number] {
              const std::lock_guard guard(mutex_);
              state->reached = std::max(state->reached, number);
              state->time = Clock::now();
            },
            {});
  }
  bool isOver(ShimEvent *event) {
    const std::lock_guard guard(mutex_);
    return seeIfOver(*event->state);
  }
  void wait(ShimEvent *event) {
    std::unique_lock lock(mutex_);
    waitFor(lock, [&] { return seeIfOver(*event->state); });
  }

  std::vector<std::string> takeRaces() {
    const std::lock_guard guard(mutex_);
    return std::exchange(races_, {});
  }
  void setSeed(unsigned seed) {
    const std::lock_guard guard(mutex_);
    random_.seed(seed);
  }

  // Memory.

  void *allocate(std::size_t bytes, cudaMemoryType type) {
    constexpr std::size_t line = 256;
    const std::size_t size = (bytes + line - 1) / line * line + line;
    void *const memory = std::aligned_alloc(line, size);
    if (!memory)
      return nullptr;
    std::memset(memory, fresh, size);
    const std::lock_guard guard(mutex_);
    blocks_[reinterpret_cast<std::uintptr_t>(memory)] = {size, type};
    return memory;
  }
  void release(void *memory) {
    if (!memory)
      return;
    {
      const std::lock_guard guard(mutex_);
      const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(memory));
      if (block == blocks_.end()) {
        std::fprintf(stderr, "shim: memory is freed that was not allocated, or twice\n");
        std::abort();
      }
      std::memset(memory, freed, block->second.bytes);
      blocks_.erase(block);
      freed_.push_back(memory);
      if (freed_.size() <= quarantined)
        return;
      memory = freed_.front();
      freed_.pop_front();
    }
    std::free(memory);
  }
  /// The program's own, until forget(). False: a part of it is known already, or the machine pins no more.
  bool know(void *memory, std::size_t bytes) {
    const std::lock_guard guard(mutex_);
    const auto begin = reinterpret_cast<std::uintptr_t>(memory);
    const auto above = blocks_.lower_bound(begin + bytes);
    const bool overlaps = above != blocks_.begin() && std::prev(above)->first + std::prev(above)->second.bytes > begin;
    if (overlaps || !pins_)
      return false;
    blocks_[begin] = {bytes, cudaMemoryTypeHost, true};
    return true;
  }
  bool forget(void *memory) {
    const std::lock_guard guard(mutex_);
    const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(memory));
    if (block == blocks_.end() || !block->second.own)
      return false;
    blocks_.erase(block);
    return true;
  }
  std::size_t registered() {
    const std::lock_guard guard(mutex_);
    return std::ranges::count_if(blocks_, [](const auto &block) { return block.second.own; });
  }
  void setPinning(bool possible) {
    const std::lock_guard guard(mutex_);
    pins_ = possible;
  }
  std::size_t bytesOf(const void *memory) {
    const std::lock_guard guard(mutex_);
    const auto block = blocks_.find(reinterpret_cast<std::uintptr_t>(memory));
    return block == blocks_.end() ? 0 : block->second.bytes;
  }
  cudaMemoryType typeOf(const void *memory) {
    const std::lock_guard guard(mutex_);
    const auto above = blocks_.upper_bound(reinterpret_cast<std::uintptr_t>(memory));
    if (above == blocks_.begin())
      return cudaMemoryTypeUnregistered;
    const auto &[begin, block] = *std::prev(above);
    return reinterpret_cast<std::uintptr_t>(memory) < begin + block.bytes ? block.type : cudaMemoryTypeUnregistered;
  }

private:
  static constexpr std::size_t quarantined = 64;
  static constexpr int fresh = 0xcb, freed = 0xdd; // as doubles both are far from anything

  struct Block {
    std::size_t bytes;
    cudaMemoryType type;
    bool own = false; // the program's, registered
  };

  Device() : random_(1), thread_([this] { loop(); }) { thread_.detach(); }

  void loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
      std::vector<ShimStream *> ready;
      for (const auto &stream : streams_)
        if (!stream->queue.empty())
          ready.push_back(stream.get());
      if (ready.empty()) {
        changed_.wait(lock);
        continue;
      }
      if (random_() % 8 == 0) { // a device has its own pace
        changed_.wait_for(lock, std::chrono::microseconds(random_() % 200));
        continue;
      }
      ShimStream &stream = *ready[random_() % ready.size()];
      const std::function<void()> work = std::move(stream.queue.front().work);
      stream.queue.pop_front();
      lock.unlock();
      work();
      lock.lock();
      ++stream.done;
      changed_.notify_all();
    }
  }
  template <typename Condition> void waitFor(std::unique_lock<std::mutex> &lock, Condition condition) {
    changed_.wait(lock, condition);
  }

  bool seeIfOver(EventState &state) {
    if (state.reached < state.recorded)
      return false;
    for (const auto &stream : streams_) // it may be gone
      if (stream.get() == state.stream)
        see(*stream, state.position);
    return true;
  }
  void see(ShimStream &stream, std::uint64_t last) {
    stream.seen = std::max(stream.seen, last);
    while (!stream.unseen.empty() && stream.unseen.front().first <= stream.seen)
      stream.unseen.pop_front();
  }

  static bool overlap(const shim::Range &a, const shim::Range &b) {
    const auto first = [](const shim::Range &range) { return reinterpret_cast<std::uintptr_t>(range.begin); };
    const auto last = [&](const shim::Range &range) {
      return first(range) + (range.rows - 1) * range.pitch + range.bytes;
    };
    if (a.rows == 0 || b.rows == 0 || a.bytes == 0 || b.bytes == 0 || first(a) >= last(b) || first(b) >= last(a))
      return false;
    for (std::size_t i = 0; i < a.rows; ++i) // windows side by side do not
      for (std::size_t j = 0; j < b.rows; ++j) {
        const std::uintptr_t x = first(a) + i * a.pitch, y = first(b) + j * b.pitch;
        if (x < y + b.bytes && y < x + a.bytes)
          return true;
      }
    return false;
  }
  void findRaces(ShimStream *stream, const std::vector<shim::Range> &ranges) {
    for (const auto &other : streams_)
      for (const auto &[number, theirs] : other->unseen)
        for (const shim::Range &a : theirs)
          for (const shim::Range &b : ranges)
            if (other.get() != stream && (a.written || b.written) && overlap(a, b)) {
              char text[160];
              std::snprintf(text, sizeof text, "%s of %zu bytes at %p while another stream %s them",
                            b.written ? "a write" : "a read", b.bytes * b.rows, b.begin,
                            a.written ? "may still write" : "may still read");
              races_.push_back(text);
            }
  }

  std::mutex mutex_; // guards all of this, and the streams and events
  std::condition_variable changed_;
  std::vector<std::unique_ptr<ShimStream>> streams_;
  std::map<std::uintptr_t, Block> blocks_;
  bool pins_ = true;
  std::deque<void *> freed_; // not given back yet: who uses them after that does no harm to others
  std::vector<std::string> races_;
  std::mt19937 random_;
  std::thread thread_;
};

} // namespace shim
