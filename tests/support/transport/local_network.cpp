#include "tests/support/transport/local_network.hpp"

#include "tests/support/transport/delivery.hpp"
#include "tests/support/transport/meeting.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstring>
#include <deque>
#include <unordered_map>

namespace tla::runtime {

namespace {
struct Message {
  int source;
  std::uint32_t tag;
  const void *data;
  std::size_t bytes;
  void *token;
};
struct Control {
  int source;
  std::vector<std::byte> data;
};
} // namespace

class LocalNetwork::Shared {
public:
  Shared(int ranks, Options options) : options(std::move(options)), meeting(ranks) {}

  const Options options;
  Meeting meeting;
  std::atomic<bool> aborted = false;
  std::atomic<int> exitCode = 0;
  std::vector<std::unique_ptr<Endpoint>> endpoints;
  Delivery delivery{options.delay, options.seed}; // last: its steps use the endpoints
};

/// An endpoint; calls of other threads ("in" functions) hold lock_ or wakeLock_, never both.
class LocalNetwork::Endpoint final : public Transport {
public:
  Endpoint(Shared &shared, int rank, int ranks) : shared_(shared), rank_(rank), channels_(ranks) {}

  const char *name() const override { return "local"; }
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(channels_.size()); }

  void send(int destination, std::uint32_t tag, const void *data, std::size_t bytes, void *token) override {
    expectRunning();
    assert(tag < tags);
    auto message = std::make_shared<const Message>(Message{rank_, tag, data, bytes, token});
    shared_.delivery.after([this, &to = endpoint(destination), message = std::move(message)] {
      if (!lost_)
        to.comeIn(message);
    });
  }

  bool announced(Announcement &message) override {
    expectRunning();
    const std::lock_guard hold(lock_);
    if (lost_ || arrived_.empty())
      return false;
    const std::shared_ptr<const Message> next = std::move(arrived_.front());
    arrived_.pop_front();
    message = {next->source, next->tag, next->bytes, const_cast<Message *>(next.get())};
    announced_.emplace(next.get(), next);
    return true;
  }

  void receive(const Announcement &announcement, void *buffer, void *token) override {
    expectRunning();
    std::shared_ptr<const Message> message;
    {
      const std::lock_guard hold(lock_);
      const auto found = announced_.find(announcement.handle);
      assert(found != announced_.end() && "received once");
      message = std::move(found->second);
      announced_.erase(found);
    }
    shared_.delivery.after([this, message = std::move(message), buffer, token] {
      Endpoint &source = endpoint(message->source);
      if (lost_ || source.lost_)
        return;
      if (message->bytes > 0)
        std::memcpy(buffer, message->data, message->bytes);
      finish(token);
      shared_.delivery.after([&source, sent = message->token] { source.finish(sent); });
    });
  }

  int finished(void **tokens, int room) override {
    expectRunning();
    const std::lock_guard hold(lock_);
    const int count = lost_ ? 0 : std::min(room, static_cast<int>(finished_.size()));
    std::copy_n(finished_.begin(), count, tokens);
    finished_.erase(finished_.begin(), finished_.begin() + count);
    return count;
  }

  void sendControl(int destination, const void *data, std::size_t bytes) override {
    expectRunning();
    assert(bytes <= controlBytes);
    const auto *begin = static_cast<const std::byte *>(data);
    Delivery::Step comeIn = [this, &to = endpoint(destination), copy = std::vector<std::byte>(begin, begin + bytes)] {
      if (!lost_)
        to.controlComesIn({rank_, copy});
    };
    if (shared_.options.promptControl)
      comeIn();
    else
      shared_.delivery.afterInOrder(channels_[destination], std::move(comeIn));
  }

  bool receiveControl(int &source, std::vector<std::byte> &data) override {
    expectRunning();
    const std::lock_guard hold(lock_);
    if (lost_ || controls_.empty())
      return false;
    source = controls_.front().source;
    data = std::move(controls_.front().data);
    controls_.pop_front();
    return true;
  }

