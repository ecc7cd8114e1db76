#include "compiler/support/hash.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/xxhash.h>

namespace hetc::support {

namespace fs = llvm::sys::fs;

std::string hashOf(llvm::StringRef content) {
  const llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(content));
  return llvm::utohexstr(hash.high64, true, 16) + llvm::utohexstr(hash.low64, true, 16);
}

std::optional<std::string> hashOfFile(const std::string &path) {
  if (!fs::is_regular_file(path)) // reading from a FIFO would wait
    return std::nullopt;
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  return buffer ? std::optional(hashOf((*buffer)->getBuffer())) : std::nullopt;
}

} // namespace hetc::support
