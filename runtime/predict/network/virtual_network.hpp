// Ranks of a cluster in virtual time: messages that take as long as a model says, and carry no data.
#pragma once

#include "runtime/predict/clock/virtual_cluster.hpp"
#include "runtime/predict/network/network_model.hpp"
#include "runtime/transport/transport.hpp"

#include <deque>
#include <memory>
#include <vector>

namespace tla::runtime {

/// The way of a data message is that of MPI's long ones: it is announced after the latency; when the receiver asks for
/// it, which takes the latency again, its bytes go; the sender knows a latency after they are there. Control messages
/// and announcements take no room in the network. What `data` and `buffer` of messages point to is not looked at.
class VirtualNetwork final : private VirtualTime::Listener {
public:
  VirtualNetwork(VirtualTime &time, VirtualCluster &cluster, NetworkModel &model, int nodes);
  ~VirtualNetwork();
  VirtualNetwork(const VirtualNetwork &) = delete;
  VirtualNetwork &operator=(const VirtualNetwork &) = delete;

  Transport &endpoint(int rank);

private:
  class Endpoint;
  struct Message {
    int source, destination;
    std::uint32_t tag;
    std::size_t bytes;
    void *sent, *received; ///< the tokens
  };
  struct Control {
    int source, destination;
    std::vector<std::byte> data;
  };
  enum Stage : std::uint64_t { Announced, Asked, Arrived, Known, Told, Stages };

  std::size_t keep(Message message);
  std::size_t keep(Control control);
  void after(double seconds, Stage stage, std::size_t number) { time_.in(seconds, *this, number * Stages + stage); }
  void at(std::uint64_t token) override;
  const std::vector<std::vector<std::byte>> &meet(int rank, const void *data, std::size_t bytes);

  VirtualTime &time_;
  VirtualCluster &cluster_;
  NetworkModel &model_;
  std::vector<std::unique_ptr<Endpoint>> endpoints_;
  std::vector<Message> messages_; ///< messages on their way, and free places
  std::vector<Control> controls_;
  std::vector<std::size_t> freeMessages_, freeControls_;

  // Collectives: what ranks have brought to the present one, and what all brought to the last one.
  std::vector<std::vector<std::byte>> brought_, met_;
  std::size_t present_ = 0, meetings_ = 0;
};

} // namespace tla::runtime