  bool notifies() const override { return true; }
  bool receiversMove() const override { return true; }
  void onActivity(std::function<void()> wake) override {
    const std::lock_guard hold(wakeLock_);
    wake_ = std::move(wake);
  }

  void barrier() override { meet(nullptr, 0); }

  void broadcast(void *data, std::size_t bytes, int root) override {
    const auto offers = meet(data, rank_ == root ? bytes : 0);
    if (rank_ != root && bytes > 0)
      std::memcpy(data, (*offers)[root].data(), bytes);
  }

  void sum(double *values, std::size_t count) override {
    reduce(values, count, [](double a, double b) { return a + b; });
  }
  void max(double *values, std::size_t count) override {
    reduce(values, count, [](double a, double b) { return std::max(a, b); });
  }

  std::vector<std::vector<std::byte>> gather(const void *data, std::size_t bytes, int root) override {
    const auto offers = meet(data, bytes);
    return rank_ == root ? *offers : Meeting::Offers();
  }

  [[noreturn]] void abort(int exitCode) override {
    if (shared_.options.onAbort)
      shared_.options.onAbort(rank_, exitCode);
    shared_.exitCode = exitCode;
    shared_.aborted = true;
    shared_.meeting.end();
    for (const auto &endpoint : shared_.endpoints)
      endpoint->wakeUp();
    throw Aborted(exitCode);
  }

  void lose() { lost_ = true; }

private:
  Endpoint &endpoint(int rank) { return *shared_.endpoints.at(rank); }

  void expectRunning() const {
    if (shared_.aborted)
      throw Aborted(shared_.exitCode);
  }

  std::shared_ptr<const Meeting::Offers> meet(const void *data, std::size_t bytes) {
    auto offers = shared_.meeting.meet(rank_, data, bytes);
    if (!offers)
      throw Aborted(shared_.exitCode);
    return offers;
  }

  /// Reduces in the order of the ranks, everywhere.
  template <typename Operation> void reduce(double *values, std::size_t count, Operation operation) {
    const auto offers = meet(values, count * sizeof(double));
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = [&](int rank) {
        double number;
        std::memcpy(&number, (*offers)[rank].data() + i * sizeof number, sizeof number);
        return number;
      };
      values[i] = value(0);
      for (int rank = 1; rank < size(); ++rank)
        values[i] = operation(values[i], value(rank));
    }
  }

  void comeIn(std::shared_ptr<const Message> message) {
    put([&] { arrived_.push_back(std::move(message)); });
  }
  void controlComesIn(Control control) {
    put([&] { controls_.push_back(std::move(control)); });
  }
  void finish(void *token) {
    put([&] { finished_.push_back(token); });
  }
  template <typename Change> void put(Change change) {
    {
      const std::lock_guard hold(lock_);
      change();
    }
    if (!lost_)
      wakeUp();
  }
  void wakeUp() {
    const std::lock_guard hold(wakeLock_);
    if (wake_)
      wake_();
  }

  Shared &shared_;
  const int rank_;
  std::vector<Delivery::Clock::time_point> channels_; // by destination: when its last control message comes in
  std::atomic<bool> lost_ = false;

  std::mutex lock_;
  std::deque<std::shared_ptr<const Message>> arrived_;
  std::unordered_map<const void *, std::shared_ptr<const Message>> announced_;
  std::deque<void *> finished_;
  std::deque<Control> controls_;

  std::mutex wakeLock_;
  std::function<void()> wake_;
};

LocalNetwork::LocalNetwork(int ranks) : LocalNetwork(ranks, Options{}) {}

LocalNetwork::LocalNetwork(int ranks, Options options) : shared_(std::make_unique<Shared>(ranks, std::move(options))) {
  for (int rank = 0; rank < ranks; ++rank)
    shared_->endpoints.push_back(std::make_unique<Endpoint>(*shared_, rank, ranks));
}

LocalNetwork::~LocalNetwork() = default;

Transport &LocalNetwork::endpoint(int rank) { return *shared_->endpoints.at(rank); }

void LocalNetwork::kill(int rank) { shared_->endpoints.at(rank)->lose(); }

} // namespace tla::runtime
