// What the tag of a data message between couriers says.
#pragma once

#include "runtime/transport/transport.hpp"

#include <cstdint>

namespace tla::runtime {

/// The messages from one rank to another are numbered in program order, which both know. A third rank that forwards one
/// numbers it among all that it forwards, and says which one that is in a control message (ForwardedMessage): so a tag
/// need not have room for the rank that the content comes from, and trees are for any number of ranks.
struct MessageTag {
  static constexpr std::uint32_t ordinalBits = 18, labelBits = 9;
  /// Far fewer messages of one pair are on the way at a time (the window is bounded, see Executor).
  static constexpr std::uint32_t ordinals = 1u << ordinalBits;
  static constexpr std::uint32_t labels = 1u << labelBits;
  static constexpr std::uint32_t numbers = ordinals * labels;

  bool odd;              ///< the run's number is; Flights says so
  bool forwarded;        ///< comes from another rank than its origin
  bool delegates;        ///< the receiver is to forward the content, see Delegation
  std::uint32_t label;   ///< a hash of the tile
  std::uint32_t ordinal; ///< number among the messages of the origin to this destination

  /// The tag of a forwarded message, whose label and ordinal are one number, among the messages that its sender has
  /// forwarded.
  static MessageTag ofForwarded(std::uint32_t number, bool delegates) {
    return {false, true, delegates, number >> ordinalBits & (labels - 1), number % ordinals};
  }
  std::uint32_t number() const { return label << ordinalBits | ordinal; }

  std::uint32_t encode() const {
    const std::uint32_t flags = (odd ? 4u : 0) | (forwarded ? 2u : 0) | (delegates ? 1u : 0);
    return (flags << labelBits | label) << ordinalBits | ordinal;
  }
  static MessageTag decode(std::uint32_t tag) {
    const std::uint32_t flags = tag >> (labelBits + ordinalBits);
    return {(flags & 4) != 0, (flags & 2) != 0, (flags & 1) != 0, (tag >> ordinalBits) % labels, tag % ordinals};
  }
  bool operator==(const MessageTag &) const = default;
};
static_assert(1u << (MessageTag::ordinalBits + MessageTag::labelBits + 3) == Transport::tags);

} // namespace tla::runtime
