// Tasks that go wrong when they are told to.
#pragma once

#include <tla/runtime/executor.hpp>

#include <new>
#include <stdexcept>

namespace tla::test {
using namespace tla::runtime;

struct Grid {
  explicit Grid(int nt, int nb = 2) : storage(nt * nb, nt * nb, nb, nb, sizeof(double), Shape::General) {
    storage.allocate();
    for (int j = 0; j < nt; ++j)
      for (int i = 0; i < nt; ++i)
        *static_cast<double *>(storage.tile(i, j)) = 0;
  }
  double first(int i, int j) { return *static_cast<double *>(storage.tile(i, j)); }
  Storage storage;
};

enum What { Work, Info, BadArgument, Throw, ThrowNumber, ThrowBadAlloc };

/// Does what index 0 says.
inline const TaskClass act{"act", "failing_tasks.hpp:1",
                           [](const TaskView &task) {
                             switch (task.index(0)) {
                             case Info:
                               return 2;
                             case BadArgument:
                               return -3;
                             case Throw:
                               throw std::runtime_error("the disk is full");
                             case ThrowNumber:
                               throw 7;
                             case ThrowBadAlloc:
                               throw std::bad_alloc();
                             }
                             *task.tile<double>(0).data() += 1;
                             return 0;
                           },
                           nullptr};

inline void append(Generator &generator, TileTable &table, int row, int column, int what,
                   Access kind = Access::ReadWrite) {
  const TileAccess access{&table, row, column, kind};
  generator.append({act, 0, &what, 1, &access, 1});
}

} // namespace tla::test
