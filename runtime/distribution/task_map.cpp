#include <tla/runtime/task_map.hpp>

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>

namespace tla {
namespace {

constexpr double slack = 1e-9;      // of a box, that a share may lack by rounding
constexpr double partsOfShare = 32; // at least so many boxes of the last size are in a share

/// A box on the way to its part, with the numbers of its eighths from the whole cube on: their order is Morton's.
struct Candidate {
  TaskBox box;
  std::vector<std::uint8_t> path;
};

int middle(int first, int end) { return first + (end - first + 1) / 2; }
bool isSingle(const TaskBox &box) {
  return box.rowEnd - box.row <= 1 && box.columnEnd - box.column <= 1 && box.stepEnd - box.step <= 1;
}

/// Calls visit(eighth, number) for those that are not empty: rows first, then columns, steps innermost.
template <typename Visit> void forEachEighth(const TaskBox &box, Visit &&visit) {
  const int row = middle(box.row, box.rowEnd), column = middle(box.column, box.columnEnd),
            step = middle(box.step, box.stepEnd);
  for (int number = 0; number < 8; ++number) {
    const bool lower = number & 4, right = number & 2, later = number & 1;
    const TaskBox eighth{lower ? row : box.row,
                         lower ? box.rowEnd : row,
                         right ? column : box.column,
                         right ? box.columnEnd : column,
                         later ? step : box.step,
                         later ? box.stepEnd : step,
                         box.part};
    if (eighth.volume() > 0)
      visit(eighth, static_cast<std::uint8_t>(number));
  }
}

double common(int first, int end, int otherFirst, int otherEnd) {
  return std::max(0, std::min(end, otherEnd) - std::max(first, otherFirst));
}

/// Tiles of the three matrices that both boxes need.
double shared(const TaskBox &one, const TaskBox &other) {
  const double rows = common(one.row, one.rowEnd, other.row, other.rowEnd),
               columns = common(one.column, one.columnEnd, other.column, other.columnEnd),
               steps = common(one.step, one.stepEnd, other.step, other.stepEnd);
  return rows * columns + rows * steps + columns * steps;
}

class Dealer {
public:
  Dealer(const TaskMap &map, const TaskBox &cube, double tileElements)
      : parts_(map.elements().size()), boxes_(parts_), open_{{cube, {}}} {
    for (std::size_t part = 0; part < parts_; ++part) {
      quota_.push_back(map.share(static_cast<int>(part)) * cube.volume());
      lastLevel_ = std::max(lastLevel_, lastLevel(cube, quota_[part], map.elements()[part].memory / tileElements));
    }
  }

  std::vector<std::vector<TaskBox>> deal() {
    for (int level = 0; !open_.empty(); ++level) {
      for (std::size_t part = 0; part < parts_; ++part)
        takeDigit(static_cast<int>(part));
      if (level >= lastLevel_ || std::ranges::all_of(open_, [](const Candidate &c) { return isSingle(c.box); }))
        giveRest();
      subdivide();
    }
    std::vector<std::vector<TaskBox>> result(parts_);
    for (std::size_t part = 0; part < parts_; ++part) {
      std::sort(boxes_[part].begin(), boxes_[part].end(),
                [](const Candidate &one, const Candidate &other) { return one.path < other.path; });
      for (const Candidate &candidate : boxes_[part])
        result[part].push_back(candidate.box);
    }
    return result;
  }

private:
  /// The last size of boxes: k, line 4 of the algorithm, with the sides of the cube for n; of tiles. But a box is not
  /// more than a 32nd of the share, so that rounding does not decide when the element ends: where (14) hardly holds, or
  /// not, k is 0 or 1. 0 for an element that gets nothing.
  static int lastLevel(const TaskBox &cube, double quota, double memoryTiles) {
    if (quota <= 0)
      return 0;
    const double faces = shared(cube, cube);
    int level = std::isfinite(memoryTiles) && faces >= memoryTiles
                    ? static_cast<int>(std::floor(std::log2(faces / memoryTiles) / 2))
                    : 0;
    while (boxVolume(cube, level) > std::max(1.0, quota / partsOfShare))
      ++level;
    return level;
  }

