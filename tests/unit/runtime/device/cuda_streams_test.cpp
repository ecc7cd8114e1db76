// The shim's streams: whoever keeps CUDA's rules gets what he should in any order that chance chooses, and whoever
// breaks them is found. Not for a device, which need not show it.
#include "tests/shims/cuda/streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace {

constexpr int count = 64; // doubles
constexpr std::size_t bytes = count * sizeof(double);
constexpr unsigned schedules = 200;

struct Stream {
  Stream() { cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking); }
  ~Stream() { cudaStreamDestroy(stream); }
  operator cudaStream_t() const { return stream; }
  cudaStream_t stream = nullptr;
};
struct Event {
  Event() { cudaEventCreateWithFlags(&event, cudaEventDefault); }
  ~Event() { cudaEventDestroy(event); }
  operator cudaEvent_t() const { return event; }
  cudaEvent_t event = nullptr;
};
template <auto allocate, auto release> struct Memory {
  Memory() { allocate(reinterpret_cast<void **>(&data), bytes); }
  ~Memory() { release(data); }
  double *data = nullptr;
};
using OnDevice = Memory<cudaMalloc, cudaFree>;
using Pinned = Memory<cudaMallocHost, cudaFreeHost>;

void copy(double *to, const double *from, cudaStream_t stream) {
  cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream);
}
bool holds(const double *data, double value) {
  return std::all_of(data, data + count, [&](double each) { return each == value; });
}

// In what follows memory comes before streams, which wait when they go: nothing is on the way then.

/// How many of the schedules gave a wrong result, by wrong(), and in how many the shim has found a race.
struct Found {
  unsigned wrong = 0, races = 0;
};
template <typename Wrong> Found over(Wrong wrong) {
  Found found;
  for (unsigned seed = 0; seed < schedules; ++seed) {
    shim::setSeed(seed);
    found.wrong += wrong();
    found.races += !shim::takeRaces().empty();
  }
  return found;
}

TEST(ShimStreams, WhoWaitsHasNoRaces) {
  const Found found = over([] {
    OnDevice tile;
    Pinned source, result;
    Stream in, out;
    Event arrived;
    std::fill_n(source.data, count, 7.0);
    copy(tile.data, source.data, in);
    cudaEventRecord(arrived, in);
    cudaEventSynchronize(arrived);
    std::fill_n(source.data, count, 8.0); // the buffer serves again
    copy(result.data, tile.data, out);
    cudaStreamSynchronize(out);
    return !holds(result.data, 7);
  });
  EXPECT_EQ(found.wrong, 0u);
  EXPECT_EQ(found.races, 0u);
}

TEST(ShimStreams, AReadOnAnotherStreamThatDoesNotWaitIsFound) {
  const Found found = over([] {
    OnDevice tile;
    Pinned source, result;
    Stream in, out;
    std::fill_n(source.data, count, 7.0);
    copy(tile.data, source.data, in);
    copy(result.data, tile.data, out);
    cudaStreamSynchronize(out);
    return !holds(result.data, 7);
  });
  EXPECT_EQ(found.races, schedules); // whatever chance chose
  EXPECT_GT(found.wrong, 0u);
  EXPECT_LT(found.wrong, schedules);
}

TEST(ShimStreams, AnEventInFrontOfTheOperationIsFound) {
  EXPECT_EQ(over([] {
              OnDevice tile;
              Pinned source, result;
              Stream in, out;
              Event arrived;
              cudaEventRecord(arrived, in);
              copy(tile.data, source.data, in);
              cudaEventSynchronize(arrived);
              copy(result.data, tile.data, out);
              cudaStreamSynchronize(out);
              return false;
            }).races,
            schedules);
}

TEST(ShimStreams, MemoryThatIsFreedWhileItIsInUseIsFound) {
  EXPECT_EQ(over([] {
              Pinned source;
              Stream in, other;
              double *tile = nullptr;
              cudaMalloc(reinterpret_cast<void **>(&tile), bytes);
              copy(source.data, tile, in);
              cudaFreeAsync(tile, other);
              cudaStreamSynchronize(in);
              return false;
            }).races,
            schedules);
}

TEST(ShimStreams, MemoryThatIsNotThereYetIsFound) {
  EXPECT_EQ(over([] {
              Pinned source;
              Stream allocating, in;
              double *tile = nullptr;
              cudaMallocAsync(reinterpret_cast<void **>(&tile), bytes, allocating);
              copy(tile, source.data, in);
              cudaStreamSynchronize(in);
              cudaStreamSynchronize(allocating);
              cudaFree(tile);
              return false;
            }).races,
            schedules);
}

/// No call tells what the host does with its own memory: chance has to show it.
TEST(ShimStreams, AStagingBufferThatIsFilledAgainTooEarlyShows) {
  const Found found = over([] {
    OnDevice tile;
    Pinned source, result;
    Stream in;
    std::fill_n(source.data, count, 7.0);
    copy(tile.data, source.data, in);
    std::fill_n(source.data, count, 8.0);
    copy(result.data, tile.data, in);
    cudaStreamSynchronize(in);
    return !holds(result.data, 7);
  });
  EXPECT_GT(found.wrong, 0u);
}

TEST(ShimStreams, AResultThatIsReadTooEarlyShows) {
  const Found found = over([] {
    OnDevice tile;
    Pinned source, result;
    Stream out;
    std::fill_n(source.data, count, 7.0);
    copy(tile.data, source.data, out);
    copy(result.data, tile.data, out);
    const bool wrong = !holds(result.data, 7);
    cudaStreamSynchronize(out);
    return wrong;
  });
  EXPECT_GT(found.wrong, 0u);
}

TEST(ShimStreams, PageableMemoryIsStaged) {
  const Found found = over([] {
    OnDevice tile;
    Stream in;
    std::vector<double> source(count, 7.0), result(count);
    copy(tile.data, source.data(), in);
    std::fill(source.begin(), source.end(), 8.0); // was read already
    copy(result.data(), tile.data, in);           // is there when the call returns
    return !holds(result.data(), 7);
  });
  EXPECT_EQ(found.wrong, 0u);
  EXPECT_EQ(found.races, 0u);
}

} // namespace
