// What a generator is told, as text.
#pragma once

#include "runtime/core/protocol.hpp"

#include <string>
#include <vector>

namespace tla::test {

/// One line for each instance and release: "gemm A(2, 1) A(2, 0) A(1, 0)", "send A(1, 0) to 1", "release upper A(1,
/// 1)".
class RecordingSink final : public runtime::TaskSink {
public:
  explicit RecordingSink(const Distribution &distribution) : tables_(distribution) {}
  runtime::TileTable &table(Storage &storage, const char *name, bool workspace, bool regions) override {
    return tables_.table(storage, name, workspace, regions);
  }
  void keep(const StorageRef &storage) override { tables_.keep(storage); }
  void setParameters(const void *) override {}
  void append(const runtime::TaskCall &call) override {
    lines.push_back(call.taskClass.kernel);
    for (int i = 0; i < call.accessCount; ++i) {
      const runtime::TileAccess &access = call.accesses[i];
      lines.back() += " " + tile(*access.matrix, access.row, access.column, access.region);
    }
  }
  void release(runtime::TileTable &matrix, int row, int column, Region region) override {
    lines.push_back("release " + tile(matrix, row, column, region));
  }
  void send(runtime::TileTable &matrix, int row, int column, Region region, int destination) override {
    lines.push_back("send " + tile(matrix, row, column, region) + " to " + std::to_string(destination));
  }
  void receive(runtime::TileTable &matrix, int row, int column, Region region, int source) override {
    lines.push_back("receive " + tile(matrix, row, column, region) + " from " + std::to_string(source));
  }
  bool stopped() const override { return false; }

  std::vector<std::string> lines;

private:
  static std::string tile(const runtime::TileTable &matrix, int row, int column, Region region) {
    const char *const part = region == Region::Lower ? "lower " : region == Region::Upper ? "upper " : "";
    return part + matrix.tileName(row, column);
  }
  runtime::DryTables tables_;
};

} // namespace tla::test
