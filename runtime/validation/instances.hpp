// What one node does, as a list that can be compared.
#pragma once

#include <tla/runtime/generator.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tla::runtime {

/// The instances of one node in program order: its tasks, its ends of messages, releases of its own tiles.
class Instances {
public:
  enum Kind : long { Task, Send, Receive, Release };

  void task(const TaskCall &call);
  void transfer(Kind kind, const TileRef &tile, int peer = -1);

  std::size_t size() const { return begins_.size(); }
  /// The numbers that describe one: its kind, then all that makes it what it is.
  std::span<const long> operator[](std::size_t index) const;
  Kind kind(std::size_t index) const { return static_cast<Kind>((*this)[index][0]); }
  /// "gemm (f.tla:12) on A(1, 2)", "send A(0, 1) to 3"
  std::string text(std::size_t index) const;
  /// The messages to (Send) or from (Receive) a node, in order, as indices.
  std::vector<std::size_t> messages(Kind kind, int peer) const;
  /// Whether these two are the ends of one message.
  static bool sameTile(std::span<const long> a, std::span<const long> b);

private:
  void begin(Kind kind);
  std::string tileText(std::span<const long> tile) const;

  std::vector<long> numbers_;
  std::vector<std::size_t> begins_;
  std::vector<const char *> names_; ///< names of matrices, by number
};

/// The first place where they are not the same, as indices; their sizes where they are. Between two tasks the order of
/// instances that name different tiles is free: which messages stand there is a matter of the task that follows, on
/// this node or another one, and what one task needs may come in any order.
struct FirstDifference {
  std::size_t left, right;
};
FirstDifference compare(const Instances &left, const Instances &right);

} // namespace tla::runtime
