// A transfer between two nodes as a task in the window.
#pragma once

#include "runtime/core/network/message_tag.hpp"
#include "runtime/core/window/task.hpp"
#include "runtime/core/window/tile_table.hpp"

#include <tla/types.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace tla::runtime {

/// A transfer is a task like any other: a send reads a version, a receive writes one; both stand in the window at the
/// place in program order where the receiving node first needs the content. `Task::indices` hold what follows.
struct TransferIndices {
  enum : int { Peer, Ordinal, RegionIndex, Count };
};
extern const TaskClass sendClass, receiveClass;

inline bool isReceive(const Task &task) { return task.taskClass == &receiveClass; }
inline int peerOf(const Task &task) { return task.indices[TransferIndices::Peer]; }
inline std::uint32_t ordinalOf(const Task &task) {
  return static_cast<std::uint32_t>(task.indices[TransferIndices::Ordinal]) % MessageTag::ordinals;
}
inline Region regionOf(const Task &task) { return static_cast<Region>(task.indices[TransferIndices::RegionIndex]); }
inline Version &versionOf(const Task &task) { return *task.node(0).version(); }
/// The bytes that a transfer moves, packed.
std::size_t bytesOf(const Task &transfer);
/// The tag of its message. `delegates`: the receiver is to forward the content.
MessageTag tagOf(const Task &transfer, bool delegates);

/// A rank and the ordinal of a message: on the receiving side the rank is the origin, on the origin's the destination.
using MessageId = std::uint64_t;
inline MessageId messageId(std::uint32_t rank, std::uint32_t ordinal) {
  return static_cast<std::uint64_t>(rank) << 32 | ordinal;
}
inline MessageId messageId(const Task &task) {
  return messageId(static_cast<std::uint32_t>(peerOf(task)), ordinalOf(task));
}
inline std::uint32_t rankOf(MessageId id) { return static_cast<std::uint32_t>(id >> 32); }
inline std::uint32_t ordinalOf(MessageId id) { return static_cast<std::uint32_t>(id); }

/// "tile A(1, 0)"
inline std::string tileText(const Version &version) {
  return "tile " + version.table->tileName(version.row, version.column);
}
/// "rank 2 sent 32 bytes as message 0", "rank 3 forwarded 32 bytes as message 0 of rank 2"
std::string messageText(const Announcement &message, MessageId id);
/// "out of memory: 32 bytes to pack tile A(1, 0)"
std::string outOfMemoryText(std::size_t bytes, const char *purpose, const Version &version);
inline std::string rankText(std::int64_t rank) { return "rank " + std::to_string(rank); }
inline std::string ordinalText(std::uint32_t ordinal) { return "message " + std::to_string(ordinal); }

} // namespace tla::runtime