  /// The approximate volume of a box after so many halvings.
  static double boxVolume(const TaskBox &cube, int level) {
    const auto side = [&](int first, int end) { return std::max(1.0, std::ldexp(end - first, -level)); };
    return side(cube.row, cube.rowEnd) * side(cube.column, cube.columnEnd) * side(cube.step, cube.stepEnd);
  }

  /// Line 10: boxes for which the share has room.
  void takeDigit(int part) {
    for (;;) {
      const std::size_t next =
          nearest(part, [&](const TaskBox &box) { return quota_[part] >= (1 - slack) * box.volume(); });
      if (next == open_.size())
        return;
      give(next, part);
    }
  }

  /// Each box to the part that lacks most.
  void giveRest() {
    while (!open_.empty()) {
      const int part = static_cast<int>(std::ranges::max_element(quota_) - quota_.begin());
      give(nearest(part, [](const TaskBox &) { return true; }), part);
    }
  }

  /// The open box that has most in common with those of the part, the first of equal ones; none: open_.size().
  template <typename May> std::size_t nearest(int part, May may) const {
    std::size_t best = open_.size();
    double most = -1;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (!may(open_[i].box))
        continue;
      double affinity = 0;
      for (const Candidate &mine : boxes_[part])
        affinity += shared(open_[i].box, mine.box);
      if (affinity > most) {
        most = affinity;
        best = i;
      }
    }
    return best;
  }

  void give(std::size_t candidate, int part) {
    quota_[part] -= open_[candidate].box.volume();
    open_[candidate].box.part = part;
    boxes_[part].push_back(std::move(open_[candidate]));
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(candidate));
  }

  /// Line 9.
  void subdivide() {
    std::vector<Candidate> smaller;
    for (const Candidate &candidate : open_)
      forEachEighth(candidate.box, [&](const TaskBox &eighth, std::uint8_t number) {
        smaller.push_back({eighth, candidate.path});
        smaller.back().path.push_back(number);
      });
    open_ = std::move(smaller);
  }

  std::size_t parts_;
  std::vector<double> quota_; // tasks that the part still lacks
  int lastLevel_ = 0;
  std::vector<std::vector<Candidate>> boxes_; // by part
  std::vector<Candidate> open_;               // nobody's, in Morton order
};

} // namespace

TaskOrder::TaskOrder(int rows, int columns, int steps, std::vector<std::vector<TaskBox>> boxesByPart)
    : rows_(rows), columns_(columns), steps_(steps), boxes_(std::move(boxesByPart)),
      home_(static_cast<std::size_t>(rows) * columns) {
  for (const std::vector<TaskBox> &boxes : boxes_)
    for (const TaskBox &box : boxes)
      for (int column = box.column; box.step == 0 && column < box.columnEnd; ++column)
        for (int row = box.row; row < box.rowEnd; ++row)
          home_[row + static_cast<std::size_t>(column) * rows_] = static_cast<std::uint8_t>(box.part);
}

TaskMap::TaskMap(std::vector<Element> elements) : elements_(std::move(elements)) {
  if (elements_.empty() || elements_.size() > TaskOrder::mostParts)
    throw UsageError("updates are dealt to 1 to " + std::to_string(TaskOrder::mostParts) + " elements of a node, not " +
                     std::to_string(elements_.size()));
  for (const Element &element : elements_) {
    if (!(element.share >= 0) || !std::isfinite(element.share) || !(element.memory > 0))
      throw UsageError("an element's share of the updates is not negative, and its memory positive");
    sum_ += element.share;
  }
  if (!(sum_ > 0) || !std::isfinite(sum_))
    throw UsageError("no element of the node has a share of the updates");
}

/// Throws UsageError where its tasks have no numbers.
static TaskBox cubeOf(int rows, int columns, int steps) {
  const TaskBox cube{0, std::max(0, rows), 0, std::max(0, columns), 0, std::max(0, steps)};
  if (cube.volume() > INT_MAX)
    throw UsageError(std::to_string(rows) + " x " + std::to_string(columns) + " x " + std::to_string(steps) +
                     " updates are more than a task map deals; take larger tiles");
  return cube;
}

