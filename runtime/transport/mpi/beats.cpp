#include "runtime/transport/mpi/beats.hpp"

#include <cstdio>

namespace tla::runtime {
namespace {
constexpr int beatTag = 1;
/// The messages of a beat.
constexpr char alive = 0, leaves = 1;
} // namespace

Beats::Beats(MPI_Comm communicator, Turn &turn, double seconds, std::function<void(const std::string &)> end)
    : communicator_(communicator), turn_(turn), end_(std::move(end)),
      pulse_(seconds, std::chrono::steady_clock::now()) {
  int size = 1;
  TLA_MPI_CHECK(MPI_Comm_rank(communicator_, &rank_));
  TLA_MPI_CHECK(MPI_Comm_size(communicator_, &size));
  previous_ = (rank_ + size - 1) % size;
  next_ = (rank_ + 1) % size;
  thread_ = Thread([this] { loop(); });
}

Beats::~Beats() { stop(); }

void Beats::stop() {
  {
    const std::lock_guard hold(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable())
    thread_.join();
}

void Beats::leave() {
  stop();
  TLA_MPI_CHECK(MPI_Wait(&sent_, MPI_STATUS_IGNORE));
  TLA_MPI_CHECK(MPI_Isend(&leaves, 1, MPI_BYTE, previous_, beatTag, communicator_, &sent_));
  while (!nextHasLeft_)
    listen();
  TLA_MPI_CHECK(MPI_Wait(&sent_, MPI_STATUS_IGNORE));
}

void Beats::loop() {
  std::unique_lock hold(mutex_);
  while (!stop_) {
    hold.unlock();
    try {
      look();
    } catch (const std::exception &error) {
      end_(error.what());
    }
    hold.lock();
    stopped_.wait_for(hold, pulse_.interval(), [this] { return stop_; });
  }
}

void Beats::look() {
  turn_.lockSoon();
  bool heard = false;
  {
    const std::lock_guard turn(turn_, std::adopt_lock);
    beat();
    heard = listen();
  }
  if (nextHasLeft_) // and this rank is about to
    return;
  if (pulse_.look(std::chrono::steady_clock::now(), heard))
    end_("rank " + std::to_string(next_) + " has not answered for " +
         std::to_string(static_cast<long>(pulse_.silence().count())) +
         " s: its process stands still, or its machine cannot be reached");
}

void Beats::beat() {
  int isSent = 0;
  TLA_MPI_CHECK(MPI_Test(&sent_, &isSent, MPI_STATUS_IGNORE)); // at once where there is none
  if (isSent)
    TLA_MPI_CHECK(MPI_Isend(&alive, 1, MPI_BYTE, previous_, beatTag, communicator_, &sent_));
}

/// Takes what has come from the next rank; whether anything has.
bool Beats::listen() {
  for (bool heard = false;; heard = true) {
    int found = 0;
    TLA_MPI_CHECK(MPI_Iprobe(next_, beatTag, communicator_, &found, MPI_STATUS_IGNORE));
    if (!found)
      return heard;
    char what = alive;
    TLA_MPI_CHECK(MPI_Recv(&what, 1, MPI_BYTE, next_, beatTag, communicator_, MPI_STATUS_IGNORE));
    nextHasLeft_ |= what == leaves;
  }
}

} // namespace tla::runtime
