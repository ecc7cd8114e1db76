#include "runtime/core/window/new_task.hpp"

#include <utility>

namespace tla::runtime {

void NewTask::fail(std::string message, bool outside) const {
  Failure failure{
      Outcome::Kind::Fault, 0, std::move(message), taskClass, static_cast<std::uint32_t>(sequence), nullptr, 0, 0};
  failure.outside = outside;
  if (const TileAccess *main = mainOutput()) {
    failure.table = main->matrix;
    failure.row = main->row;
    failure.column = main->column;
  }
  state_.fail(std::move(failure));
}

/// "", " on emulated:0"
std::string NewTask::placeText(const TileTable &table) const {
  return table.place() == hostPlace ? "" : " on " + buffers_.accelerator(table.place()).name();
}

bool NewTask::failAccess(const TileAccess &access, const char *what, bool outside) const {
  const TileTable &table = *access.matrix;
  fail(std::string(what) + " tile " + table.tileName(access.row, access.column) + placeText(table), outside);
  return false;
}

bool NewTask::failContent(const TileAccess &access, int half) const {
  const TileTable &table = *access.matrix;
  const char *const part = !table.regions() ? "" : half == 0 ? ".lower()" : ".upper()";
  const char *const rule =
      access.access == Access::ReadWrite ? " (what is changed, or written in part, is read, too)" : "";
  fail("read without content: tile " + table.tileName(access.row, access.column) + part + placeText(table) +
           ", which no earlier task wrote" + rule,
       /*outside=*/true);
  return false;
}

} // namespace tla::runtime
