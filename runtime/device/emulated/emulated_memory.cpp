#include "runtime/device/emulated/emulated_memory.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace tla::runtime {

static char *mapPages(int file, std::size_t bytes, int protection) {
  void *const address = mmap(nullptr, bytes, protection, MAP_SHARED | MAP_NORESERVE, file, 0);
  return address == MAP_FAILED ? nullptr : static_cast<char *>(address);
}

EmulatedMemory::EmulatedMemory(std::size_t limit) : limit_(limit), range_(addressesPerByte * rounded(limit)) {
  const int file = memfd_create("hetc-accelerator", MFD_CLOEXEC);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(range_)) == 0) {
    outer_ = mapPages(file, range_, PROT_NONE);
    inner_ = mapPages(file, range_, PROT_READ | PROT_WRITE);
  }
  const int reason = errno;
  if (file >= 0)
    close(file); // the mappings keep it
  if (!outer_ || !inner_) {
    if (outer_)
      munmap(outer_, range_);
    throw Error("no addresses for an emulated accelerator with " + std::to_string(limit) +
                " bytes of memory: " + std::strerror(reason));
  }
  free_.emplace(0, range_);
}

EmulatedMemory::~EmulatedMemory() {
  munmap(outer_, range_);
  munmap(inner_, range_);
}

/// The first piece that is large enough: keeps what is in use together, so that few pages are ever touched.
void *EmulatedMemory::allocate(std::size_t bytes) {
  const std::size_t size = rounded(bytes);
  const std::lock_guard guard(mutex_);
  if (size > limit_ - used_)
    return nullptr;
  const auto piece = std::find_if(free_.begin(), free_.end(), [&](const auto &one) { return one.second >= size; });
  if (piece == free_.end())
    return nullptr;
  const auto [offset, room] = *piece;
  free_.erase(piece);
  if (room > size)
    free_.emplace(offset + size, room - size);
  used_ += size;
  return outer_ + offset;
}

void EmulatedMemory::release(void *memory, std::size_t bytes) {
  std::size_t offset = static_cast<char *>(memory) - outer_, size = rounded(bytes);
  const std::lock_guard guard(mutex_);
  used_ -= size;
  auto after = free_.lower_bound(offset);
  if (after != free_.end() && after->first == offset + size) {
    size += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin())
    if (const auto before = std::prev(after); before->first + before->second == offset) {
      before->second += size;
      return;
    }
  free_.emplace(offset, size);
}

} // namespace tla::runtime
