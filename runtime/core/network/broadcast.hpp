// A version that many ranks wait for goes to a few of them, which forward it: a tree of messages.
#pragma once

#include "runtime/transport/transport.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tla::runtime {

/// One destination of a version: the rank, and the number of the message among those from the origin to that rank.
struct Addressee {
  std::uint32_t rank, ordinal;
  bool operator==(const Addressee &) const = default;
};

/// An order to a rank to forward the content of a message that it has, or will have, to the ranks `behind` it; or the
/// answer of that rank to the origin that it does not. Takes as many control messages as the addressees need, which
/// arrive in their order.
struct Delegation {
  std::uint32_t origin, ordinal; ///< the message that brings the content
  std::uint32_t following;       ///< addressees that further control messages bring
  std::vector<Addressee> behind; ///< addressees in program order, not empty

  /// The most addressees that a control message has room for, beside a header.
  static constexpr std::size_t most = (Transport::controlBytes - 32) / sizeof(Addressee);
  static std::vector<std::string> texts(std::uint32_t origin, std::uint32_t ordinal,
                                        const std::vector<Addressee> &behind);
  static Delegation read(const std::string &text);
};

/// Tells a receiver which message the number in a forwarded message's tag stands for.
struct ForwardedMessage {
  std::uint32_t number; ///< MessageTag::number()
  std::uint32_t origin, ordinal;

  std::string text() const;
  static ForwardedMessage read(const std::string &text);
};

/// The tree: `inOrder` in `fanOut` parts. The first of each part gets the content from here, the others from it. All
/// parts are in program order again, so parents come before their children: what courier.hpp's argument rests on. Of
/// sends to ranks 1, 2, ..., 9, in this order, with a fanOut of 4: (1, 5, 9), (2, 6), (3, 7), (4, 8). So the origin
/// sends four messages; rank 1 is told to forward to 5 and 9, rank 2 to 6, and so on.
template <typename T> std::vector<std::vector<T>> branches(const std::vector<T> &inOrder, std::size_t fanOut) {
  std::vector<std::vector<T>> parts(std::min(inOrder.size(), fanOut));
  for (std::size_t i = 0; i < inOrder.size(); ++i)
    parts[i % parts.size()].push_back(inOrder[i]);
  return parts;
}

} // namespace tla::runtime
