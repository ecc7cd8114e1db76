// What the core asks of a way to reach other nodes ([Song12] 5.4 and 6). One node needs almost nothing of it; the
// obligations below are what a back-end with more ranks takes on.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tla::runtime {

/// Names a piece of data on all ranks without talking: every rank numbers matrices and versions in program order.
struct VersionKey {
  int matrix, row, column;
  int version;
  bool operator==(const VersionKey &) const = default;
};

/// Obligations of a back-end:
///  1. rank() and size() are constant from construction on; 0 <= rank() < size().
///  2. send() returns at once. The data stays untouched until `sent` is called, on any thread, exactly once.
///  3. A version reaches its destination exactly once; arrivals may come in any order. The arrival callback gets bytes
///     that it owns until it returns, and may be called on a thread of the back-end.
///  4. Waiting for the network takes no core from the computing threads: no busy polling.
///  5. abort() makes every rank's run end, whatever state it is in, within 10 s; the callback given to onAbort() runs
///     once on each other rank. A lost peer counts as abort() of that peer.
///  6. barrier() returns when all ranks have called it, or throws tla::Error after an abort.
///  7. Nothing is sent between runs; the destructor may be called at any time after barrier() or abort().
class Transport {
public:
  using Arrival = std::function<void(const VersionKey &, const void *data, std::size_t bytes)>;
  using Abort = std::function<void(int rank, const std::string &message)>;

  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(const VersionKey &key, const void *data, std::size_t bytes, int destination,
                    std::function<void()> sent) = 0;
  virtual void onArrival(Arrival arrival) = 0;
  virtual void onAbort(Abort abort) = 0;
  virtual void barrier() = 0;
  virtual void abort(const std::string &message) = 0;
};

} // namespace tla::runtime
