// The module libtla_mpi.so: the transport over MPI. The only place that calls MPI.
//
// Data is sent in synchronous mode and received by matched probes, so that a receiver learns of a message, and decides,
// before there is memory for it. Control messages go the same way, by a tag of their own, and are taken as they come:
// so one call of MPI sees both, and a look without result is cheap.
#include "runtime/transport/module.hpp"
#include "runtime/transport/mpi/beats.hpp"
#include "runtime/transport/mpi/deadline.hpp"
#include "runtime/transport/mpi/session.hpp"

#include <algorithm>
#include <cassert>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <unistd.h>
#include <utility>

namespace tla::runtime {

namespace {
int intBytes(std::size_t bytes, const char *what) {
  if (bytes > INT_MAX)
    throw Error(std::string(what) + " of " + std::to_string(bytes) + " bytes: MPI's interface ends at 2 GiB");
  return static_cast<int>(bytes);
}

/// Requests under way and what they are called by.
class Outstanding {
public:
  MPI_Request *add(void *token) {
    tokens_.push_back(token);
    return &requests_.emplace_back(MPI_REQUEST_NULL);
  }

  /// Moves the tokens of requests that are complete to `done`. A call looks at some of the requests, the next call at
  /// the next ones: thousands of messages that wait for their receivers do not slow those down that move.
  void collect(std::deque<void *> &done) {
    if (requests_.empty())
      return;
    if (begin_ >= requests_.size())
      begin_ = 0;
    const int looked = static_cast<int>(std::min<std::size_t>(atOnce, requests_.size() - begin_));
    const int count = test(looked);
    // From the last one on, so that what fills a gap is not complete itself.
    std::sort(indices_, indices_ + count, std::greater<>());
    for (int i = 0; i < count; ++i) {
      done.push_back(tokens_[begin_ + indices_[i]]);
      remove(begin_ + indices_[i]);
    }
    begin_ += looked - count;
  }

private:
  static constexpr int atOnce = 256;

  /// How many of the next `looked` requests are complete; indices_ says which.
  int test(int looked) {
    int count = 0;
    const int code = MPI_Testsome(looked, &requests_[begin_], &count, indices_, statuses_);
    if (code == MPI_ERR_IN_STATUS)
      for (int i = 0; i < count; ++i)
        checkMpi(statuses_[i].MPI_ERROR, "a message");
    checkMpi(code, "MPI_Testsome");
    return std::max(count, 0); // MPI_UNDEFINED, where a send has failed
  }
  void remove(std::size_t index) {
    requests_[index] = requests_.back();
    tokens_[index] = tokens_.back();
    requests_.pop_back();
    tokens_.pop_back();
  }

  std::vector<MPI_Request> requests_;
  std::vector<void *> tokens_; // by request
  std::size_t begin_ = 0;      // where the next call looks
  int indices_[atOnce];
  MPI_Status statuses_[atOnce];
};

class MpiTransport final : public Transport {
public:
  explicit MpiTransport(const ProcessLaunch &launch)
      : MpiTransport(MPI_COMM_WORLD, launch.watchdogSeconds, launch.rank) {
    expectRanksOf(launch);
    connecting_.reset();
    if (launch.watchdogSeconds > 0 && size_ > 1 && library_.isOurs())
      beats_.emplace(collectives_, turn_, launch.watchdogSeconds, [this](const std::string &why) {
        std::fprintf(stderr, "hetc: rank %d: %s\n", rank_, why.c_str());
        abort(4);
      });
  }
  /// Among the ranks of a communicator of the host's, which has MPI and its threads for itself between the calls of
  /// this transport, and so no beats: they would need a thread of ours in MPI.
  explicit MpiTransport(MPI_Comm of) : MpiTransport(of, 0, 0) {}

  ~MpiTransport() override {
    waitForAllRanks(collectives_, turn_);
    if (beats_) {
      ending_ = deadline(watchdogSeconds_ + Pulse::grace.count(), rank_, "has waited for the others to end");
      beats_->leave();
    }
    // Questions that came when nobody looked any more: MPI ends with nothing outstanding.
    std::vector<std::byte> unread;
    for (int source = 0; receiveControl(source, unread);) {
    }
    for (ControlSend &send : controlSends_)
      MPI_Wait(&send.request, MPI_STATUS_IGNORE);
  }

  const char *name() const override { return "mpi"; }
  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void send(int destination, std::uint32_t tag, const void *data, std::size_t bytes, void *token) override {
    const std::lock_guard turn(turn_);
    assert(tag < tags);
    const int count = intBytes(bytes, "a message");
    TLA_MPI_CHECK(
        MPI_Issend(data, count, MPI_BYTE, destination, static_cast<int>(tag), messages_, outstanding_.add(token)));
  }

