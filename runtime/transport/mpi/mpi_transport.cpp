// The module libtla_mpi.so: the transport over MPI. The only place that calls MPI.
//
// Data is sent in synchronous mode and received by matched probes, so that a receiver learns of a message, and decides,
// before there is memory for it. Control messages go the same way, by a tag of their own, and are taken as they come:
// so one call of MPI sees both, and a look without result is cheap.
#include "runtime/transport/module.hpp"
#include "runtime/transport/mpi/session.hpp"

#include <algorithm>
#include <cassert>
#include <climits>
#include <csignal>
#include <cstring>
#include <deque>
#include <functional>
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
  explicit MpiTransport(const Launch &launch) : MpiTransport(MPI_COMM_WORLD) { expectRanksOf(launch); }
  /// Among the ranks of a communicator.
  explicit MpiTransport(MPI_Comm of) : messages_(of), collectives_(of) {
    TLA_MPI_CHECK(MPI_Comm_rank(collectives_, &rank_));
    TLA_MPI_CHECK(MPI_Comm_size(collectives_, &size_));
    expectTags();
    receiversMove_ = ranksReadEachOther(collectives_);
  }

  ~MpiTransport() override {
    waitForAllRanks(collectives_);
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
    assert(tag < tags);
    const int count = intBytes(bytes, "a message");
    TLA_MPI_CHECK(
        MPI_Issend(data, count, MPI_BYTE, destination, static_cast<int>(tag), messages_, outstanding_.add(token)));
  }

  bool announced(Announcement &message) override {
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
    MPI_Message matched;
    std::memcpy(&matched, &message.handle, sizeof matched);
    TLA_MPI_CHECK(MPI_Imrecv(buffer, static_cast<int>(message.bytes), MPI_BYTE, &matched, outstanding_.add(token)));
  }

  int finished(void **tokens, int room) override {
    outstanding_.collect(done_);
    const int count = std::min(room, static_cast<int>(done_.size()));
    std::copy_n(done_.begin(), count, tokens);
    done_.erase(done_.begin(), done_.begin() + count);
    return count;
  }

  bool receiversMove() const override { return receiversMove_; }

  void sendControl(int destination, const void *data, std::size_t bytes) override {
    assert(bytes <= controlBytes);
    forgetSentControls();
    const auto *begin = static_cast<const std::byte *>(data);
    ControlSend &send = controlSends_.emplace_back(ControlSend{MPI_REQUEST_NULL, {begin, begin + bytes}});
    TLA_MPI_CHECK(MPI_Isend(send.data.data(), static_cast<int>(bytes), MPI_BYTE, destination, controlTag, messages_,
                            &send.request));
  }

  bool receiveControl(int &source, std::vector<std::byte> &data) override {
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

  // Collectives: once all ranks have come, MPI's own, which spin, take no longer than the bytes need.

  void barrier() override { waitForAllRanks(collectives_); }

  void broadcast(void *data, std::size_t bytes, int root) override {
    constexpr std::size_t piece = std::size_t(1) << 30;
    waitForAllRanks(collectives_);
    for (std::size_t begin = 0; begin < bytes; begin += piece)
      TLA_MPI_CHECK(MPI_Bcast(static_cast<std::byte *>(data) + begin, static_cast<int>(std::min(piece, bytes - begin)),
                              MPI_BYTE, root, collectives_));
  }

  /// Not MPI_Allreduce, which may add up in another order on another rank.
  void sum(double *values, std::size_t count) override {
    waitForAllRanks(collectives_);
    const void *own = rank_ == 0 ? MPI_IN_PLACE : values;
    TLA_MPI_CHECK(MPI_Reduce(own, values, intBytes(count, "a sum"), MPI_DOUBLE, MPI_SUM, 0, collectives_));
    TLA_MPI_CHECK(MPI_Bcast(values, static_cast<int>(count), MPI_DOUBLE, 0, collectives_));
  }

  void max(double *values, std::size_t count) override {
    waitForAllRanks(collectives_);
    TLA_MPI_CHECK(MPI_Allreduce(MPI_IN_PLACE, values, intBytes(count, "a maximum"), MPI_DOUBLE, MPI_MAX, collectives_));
  }

  std::vector<std::vector<std::byte>> gather(const void *data, std::size_t bytes, int root) override {
    waitForAllRanks(collectives_);
    const int own = intBytes(bytes, "a part of a gather");
    std::vector<int> counts(rank_ == root ? size_ : 0), begins(counts.size());
    TLA_MPI_CHECK(MPI_Gather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, root, collectives_));
    std::size_t total = 0;
    for (std::size_t rank = 0; rank < counts.size(); ++rank) {
      begins[rank] = static_cast<int>(total);
      total += counts[rank];
      intBytes(total, "a gather");
    }
    std::vector<std::byte> all(total);
    TLA_MPI_CHECK(
        MPI_Gatherv(data, own, MPI_BYTE, all.data(), counts.data(), begins.data(), MPI_BYTE, root, collectives_));
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
  MpiLibrary library_; // before and after all that uses it
  MpiCommunicator messages_, collectives_;
  Outstanding outstanding_;
  std::deque<void *> done_;
  std::deque<ControlSend> controlSends_; // a deque: they stay where they are
  std::deque<Control> controls_;         // not asked for yet
  bool looked_ = false;                  // announced() has found nothing since receiveControl() was called
};

} // namespace

} // namespace tla::runtime

/// See ConnectFunction in runtime/transport/module.hpp.
extern "C" __attribute__((visibility("default"))) tla::runtime::Transport *
tlaConnect2(const tla::runtime::Launch &launch) {
  return new tla::runtime::MpiTransport(launch);
}

/// See JoinFunction there.
extern "C" __attribute__((visibility("default"))) tla::runtime::Transport *tlaJoin1(int communicator) {
  return new tla::runtime::MpiTransport(tla::runtime::communicatorOfHost(communicator));
}
