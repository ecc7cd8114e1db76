// Who computes which part of the sums C(i, j) += f(i, j, l) on a node whose elements, the host and its accelerators,
// differ: boxes of the cube of all (i, j, l), by algorithm 2 of [Ballard11] (HGEMM), or rows, by algorithm 1 (HGEMV).
//
// [Ballard11]: G. Ballard, J. Demmel, A. Gearhart, "Communication Bounds for Heterogeneous Architectures", Technical
// Report UCB/EECS-2011-13, 2011.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tla {

/// A box of products (i, j, l), all of one part: row <= i < rowEnd, column <= j < columnEnd, step <= l < stepEnd.
struct TaskBox {
  int row, rowEnd, column, columnEnd, step, stepEnd;
  int part = 0;

  double volume() const {
    return static_cast<double>(rowEnd - row) * (columnEnd - column) * (static_cast<double>(stepEnd) - step);
  }
};

/// The parts of one nest of loops over rows x columns x steps, and an order of its (i, j, l): that of each part is the
/// Morton order of square recursive GEMM, so that what is near in time is near in all three matrices; the steps of a
/// tile in one part ascend. The parts' orders are merged as they advance, so that all end at one time.
class TaskOrder {
public:
  /// `boxes` cover the cube, each point once; those of a part are in Morton order. At most mostParts parts.
  TaskOrder(int rows, int columns, int steps, std::vector<std::vector<TaskBox>> boxesByPart);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int steps() const { return steps_; }
  int parts() const { return static_cast<int>(boxes_.size()); }
  const std::vector<TaskBox> &boxes(int part) const { return boxes_[part]; }
  /// The part that has step 0 of a tile, which is added up in the tile itself; the others' sums are joined to it.
  int home(int row, int column) const { return home_[row + static_cast<std::size_t>(column) * rows_]; }

  static constexpr int mostParts = 63;

private:
  int rows_, columns_, steps_;
  std::vector<std::vector<TaskBox>> boxes_;
  std::vector<std::uint8_t> home_;
};

/// Whether a product's result, of so many columns in tiles of so many rows, is a vector or a few, dealt by rows.
constexpr bool isDealtByRows(long columns, long tileRows) {
  constexpr long few = 8;
  return few * columns <= tileRows;
}

/// Elements that share one memory, as places of a node are numbered: the host first.
class TaskMap {
public:
  struct Element {
    double share;  ///< F, in relation to the others' (>= 0; not all 0)
    double memory; ///< M, its own memory, in elements of the matrices; infinite: unknown
  };
  /// Throws UsageError for no elements, more than TaskOrder::mostParts, or shares that make no sense.
  explicit TaskMap(std::vector<Element> elements);

  const std::vector<Element> &elements() const { return elements_; }
  /// F / G of an element.
  double share(int element) const { return elements_[element].share / sum_; }

  /// Algorithm 2: the cube is cut into eight again and again, and each element gets as many of the boxes of a size as
  /// the octal digit of F / G for that size says; of those that are left it takes the ones next to what it has. What is
  /// no power of two is halved as evenly as it can be.
  ///
  /// Digits go down to the k-th, the last with 3 (n / 2^k)^2 >= M, of the element that goes furthest, and on until a
  /// box is no more than a 32nd of any share: the paper lets the work be 9 F, and here elements shall end together.
  /// What is left then goes, box by box, to those that lack most, so that nothing is done twice or not at all.
  /// `tileElements`: of one tile. Throws UsageError for more than 2^31 - 1 tasks.
  std::shared_ptr<const TaskOrder> order(int rows, int columns, int steps, double tileElements) const;

  /// Algorithm 1 (HGEMV), for a product with a vector or a few of them: each element gets rows, r(i) - r(i - 1) in
  /// proportion to its share, and all steps of them. Throws as order().
  std::shared_ptr<const TaskOrder> rowOrder(int rows, int columns, int steps) const;

private:
  std::vector<Element> elements_;
  double sum_ = 0; ///< sum of all shares
};

/// Goes through an order. Used by one thread; forwards in constant time, backwards from the start.
class TaskCursor {
public:
  explicit TaskCursor(std::shared_ptr<const TaskOrder> order);

  const TaskOrder &order() const { return *order_; }
  const std::shared_ptr<const TaskOrder> &shared() const { return order_; }
  int count() const { return count_; }
  // Of the task at `position`, 0 <= position < count().
  int row(int position) { return at(position).row; }
  int column(int position) { return at(position).column; }
  int step(int position) { return at(position).step; }
  int part(int position) { return at(position).part; }
  /// Whether the task belongs to the tile's own part.
  bool isHome(int position) { return isHome(at(position)); }
  /// Whether it is the first task of a part of the tile that is not the tile's own.
  bool opens(int position) { return at(position).opens; }
  /// Whether it is the tile's last task.
  bool closes(int position) { return at(position).closes; }
  /// Whether the tile has, by then, a sum of this part, which is not its own.
  bool joins(int position, int part);

private:
  struct Task {
    int row = 0, column = 0, step = 0, part = 0;
    bool opens = false, closes = false;
  };
  /// The progress of a part: its boxes from `next` on, and the pieces of the box before that remain, the last first.
  struct Progress {
    std::size_t next = 0;
    std::vector<TaskBox> pieces;
    double done = 0, all = 0;
  };

  const Task &at(int position) {
    if (position != position_)
      seek(position);
    return task_;
  }
  bool isHome(const Task &task) const { return order_->home(task.row, task.column) == task.part; }
  void seek(int position);
  void restart();
  void advance();
  TaskBox takeFrom(int part);

  std::shared_ptr<const TaskOrder> order_;
  int count_ = 0, position_ = -1;
  Task task_;
  std::vector<Progress> progress_;
  std::vector<int> left_;           ///< tasks to come, for each tile
  std::vector<std::uint64_t> seen_; ///< bits of the parts that have begun, for each tile
};

} // namespace tla
