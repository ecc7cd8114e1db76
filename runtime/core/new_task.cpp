#include "runtime/core/new_task.hpp"

#include "runtime/core/accelerator_lanes.hpp"

#include <utility>

namespace tla::runtime {

void NewTask::fail(Engine &engine, std::string message, bool outside) const {
  Failure failure{
      Outcome::Kind::Fault, 0, std::move(message), taskClass, static_cast<std::uint32_t>(sequence), nullptr, 0, 0};
  failure.outside = outside;
  if (const TileAccess *main = mainOutput()) {
    failure.table = main->matrix;
    failure.row = main->row;
    failure.column = main->column;
  }
  engine.state.fail(std::move(failure));
}

bool NewTask::failAccess(Engine &engine, const TileAccess &access, const char *what, bool outside) const {
  const int place = access.matrix->place();
  const std::string where = place ? " on " + engine.accelerator(place).name() : "";
  fail(engine, std::string(what) + " tile " + access.matrix->tileName(access.row, access.column) + where, outside);
  return false;
}

bool NewTask::failContent(Engine &engine, const TileAccess &access, int half) const {
  const TileTable &table = *access.matrix;
  const std::string where = table.place() ? " on " + engine.accelerator(table.place()).name() : "";
  const char *const part = !table.regions() ? "" : half == 0 ? ".lower()" : ".upper()";
  const char *const rule =
      access.access == Access::ReadWrite ? " (what is changed, or written in part, is read, too)" : "";
  fail(engine,
       "read without content: tile " + table.tileName(access.row, access.column) + part + where +
           ", which no earlier task wrote" + rule,
       /*outside=*/true);
  return false;
}

} // namespace tla::runtime