  bool announced(Announcement &message) override {
    const std::lock_guard turn(turn_);
    static_assert(sizeof(MPI_Message) <= sizeof message.handle);
    Match match;
    while (find(MPI_ANY_TAG, match)) {
      if (match.tag == controlTag) {
        takeControl(match);
        continue;
      }
      message = {match.source, static_cast<std::uint32_t>(match.tag), static_cast<std::size_t>(match.bytes), nullptr};
      std::memcpy(&message.handle, &match.message, sizeof match.message);
      return true;
    }
    looked_ = true;
    return false;
  }

  void receive(const Announcement &message, void *buffer, void *token) override {
    const std::lock_guard turn(turn_);
    MPI_Message matched;
    std::memcpy(&matched, &message.handle, sizeof matched);
    TLA_MPI_CHECK(MPI_Imrecv(buffer, static_cast<int>(message.bytes), MPI_BYTE, &matched, outstanding_.add(token)));
  }

  int finished(void **tokens, int room) override {
    const std::lock_guard turn(turn_);
    outstanding_.collect(done_);
    const int count = std::min(room, static_cast<int>(done_.size()));
    std::copy_n(done_.begin(), count, tokens);
    done_.erase(done_.begin(), done_.begin() + count);
    return count;
  }

  bool receiversMove() const override { return receiversMove_; }

  void sendControl(int destination, const void *data, std::size_t bytes) override {
    const std::lock_guard turn(turn_);
    assert(bytes <= controlBytes);
    forgetSentControls();
    const auto *begin = static_cast<const std::byte *>(data);
    ControlSend &send = controlSends_.emplace_back(ControlSend{MPI_REQUEST_NULL, {begin, begin + bytes}});
    TLA_MPI_CHECK(MPI_Isend(send.data.data(), static_cast<int>(bytes), MPI_BYTE, destination, controlTag, messages_,
                            &send.request));
  }

  bool receiveControl(int &source, std::vector<std::byte> &data) override {
    const std::lock_guard turn(turn_);
    // Who has just looked for data has looked for these as well.
    if (Match match; controls_.empty() && !std::exchange(looked_, false) && find(controlTag, match))
      takeControl(match);
    if (controls_.empty())
      return false;
    source = controls_.front().source;
    data = std::move(controls_.front().data);
    controls_.pop_front();
    return true;
  }

  bool notifies() const override { return false; }
  void onActivity(std::function<void()>) override {}

  // Collectives: once all ranks have come, MPI's own. Its functions that return at once leave MPI to the beats between
  // two looks, which take no longer than the bytes need.

  void barrier() override { waitForAllRanks(collectives_, turn_); }

  void broadcast(void *data, std::size_t bytes, int root) override {
    constexpr std::size_t piece = std::size_t(1) << 30;
    waitForAllRanks(collectives_, turn_);
    for (std::size_t begin = 0; begin < bytes; begin += piece)
      TLA_MPI_COLLECTIVE(turn_, MPI_Ibcast, static_cast<std::byte *>(data) + begin,
                         static_cast<int>(std::min(piece, bytes - begin)), MPI_BYTE, root, collectives_);
  }

  /// Not MPI_Iallreduce, which may add up in another order on another rank.
  void sum(double *values, std::size_t count) override {
    waitForAllRanks(collectives_, turn_);
    const void *own = rank_ == 0 ? MPI_IN_PLACE : values;
    TLA_MPI_COLLECTIVE(turn_, MPI_Ireduce, own, values, intBytes(count, "a sum"), MPI_DOUBLE, MPI_SUM, 0, collectives_);
    TLA_MPI_COLLECTIVE(turn_, MPI_Ibcast, values, static_cast<int>(count), MPI_DOUBLE, 0, collectives_);
  }

  void max(double *values, std::size_t count) override {
    waitForAllRanks(collectives_, turn_);
    TLA_MPI_COLLECTIVE(turn_, MPI_Iallreduce, MPI_IN_PLACE, values, intBytes(count, "a maximum"), MPI_DOUBLE, MPI_MAX,
                       collectives_);
  }

  std::vector<std::vector<std::byte>> gather(const void *data, std::size_t bytes, int root) override {
    waitForAllRanks(collectives_, turn_);
    const int own = intBytes(bytes, "a part of a gather");
    std::vector<int> counts(rank_ == root ? size_ : 0), begins(counts.size());
    TLA_MPI_COLLECTIVE(turn_, MPI_Igather, &own, 1, MPI_INT, counts.data(), 1, MPI_INT, root, collectives_);
    std::size_t total = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      begins[rank] = static_cast<int>(total);
      total += counts[rank];
      intBytes(total, "a gather");
    }
    std::vector<std::byte> all(total);
    TLA_MPI_COLLECTIVE(turn_, MPI_Igatherv, data, own, MPI_BYTE, all.data(), counts.data(), begins.data(), MPI_BYTE,
                       root, collectives_);
    std::vector<std::vector<std::byte>> parts;
    for (std::size_t rank = 0; rank < counts.size(); ++rank)
      parts.emplace_back(all.begin() + begins[rank], all.begin() + begins[rank] + counts[rank]);
    return parts;
  }

