#include "runtime/core/broadcast.hpp"

#include <cassert>
#include <cstring>

namespace tla::runtime {

std::string Delegation::text() const {
  assert(!behind.empty() && behind.size() <= most);
  const std::uint32_t head[] = {origin, ordinal};
  std::string text(reinterpret_cast<const char *>(head), sizeof head);
  text.append(reinterpret_cast<const char *>(behind.data()), behind.size() * sizeof(Addressee));
  return text;
}

Delegation Delegation::read(const std::string &text) {
  std::uint32_t head[2];
  std::memcpy(head, text.data(), sizeof head);
  Delegation delegation{head[0], head[1], std::vector<Addressee>((text.size() - sizeof head) / sizeof(Addressee))};
  std::memcpy(delegation.behind.data(), text.data() + sizeof head, delegation.behind.size() * sizeof(Addressee));
  return delegation;
}

} // namespace tla::runtime
