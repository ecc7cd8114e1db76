// What a generator is told, as text.
#pragma once

#include "runtime/core/window/dry_pass.hpp"

#include <string>
#include <vector>

namespace tla::test {

/// One line for each instance and release: "gemm A(2, 1) A(2, 0) A(1, 0)", "send A(1, 0) to 1", "release upper A(1,
/// 1)".
class RecordingSink final : public runtime::DryPass {
public:
  explicit RecordingSink(const Distribution &distribution) : DryPass(&distribution) {}
  void append(const runtime::TaskCall &call) override {
    lines.push_back(call.taskClass.kernel);
    for (int i = 0; i < call.accessCount; ++i) {
      const runtime::TileAccess &access = call.accesses[i];
      lines.back() += " " + text(access.tile());
    }
  }
  void release(const runtime::TileRef &tile) override { lines.push_back("release " + text(tile)); }
  void send(const runtime::TileRef &tile, int destination, int) override {
    lines.push_back("send " + text(tile) + " to " + std::to_string(destination));
  }
  void receive(const runtime::TileRef &tile, int source, int) override {
    lines.push_back("receive " + text(tile) + " from " + std::to_string(source));
  }

  std::vector<std::string> lines;

private:
  static std::string text(const runtime::TileRef &tile) {
    const char *const part = tile.region == Region::Lower ? "lower " : tile.region == Region::Upper ? "upper " : "";
    return part + tile.matrix->tileName(tile.row, tile.column);
  }
};

} // namespace tla::test