  /// MPI_Abort tells the launcher, which kills all processes. Should it hang, as where another thread is inside MPI, an
  /// alarm ends this process, which the launcher takes as a failure of the run as well.
  [[noreturn]] void abort(int exitCode) override {
    static volatile std::sig_atomic_t codeAtAlarm;
    codeAtAlarm = exitCode;
    std::signal(SIGALRM, [](int) { _exit(codeAtAlarm); });
    alarm(5);
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    _exit(exitCode);
  }

private:
  /// `watchdogSeconds`: of a launched program, 0 for none. Until all ranks have come, ten times as long may pass, and
  /// five minutes at least: before that a rank cannot show that it lives, and may compile.
  MpiTransport(MPI_Comm of, double watchdogSeconds, int rank)
      : watchdogSeconds_(watchdogSeconds),
        connecting_(deadline(watchdogSeconds > 0 ? std::max(10 * watchdogSeconds, 300.0) : 0, rank,
                             "has waited for the others to start")),
        messages_(of), collectives_(of) {
    TLA_MPI_CHECK(MPI_Comm_rank(collectives_, &rank_));
    TLA_MPI_CHECK(MPI_Comm_size(collectives_, &size_));
    expectTags();
    receiversMove_ = ranksReadEachOther(collectives_);
  }

  static std::unique_ptr<Deadline> deadline(double seconds, int rank, const std::string &what) {
    return seconds > 0 ? std::make_unique<Deadline>(seconds, "rank " + std::to_string(rank) + " " + what) : nullptr;
  }

  struct ControlSend {
    MPI_Request request;
    std::vector<std::byte> data;
  };
  struct Control {
    int source;
    std::vector<std::byte> data;
  };
  struct Match {
    MPI_Message message;
    int source, tag, bytes;
  };

  /// Whether a message of this tag, or any, has come in; then it is matched.
  bool find(int tag, Match &match) {
    MPI_Status status;
    int found = 0;
    TLA_MPI_CHECK(MPI_Improbe(MPI_ANY_SOURCE, tag, messages_, &found, &match.message, &status));
    if (!found)
      return false;
    match.source = status.MPI_SOURCE;
    match.tag = status.MPI_TAG;
    TLA_MPI_CHECK(MPI_Get_count(&status, MPI_BYTE, &match.bytes));
    return true;
  }

  /// Small, and so here already: MPI_Mrecv does not wait.
  void takeControl(Match &match) {
    Control &control = controls_.emplace_back(Control{match.source, std::vector<std::byte>(match.bytes)});
    TLA_MPI_CHECK(MPI_Mrecv(control.data.data(), match.bytes, MPI_BYTE, &match.message, MPI_STATUS_IGNORE));
  }

  void forgetSentControls() {
    while (!controlSends_.empty()) {
      int sent = 0;
      TLA_MPI_CHECK(MPI_Test(&controlSends_.front().request, &sent, MPI_STATUS_IGNORE));
      if (!sent)
        return;
      controlSends_.pop_front();
    }
  }

  int rank_ = 0, size_ = 1;
  bool receiversMove_ = false;
  const double watchdogSeconds_;
  std::unique_ptr<Deadline> connecting_; // null, or until all ranks are connected
  std::unique_ptr<Deadline> ending_;     // likewise, until MPI has ended
  MpiLibrary library_;                   // before and after all that uses it
  Turn turn_;                            // of the thread that calls the transport and that of the beats
  MpiCommunicator messages_, collectives_;
  Outstanding outstanding_;
  std::deque<void *> done_;
  std::deque<ControlSend> controlSends_; // a deque: they stay where they are
  std::deque<Control> controls_;         // not asked for yet
  bool looked_ = false;                  // announced() has found nothing since receiveControl() was called
  std::optional<Beats> beats_;           // of a launched program; its thread ends first
};

} // namespace

} // namespace tla::runtime

/// See ConnectFunction in runtime/transport/module.hpp.
extern "C" __attribute__((visibility("default"))) tla::runtime::Transport *
tlaConnect3(const tla::runtime::ProcessLaunch &launch) {
  return new tla::runtime::MpiTransport(launch);
}

/// See JoinFunction there.
extern "C" __attribute__((visibility("default"))) tla::runtime::Transport *tlaJoin1(int communicator) {
  return new tla::runtime::MpiTransport(tla::runtime::communicatorOfHost(communicator));
}
