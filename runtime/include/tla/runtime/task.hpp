// What generated code says about a task, and what a running task sees. Included by every generated program: light.
#pragma once

#include <tla/matrix.hpp>

namespace tla::runtime {

class TileTable; // the task lists of one matrix, private to the core
struct Task;     // private to the core
struct Version;  // private to the core

/// The kernel call's view on its task: its tiles, its loop indices, the run's scalar parameters.
class TaskView {
public:
  /// `displacement`: from the addresses of the task's tiles to where the running thread finds them.
  explicit TaskView(const Task &task, std::ptrdiff_t displacement = 0) : task_(task), displacement_(displacement) {}

  /// The tile of access number `access`, in the order they were appended.
  template <typename T> Tile<T> tile(int access, Region region = Region::Full) const {
    const Raw raw = rawTile(access);
    return {static_cast<T *>(raw.data), raw.m, raw.n, raw.ld, region};
  }
  /// The tile that gives the task its sizes: that of TaskClass::mainOutput or the access that stands for it. Null and
  /// empty: the task writes none.
  template <typename T> Tile<T> mainTile() const {
    const Raw raw = rawMainTile();
    return {static_cast<T *>(raw.data), raw.m, raw.n, raw.ld};
  }
  /// Loop variable number `position` that the task recorded.
  int index(int position) const;
  /// How the program writes tile argument number `argument` of the kernel call, for messages: TaskClass::arguments.
  const char *argument(int argument) const;
  /// The scalar parameters of the run, as the generated code's own type.
  template <typename Parameters> const Parameters &parameters() const {
    return *static_cast<const Parameters *>(rawParameters());
  }

private:
  struct Raw {
    void *data;
    int m, n, ld;
  };
  Raw rawTile(int access) const;
  Raw rawMainTile() const;
  Raw rawOf(const Version &version) const;
  const void *rawParameters() const;
  const Task &task_;
  const std::ptrdiff_t displacement_;
};

/// The panel argument of a running task: accesses first .. first + count - 1. Lives for the length of a kernel call.
template <typename T> class TaskPanel : public Panel<T> {
public:
  TaskPanel(const TaskView &task, int first, int count) : Panel<T>(nullptr, count) {
    list_ = static_cast<Tile<T> *>(::operator new(sizeof(Tile<T>) * (count + 1)));
    for (int r = 0; r < count; ++r)
      new (list_ + r) Tile<T>(task.tile<T>(first + r));
    this->tiles_ = list_;
  }
  TaskPanel(const TaskPanel &) = delete;
  TaskPanel &operator=(const TaskPanel &) = delete;
  ~TaskPanel() { ::operator delete(list_); }

private:
  Tile<T> *list_;
};

/// The clause device(...): where tasks of a statement run on a node with accelerators. Any: where the runtime's own
/// rule says (core/places/node_places.hpp).
enum class TaskDevice : unsigned char { Any, Host, Gpu };

/// One task statement of the program: constant, one per statement, emitted by the compiler.
struct TaskClass {
  const char *kernel;   ///< "gemm"
  const char *location; ///< "cholesky.tla:21"
  /// Calls the kernel. Returns LAPACK's info: 0, or j > 0 counted from the first column of the main output's tile. The
  /// runtime adds that tile's column offset; when the tile is a workspace's, the offset of the first tile that the task
  /// writes in another matrix, or nothing when there is none.
  int (*run)(const TaskView &);
  /// Real floating-point operations of the task; null when the kernel declares none.
  double (*flops)(const TaskView &);
  /// Access number of the tile where the task runs and that reports name. It is written; when it is not, as where the
  /// main output is a panel without rows and the number is another argument's, the first written access stands for it.
  int mainOutput = 0;
  bool memoryBound = false;
  /// info > 0 does not stop the run, as LAPACK's getrf goes on past a zero pivot: it is reported at the end, the first
  /// in program order of all.
  bool infoContinues = false;
  TaskDevice device = TaskDevice::Any;
  /// The kernel is the user's own, whatever its name: only the host has a body for it.
  bool userKernel = false;
  /// The kernel sees tiles that are gathered from slices (GatheredTile), or transposed: in memory of the host.
  bool gathers = false;
  /// The texts of the kernel call's arguments, "A(i, k)"; null for a scalar. Null: run() checks none of them.
  const char *const *arguments = nullptr;
};

enum class Access : unsigned char { Read, ReadWrite, Write };

/// A tile (row, column) of a matrix, or a slice (row, column) of one that is cut (Storage); with `region` Lower or
/// Upper this part of it.
struct TileRef {
  TileTable *matrix;
  int row, column;
  Region region = Region::Full;
};

/// A tile, and how the task accesses it. It repeats the members of TileRef, for the access to take no room of its own.
struct TileAccess {
  TileTable *matrix;
  int row, column;
  Access access;
  Region region = Region::Full;
  TileRef tile() const { return {matrix, row, column, region}; }
};

/// A task as a program appends it. Its lists are those of the one who appends it.
struct TaskCall {
  const TaskClass &taskClass;
  int priority; ///< larger runs sooner
  const int *indices;
  int indexCount;
  const TileAccess *accesses;
  int accessCount;
};

/// The tiles (row, column), (row + step, column), ..., all above row rowEnd, as consecutive accesses.
struct PanelAccess {
  TileTable *matrix;
  int row, rowEnd, column;
  Access access;
  int step = 1; ///< >= 1
};

/// The slices (row, column .. columnEnd - 1), those in row + step, ..., all above row rowEnd, as consecutive accesses:
/// all slices of a tile, then those of the next.
struct BlockAccess {
  TileTable *matrix;
  int row, rowEnd, column, columnEnd;
  Access access;
  int step = 1; ///< >= 1
};

} // namespace tla::runtime
