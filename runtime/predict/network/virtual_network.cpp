#include "runtime/predict/network/virtual_network.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace tla::runtime {

class VirtualNetwork::Endpoint final : public Transport {
public:
  Endpoint(VirtualNetwork &network, int rank, int ranks) : network_(network), rank_(rank), ranks_(ranks) {}

  const char *name() const override { return "virtual"; }
  int rank() const override { return rank_; }
  int size() const override { return ranks_; }

  void send(int destination, std::uint32_t tag, const void *, std::size_t bytes, void *token) override {
    const std::size_t number = network_.keep(Message{rank_, destination, tag, bytes, token, nullptr});
    network_.after(network_.model_.latency(rank_, destination), Announced, number);
  }
  bool announced(Announcement &message) override {
    if (announced_.empty())
      return false;
    const std::size_t number = announced_.front();
    announced_.pop_front();
    const Message &kept = network_.messages_[number];
    message = {kept.source, kept.tag, kept.bytes, reinterpret_cast<void *>(number)};
    return true;
  }
  void receive(const Announcement &message, void *, void *token) override {
    const auto number = reinterpret_cast<std::size_t>(message.handle);
    network_.messages_[number].received = token;
    network_.after(network_.model_.latency(rank_, message.source), Asked, number);
  }
  int finished(void **tokens, int room) override {
    const int count = std::min(room, static_cast<int>(finished_.size()));
    std::copy_n(finished_.begin(), count, tokens);
    finished_.erase(finished_.begin(), finished_.begin() + count);
    return count;
  }
  bool receiversMove() const override { return true; }

  void sendControl(int destination, const void *data, std::size_t bytes) override {
    const auto *const first = static_cast<const std::byte *>(data);
    const std::size_t number = network_.keep(Control{rank_, destination, {first, first + bytes}});
    network_.after(network_.model_.latency(rank_, destination), Told, number);
  }
  bool receiveControl(int &source, std::vector<std::byte> &data) override {
    if (told_.empty())
      return false;
    Control &control = told_.front();
    source = control.source;
    data = std::move(control.data);
    told_.pop_front();
    return true;
  }

  bool notifies() const override { return false; }
  void onActivity(std::function<void()>) override {}

  void barrier() override { network_.meet(rank_, nullptr, 0); }
  void broadcast(void *data, std::size_t bytes, int root) override {
    const auto &all = network_.meet(rank_, data, rank_ == root ? bytes : 0);
    std::copy_n(all[root].data(), bytes, static_cast<std::byte *>(data));
  }
  void sum(double *values, std::size_t count) override {
    combine(values, count, [](double a, double b) { return a + b; });
  }
  void max(double *values, std::size_t count) override {
    combine(values, count, [](double a, double b) { return std::max(a, b); });
  }
  std::vector<std::vector<std::byte>> gather(const void *data, std::size_t bytes, int root) override {
    const auto &all = network_.meet(rank_, data, bytes);
    return rank_ == root ? all : std::vector<std::vector<std::byte>>();
  }

  [[noreturn]] void abort(int exitCode) override {
    throw Error("a node of a virtual cluster has ended the run with code " + std::to_string(exitCode));
  }

  // What the network brings.

  void announce(std::size_t message) { announced_.push_back(message); }
  void finish(void *token) { finished_.push_back(token); }
  void tell(Control control) { told_.push_back(std::move(control)); }

private:
  template <typename Operation> void combine(double *values, std::size_t count, Operation operation) {
    const auto &all = network_.meet(rank_, values, count * sizeof(double));
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t rank = 0; rank < all.size(); ++rank) {
        double value;
        std::memcpy(&value, all[rank].data() + i * sizeof(double), sizeof(double));
        values[i] = rank ? operation(values[i], value) : value;
      }
  }

  VirtualNetwork &network_;
  const int rank_, ranks_;
  std::deque<std::size_t> announced_;
  std::deque<void *> finished_;
  std::deque<Control> told_;
};

VirtualNetwork::VirtualNetwork(VirtualTime &time, VirtualCluster &cluster, NetworkModel &model, int nodes)
    : time_(time), cluster_(cluster), model_(model), brought_(nodes), met_(nodes) {
  for (int rank = 0; rank < nodes; ++rank)
    endpoints_.push_back(std::make_unique<Endpoint>(*this, rank, nodes));
}

VirtualNetwork::~VirtualNetwork() = default;

Transport &VirtualNetwork::endpoint(int rank) { return *endpoints_[rank]; }

/// Into a free place, whose number it gives.
template <typename Kept>
static std::size_t keepIn(std::vector<Kept> &all, std::vector<std::size_t> &free, Kept &&kept) {
  if (free.empty()) {
    all.push_back(std::forward<Kept>(kept));
    return all.size() - 1;
  }
  const std::size_t number = free.back();
  free.pop_back();
  all[number] = std::forward<Kept>(kept);
  return number;
}

std::size_t VirtualNetwork::keep(Message message) { return keepIn(messages_, freeMessages_, std::move(message)); }
std::size_t VirtualNetwork::keep(Control control) { return keepIn(controls_, freeControls_, std::move(control)); }

/// The next step of a message, or of a control message.
void VirtualNetwork::at(std::uint64_t token) {
  const std::size_t number = token / Stages;
  const auto stage = static_cast<Stage>(token % Stages);
  if (stage == Told) {
    Control control = std::move(controls_[number]);
    freeControls_.push_back(number);
    time_.tell(control.destination);
    return endpoints_[control.destination]->tell(std::move(control));
  }
  const Message message = messages_[number];
  switch (stage) {
  case Announced:
    endpoints_[message.destination]->announce(number);
    return time_.tell(message.destination);
  case Asked:
    return model_.carry(message.source, message.destination, static_cast<double>(message.bytes), *this,
                        number * Stages + Arrived);
  case Arrived:
    endpoints_[message.destination]->finish(message.received);
    time_.tell(message.destination);
    return after(model_.latency(message.destination, message.source), Known, number);
  default:
    endpoints_[message.source]->finish(message.sent);
    freeMessages_.push_back(number);
    return time_.tell(message.source);
  }
}

/// All ranks' bytes, when all have brought theirs. They are the same for all ranks, and stay until the rank meets
/// again: the next meeting is not complete without it.
const std::vector<std::vector<std::byte>> &VirtualNetwork::meet(int rank, const void *data, std::size_t bytes) {
  struct Meeting final : VirtualTurns::Node {
    explicit Meeting(const std::size_t &meetings) : meetings(meetings), before(meetings) {}
    void begin() override {}
    VirtualTurns::Progress progress() const override {
      return meetings == before ? VirtualTurns::Progress::None : VirtualTurns::Progress::Enough;
    }
    const std::size_t &meetings;
    const std::size_t before;
  } meeting(meetings_);
  const auto *const first = static_cast<const std::byte *>(data);
  brought_[rank].assign(first, first + bytes);
  if (++present_ == endpoints_.size()) {
    present_ = 0;
    ++meetings_;
    met_.swap(brought_);
    for (std::size_t other = 0; other < endpoints_.size(); ++other)
      time_.tell(static_cast<int>(other));
  } else {
    cluster_.wait(rank, meeting);
  }
  return met_;
}

} // namespace tla::runtime