std::shared_ptr<const TaskOrder> TaskMap::rowOrder(int rows, int columns, int steps) const {
  TaskBox box = cubeOf(rows, columns, steps);
  const int count = box.rowEnd;
  std::vector<std::vector<TaskBox>> boxes(elements_.size());
  double sum = 0;
  for (box.rowEnd = 0; box.part < static_cast<int>(elements_.size()); ++box.part) {
    sum += share(box.part);
    box.row = box.rowEnd;
    box.rowEnd = static_cast<int>(std::lround(sum * count));
    if (box.volume() > 0)
      boxes[box.part].push_back(box);
  }
  return std::make_shared<TaskOrder>(count, box.columnEnd, box.stepEnd, std::move(boxes));
}

std::shared_ptr<const TaskOrder> TaskMap::order(int rows, int columns, int steps, double tileElements) const {
  const TaskBox cube = cubeOf(rows, columns, steps);
  std::vector<std::vector<TaskBox>> boxes(elements_.size());
  if (cube.volume() > 0)
    boxes = Dealer(*this, cube, tileElements).deal();
  return std::make_shared<TaskOrder>(cube.rowEnd, cube.columnEnd, cube.stepEnd, std::move(boxes));
}

TaskCursor::TaskCursor(std::shared_ptr<const TaskOrder> order) : order_(std::move(order)) {
  count_ = static_cast<int>(static_cast<long>(order_->rows()) * order_->columns() * order_->steps());
}

void TaskCursor::restart() {
  const std::size_t tiles = static_cast<std::size_t>(order_->rows()) * order_->columns();
  position_ = -1;
  left_.assign(tiles, order_->steps());
  seen_.assign(tiles, 0);
  progress_.assign(order_->parts(), {});
  for (int part = 0; part < order_->parts(); ++part)
    for (const TaskBox &box : order_->boxes(part))
      progress_[part].all += box.volume();
}

void TaskCursor::seek(int position) {
  if (position < position_ || position_ < 0)
    restart();
  while (position_ < position)
    advance();
}

/// The part that has done least of what it has to do goes on.
void TaskCursor::advance() {
  int next = -1;
  for (int part = 0; part < order_->parts(); ++part) {
    const Progress &mine = progress_[part];
    if (mine.done >= mine.all)
      continue;
    if (next < 0 || (mine.done + 1) * progress_[next].all < (progress_[next].done + 1) * mine.all)
      next = part;
  }
  const TaskBox single = takeFrom(next);
  ++progress_[next].done;
  ++position_;
  const std::size_t tile = single.row + static_cast<std::size_t>(single.column) * order_->rows();
  const std::uint64_t self = std::uint64_t(1) << next;
  task_ = {single.row, single.column, single.step, next, false, --left_[tile] == 0};
  task_.opens = !(seen_[tile] & self) && !isHome(task_);
  seen_[tile] |= self;
}

TaskBox TaskCursor::takeFrom(int part) {
  Progress &mine = progress_[part];
  if (mine.pieces.empty())
    mine.pieces.push_back(order_->boxes(part)[mine.next++]);
  for (;;) {
    const TaskBox box = mine.pieces.back();
    mine.pieces.pop_back();
    if (isSingle(box))
      return box;
    const std::size_t first = mine.pieces.size();
    forEachEighth(box, [&](const TaskBox &eighth, std::uint8_t) { mine.pieces.push_back(eighth); });
    std::reverse(mine.pieces.begin() + static_cast<std::ptrdiff_t>(first), mine.pieces.end());
  }
}

bool TaskCursor::joins(int position, int part) {
  const Task &task = at(position);
  const std::size_t tile = task.row + static_cast<std::size_t>(task.column) * order_->rows();
  return part != order_->home(task.row, task.column) && (seen_[tile] >> part & 1);
}

} // namespace tla
