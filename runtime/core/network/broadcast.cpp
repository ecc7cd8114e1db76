#include "runtime/core/network/broadcast.hpp"

#include <cstring>

namespace tla::runtime {

std::vector<std::string> Delegation::texts(std::uint32_t origin, std::uint32_t ordinal,
                                           const std::vector<Addressee> &behind) {
  std::vector<std::string> texts;
  for (std::size_t begin = 0; begin < behind.size(); begin += most) {
    const std::size_t count = std::min(most, behind.size() - begin);
    const std::uint32_t head[] = {origin, ordinal, static_cast<std::uint32_t>(behind.size() - begin - count)};
    std::string &text = texts.emplace_back(reinterpret_cast<const char *>(head), sizeof head);
    text.append(reinterpret_cast<const char *>(&behind[begin]), count * sizeof(Addressee));
  }
  return texts;
}

Delegation Delegation::read(const std::string &text) {
  std::uint32_t head[3];
  std::memcpy(head, text.data(), sizeof head);
  Delegation delegation{head[0], head[1], head[2],
                        std::vector<Addressee>((text.size() - sizeof head) / sizeof(Addressee))};
  std::memcpy(delegation.behind.data(), text.data() + sizeof head, delegation.behind.size() * sizeof(Addressee));
  return delegation;
}

std::string ForwardedMessage::text() const { return {reinterpret_cast<const char *>(this), sizeof *this}; }

ForwardedMessage ForwardedMessage::read(const std::string &text) {
  ForwardedMessage message;
  std::memcpy(&message, text.data(), sizeof message);
  return message;
}

} // namespace tla::runtime
