// Signs of life between the ranks of a launched program.
#pragma once

#include "dsl/base/thread.hpp"
#include "runtime/transport/mpi/check.hpp"
#include "runtime/transport/mpi/turn.hpp"
#include "runtime/transport/pulse.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace tla::runtime {

/// A thread of each rank that beats for the rank before it and listens for the next one (Pulse has the rules), from the
/// connection of the ranks until their last collective. When the next rank is silent for too long, or MPI fails, it
/// calls `end` with the reason, which does not return.
///
/// Every call of MPI is made in Turn. At most one beat is under way: to a rank that stands still no more are sent than
/// MPI takes.
class Beats {
public:
  /// Beats have a tag of their own among the point-to-point messages of the communicator.
  Beats(MPI_Comm communicator, Turn &turn, double seconds, std::function<void(const std::string &)> end);
  /// Ends without a word: the ranks go down.
  ~Beats();
  Beats(const Beats &) = delete;
  Beats &operator=(const Beats &) = delete;

  /// After the last collective: ends the thread, and tells the rank before that no more beats come, so that none is
  /// left that nobody reads. Returns when the next rank has said the same.
  void leave();

private:
  void loop();
  void stop();
  void look();
  void beat();
  bool listen();

  const MPI_Comm communicator_;
  Turn &turn_;
  const std::function<void(const std::string &)> end_;
  int rank_ = 0, previous_ = 0, next_ = 0;

  // The thread's, and of leave() when that has ended.
  Pulse pulse_;
  MPI_Request sent_ = MPI_REQUEST_NULL;
  bool nextHasLeft_ = false;

  std::mutex mutex_; // guards stop_
  std::condition_variable stopped_;
  bool stop_ = false;
  Thread thread_;
};

} // namespace tla::runtime
