// What generated code asks of a matrix whose updates are dealt to the elements of a node. Only generated code includes
// this header.
#pragma once

#include <tla/runtime/task.hpp>
#include <tla/runtime/task_map.hpp>

#include <memory>

namespace tla::runtime {

/// Deals the updates by the task map; null: all to one element.
std::unique_ptr<TaskCursor> dealUpdates(const Storage &storage, const TaskMap *map, int rows, int columns, int steps);
/// Tasks on these tiles run at the place of the order's part: of the tile itself, and of the layer.
void placeUpdates(TileTable &tiles, TileTable &layers, const TaskCursor &cursor);

/// A handle on the matrix that deals, for the time before it is asked for anything else. The members are those of
/// TaskCursor. A tile that the matrix does not have has no parts: what the program does there, it does to the matrix
/// itself.
template <typename Handle> class Dealt : public Handle {
public:
  /// The map is the call's; null: there is none.
  Dealt(Storage &storage, const TaskMap *map) : Handle(storage), map_(map) {}

  /// Returns the number of parts.
  int deal(int rows, int columns, int steps) const {
    cursor_ = dealUpdates(this->storage(), map_, rows, columns, steps);
    return dealtParts();
  }
  void place(TileTable &tiles, TileTable &layers) const {
    if (map_)
      placeUpdates(tiles, layers, *cursor_);
  }

  int dealtParts() const { return cursor_->order().parts(); }
  int dealtCount() const { return cursor_->count(); }
  int dealtRow(int task) const { return cursor_->row(task); }
  int dealtColumn(int task) const { return cursor_->column(task); }
  int dealtStep(int task) const { return cursor_->step(task); }
  int dealtPart(int task) const { return cursor_->part(task); }
  bool dealtHome(int task) const { return cursor_->isHome(task) || !hasTile(task); }
  bool dealtOpens(int task) const { return cursor_->opens(task) && hasTile(task); }
  bool dealtCloses(int task) const { return cursor_->closes(task); }
  bool dealtJoins(int task, int part) const { return cursor_->joins(task, part) && hasTile(task); }

private:
  bool hasTile(int task) const { return this->storage().has(cursor_->row(task), cursor_->column(task)); }

  const TaskMap *map_;
  mutable std::unique_ptr<TaskCursor> cursor_;
};

} // namespace tla::runtime
