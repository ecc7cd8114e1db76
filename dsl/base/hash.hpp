// Short hashes of bytes.
#pragma once

#include <string>
#include <string_view>

namespace tla {

/// FNV-1a of 64 bits, in hexadecimal: against accidents, not against attacks.
std::string hashOf(std::string_view bytes);

} // namespace tla
