#include "dsl/base/hash.hpp"

#include "dsl/base/text.hpp"

#include <cstdint>

namespace tla {

std::string hashOf(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes)
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return format("%016llx", static_cast<unsigned long long>(hash));
}

} // namespace tla
