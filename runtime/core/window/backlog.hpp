// How far a node's program may run ahead of its tasks, in bytes of tiles.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tla::runtime {

/// The bytes that a node's tiles of workspaces and of other nodes may take behind the program where nobody says a number
/// (Options::lookaheadBytes): a tenth of the node's part of the callers' matrices of so many bytes; of small problems what
/// costs nobody anything; and where a step of the program takes more, on many nodes, as much as is `open` at one time, so
/// that there is room for one more step.
constexpr std::uint64_t usualLookahead(std::uint64_t matrices, int nodes, std::uint64_t open) {
  constexpr std::uint64_t least = 64u << 20, part = 10;
  return std::max({least, matrices / static_cast<std::uint64_t>(nodes) / part, open});
}

/// The memory of the host's tiles that have some only while their content is in use: workspaces' and other nodes'. The
/// generating thread promises it in program order, before the first task that writes the content can run. A content is
/// open until its last use has been generated; behind() is what the others still take, for tasks that are not complete.
/// Renamed tiles count elsewhere (Options::renameBytes).
///
/// Invariant: promised_ is at least what the tiles take. So while the generating thread promises nothing as long as
/// behind() exceeds a bound, tiles never take more than the most that is open at one time and that bound. What is open
/// depends on the program alone, and is counted before a run (passes/temporary_tiles.hpp).
class Backlog {
public:
  /// A content begins, with the first access to its tile. Generating thread.
  void open(std::size_t bytes) {
    open_ += static_cast<std::int64_t>(bytes);
    mostOpen_ = std::max(mostOpen_, open_);
    promised_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }
  /// The last use of a content has been generated. Generating thread.
  void close(std::size_t bytes) { open_ -= static_cast<std::int64_t>(bytes); }
  /// The memory of a content is given back. Any thread.
  void free(std::size_t bytes) {
    promised_.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }
  /// The bytes of contents that are not open. Less than nothing where tiles that are open have been renamed. Generating
  /// thread; others only make it smaller meanwhile.
  std::int64_t behind() const { return promised_.load(std::memory_order_relaxed) - open_; }

  /// The most bytes that have been open at one time. Generating thread.
  std::uint64_t mostOpen() const { return static_cast<std::uint64_t>(mostOpen_); }

  /// Between runs.
  void reset() {
    promised_.store(0, std::memory_order_relaxed);
    open_ = mostOpen_ = 0;
  }

private:
  // A count that publishes nothing, hence relaxed: a stale value is too large, and errs on the safe side.
  std::atomic<std::int64_t> promised_{0};
  std::int64_t open_ = 0, mostOpen_ = 0; // generating thread only
};

} // namespace tla::runtime
