// What the core asks of a way to reach other ranks: bytes, and nothing else. What is sent when, and what it means, is
// the core's affair (core/network/courier.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace tla::runtime {

/// A data message that its sender has begun to send and that nobody has received yet.
struct Announcement {
  int source;
  std::uint32_t tag;
  std::size_t bytes;
  void *handle; ///< handle for one call of receive()
};

/// Obligations of a back-end:
///  1. rank() and size() are constant; 0 <= rank() < size(). All ranks construct it together.
///  2. All other functions but abort() are called by one thread at a time, not always the same: during a run any thread
///     of the executor, between runs the host's. Each call happens before the next one (a lock's order), which is what
///     MPI_THREAD_SERIALIZED asks for.
///  3. Functions for data and control return at once. Progress may need calls: a caller with anything outstanding, or
///     expected, calls announced(), finished() and receiveControl() again and again.
///  4. send(): the bytes stay untouched until finished() reports `token`, exactly once, and that happens only after the
///     receiver has called receive() for the message (synchronous mode). So what a receiver does not want yet costs
///     memory of its sender, not of the receiver, except for some KiB a message (up to 32 with MPI). A message may have
///     no bytes; one may go to the sender's own rank.
///  5. announced() reports each message that has come in exactly once, in any order.
///  6. receive() is called once per announcement, with room for its bytes; finished() reports `token` when they are
///     there.
///  7. Control messages are at most `controlBytes` long, copied at once, and arrive exactly once, in order per pair of
///     ranks, even while data messages wait.
///  8. Tags are 0 .. 2^30 - 1.
///  9. The collectives block, and are called between runs by all ranks in the same order. They take no core that others
///     could use for longer than the slowest rank takes.
/// 10. abort() ends the processes of all ranks with `exitCode`, within 10 s, whatever state they are in. It may be
/// called
///     by any thread, while another one is inside.
/// 11. The destructor is called after the last collective, by all ranks; nothing is outstanding then. What a back-end
///     cannot do is thrown as tla::Error; there is no way on from there but abort().
/// 12. Of a launched program (launch.hpp) every wait ends, from the connection of the ranks to the end of the last one:
///     a rank shows that its process lives, whether it computes, compiles, reads a file or waits, without a part in it
///     of the thread that does so. One that shows nothing for ProcessLaunch::watchdogSeconds and a few more ends all,
///     as by abort(4), and another rank says which one it is. Nothing else counts: a rank that lives may take for
///     whatever it does as long as it likes. Where ranks are threads of one process, or a host's own MPI program, there
///     are no such signs: the first have none that stand still alone, and with the second MPI is not ours between two
///     calls.
class Transport {
public:
  static constexpr std::size_t controlBytes = 512;
  static constexpr std::uint32_t tags = 1u << 30;

  virtual ~Transport() = default;
  virtual const char *name() const = 0;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  // Data.
  virtual void send(int destination, std::uint32_t tag, const void *data, std::size_t bytes, void *token) = 0;
  virtual bool announced(Announcement &message) = 0;
  virtual void receive(const Announcement &message, void *buffer, void *token) = 0;
  /// Up to `room` tokens of sends and receives that have finished since; how many.
  virtual int finished(void **tokens, int room) = 0;

  /// A hint, constant: whether a message moves by calls of its receiver alone, so that nobody waits for the calls of a
  /// sender. Then a rank that waits for nothing need not call.
  virtual bool receiversMove() const = 0;

  // Control.
  virtual void sendControl(int destination, const void *data, std::size_t bytes) = 0;
  /// Replaces `data`; false when there is none.
  virtual bool receiveControl(int &source, std::vector<std::byte> &data) = 0;

  /// Whether `wake` of onActivity() is called, on any thread, when something has come in or has finished. A back-end
  /// that cannot know, as MPI cannot, never calls it. `wake` does not call the transport. With the return of
  /// onActivity(), the function set before is no longer running.
  virtual bool notifies() const = 0;
  virtual void onActivity(std::function<void()> wake) = 0;

  // Collectives.
  virtual void barrier() = 0;
  virtual void broadcast(void *data, std::size_t bytes, int root) = 0;
  virtual void sum(double *values, std::size_t count) = 0; ///< adds up in place, same bits everywhere
  virtual void max(double *values, std::size_t count) = 0;
  /// Returns the ranks' bytes by rank on `root`, nothing elsewhere.
  virtual std::vector<std::vector<std::byte>> gather(const void *data, std::size_t bytes, int root) = 0;

  [[noreturn]] virtual void abort(int exitCode) = 0;
};

} // namespace tla::runtime
