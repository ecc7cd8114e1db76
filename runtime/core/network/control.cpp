#include "runtime/core/network/control.hpp"

#include <cstring>

namespace tla::runtime {

static bool isOfWatchdog(Control kind) { return kind >= Control::Ask; }

void ControlMessages::tell(int rank, Control kind, const std::string &text) {
  std::vector<std::byte> data(sizeof(Header) + text.size());
  const Header header{run_, kind};
  std::memcpy(data.data(), &header, sizeof(header));
  std::memcpy(data.data() + sizeof(header), text.data(), text.size());
  if (rank == transport_.rank())
    take(rank, data);
  else
    transport_.sendControl(rank, data.data(), data.size());
}

void ControlMessages::tellOthers(Control kind, const std::string &text) {
  for (int rank = 0; rank < transport_.size(); ++rank)
    if (rank != transport_.rank())
      tell(rank, kind, text);
}

bool ControlMessages::takeArrived() {
  for (const auto &[source, data] : std::exchange(ofNextRun_, {})) // in front of what comes in behind them
    take(source, data);
  int source = 0;
  std::vector<std::byte> data;
  bool any = false;
  while (transport_.receiveControl(source, data))
    any |= take(source, data);
  return any;
}

bool ControlMessages::take(int source, const std::vector<std::byte> &data) {
  Header header;
  std::memcpy(&header, data.data(), sizeof(header));
  if (static_cast<std::int32_t>(header.run - run_) < 0)
    return false;
  if (header.run != run_)
    ofNextRun_.emplace_back(source, data);
  else
    obey_(source, header.kind,
          {reinterpret_cast<const char *>(data.data()) + sizeof(header), data.size() - sizeof(header)});
  return !isOfWatchdog(header.kind);
}

} // namespace tla::runtime
