// Hashes of texts and files, by which caches know them again.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace hetc::support {

/// 128 bits as hexadecimal digits.
std::string hashOf(llvm::StringRef content);
/// The hash of a file's content (hashOf); nullopt unless it is a regular file that can be read.
std::optional<std::string> hashOfFile(const std::string &path);

} // namespace hetc::support
