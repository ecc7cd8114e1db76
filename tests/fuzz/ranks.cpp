#include "tests/fuzz/ranks.hpp"

namespace fuzz {

namespace rt = tla::runtime;

namespace {

class QuietNetwork final : public Network {
public:
  explicit QuietNetwork(const Case &one)
      : network_(one.ranks,
                 {.delay = std::chrono::microseconds(one.delayMicroseconds), .seed = static_cast<unsigned>(one.seed)}) {
  }
  rt::Transport &endpoint(int rank) override { return network_.endpoint(rank); }

private:
  rt::LocalNetwork network_;
};

} // namespace

std::unique_ptr<Network> makeNetwork(const Case &one) { return std::make_unique<QuietNetwork>(one); }

Node::Node(const Case &one, rt::Transport *transport) {
  rt::Options options;
  options.threads = one.threads;
  options.window = one.window;
  options.renameBytes = one.renameBytes;
  options.pin = false;
  options.transport = transport;
  options.watchdogSeconds = 15; // far longer than any case takes
  options.fanOut = one.fanOut;
  options.forwardBytes = one.forwardBytes;
  counted_.window = one.window;
  std::string error;
  accelerators_ = rt::openDevices(rt::parseDevices(one.devices, error).value());
  for (const auto &accelerator : accelerators_) {
    const rt::AcceleratorProperties &properties = accelerator->properties();
    options.accelerators.push_back(accelerator.get());
    counted_.devices.push_back({properties.name, properties.memoryBytes, properties.granularity});
  }
  executor_ = std::make_unique<rt::Executor>(options);
}

} // namespace fuzz
