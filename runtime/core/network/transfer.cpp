#include "runtime/core/network/transfer.hpp"

#include "runtime/core/window/packing.hpp"

namespace tla::runtime {

static int neverRun(const TaskView &) { return 0; }

const TaskClass sendClass{"send", "", neverRun, nullptr};
const TaskClass receiveClass{"receive", "", neverRun, nullptr};

std::size_t bytesOf(const Task &transfer) {
  const Version &version = versionOf(transfer);
  return packedBytes({version.table, version.row, version.column, regionOf(transfer)});
}

/// FNV-1a of what names the tile.
static std::uint32_t hashOf(const Task &transfer) {
  const Version &version = versionOf(transfer);
  std::uint32_t hash = 2166136261u;
  for (const int value : {version.table->number(), version.row, version.column, static_cast<int>(regionOf(transfer))})
    hash = (hash ^ static_cast<std::uint32_t>(value)) * 16777619u;
  return hash ^ hash >> MessageTag::labelBits ^ hash >> 2 * MessageTag::labelBits;
}

MessageTag tagOf(const Task &transfer, bool delegates) {
  return {false, false, delegates, hashOf(transfer) % MessageTag::labels, ordinalOf(transfer)};
}

std::string messageText(const Announcement &message, MessageId id) {
  const bool forwarded = MessageTag::decode(message.tag).forwarded;
  return rankText(message.source) + (forwarded ? " forwarded " : " sent ") + std::to_string(message.bytes) +
         " bytes as " + ordinalText(ordinalOf(id)) + (forwarded ? " of " + rankText(rankOf(id)) : "");
}

std::string outOfMemoryText(std::size_t bytes, const char *purpose, const Version &version) {
  return "out of memory: " + std::to_string(bytes) + " bytes " + purpose + " " + tileText(version);
}

} // namespace tla::runtime
