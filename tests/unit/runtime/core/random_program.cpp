#include "tests/unit/runtime/core/random_program.hpp"

#include <algorithm>
#include <cstdlib>

namespace tla::test {

using runtime::Access;

namespace {
class Maker {
public:
  Maker(unsigned seed, int tasks) : random_(seed) {
    program_.matrices = {{11, 9, 4, false, false, false}, {8, 8, 4, false, true, false},
                         {10, 7, 3, false, false, true},  {60, 6, 3, false, false, false},
                         {12, 12, 4, true, false, false}, {8, 8, 4, true, true, false}};
    if (seed % 2 == 0)
      cut(2 + seed / 2 % 3, seed / 6);
    for (const ProgramMatrix &matrix : program_.matrices)
      written_.emplace_back(tiles(matrix.m, matrix.nb) * columns(matrix), !matrix.workspace);
    for (int t = 0; t < tasks; ++t)
      addTask();
  }
  Program take() { return std::move(program_); }

private:
  static int tiles(int size, int nb) { return (size - 1) / nb + 1; }
  static int columns(const ProgramMatrix &matrix) {
    return Storage(matrix.m, matrix.n, matrix.nb, matrix.nb, sizeof(Element), Shape::General, matrix.cut).ns();
  }
  /// `variant`: of the widths that the tiles have room for.
  void cut(int slices, unsigned variant) {
    for (ProgramMatrix &matrix : program_.matrices)
      if (const int widest = (matrix.nb - 1) / (slices - 1); !matrix.regions && widest > 0)
        matrix.cut = {slices, 1 + static_cast<int>(variant) % widest};
  }
  int upTo(int n) { return static_cast<int>(random_() % n); }
  std::vector<bool>::reference written(const ProgramAccess &access) {
    const ProgramMatrix &matrix = program_.matrices[access.matrix];
    return written_[access.matrix][access.row + access.column * tiles(matrix.m, matrix.nb)];
  }

  ProgramAccess randomAccess() {
    ProgramAccess access{};
    access.matrix = upTo(static_cast<int>(program_.matrices.size()));
    const ProgramMatrix &matrix = program_.matrices[access.matrix];
    access.row = upTo(tiles(matrix.m, matrix.nb));
    access.column = upTo(columns(matrix));
    access.access = static_cast<Access>(upTo(3));
    access.region = matrix.regions ? static_cast<Region>(upTo(3)) : Region::Full;
    if (!written(access)) { // a workspace tile: first all of it must be written
      access.access = Access::Write;
      access.region = Region::Full;
    }
    return access;
  }

  void addTask() {
    ProgramTask task;
    const int count = 1 + upTo(4);
    for (int a = 0; a < count; ++a) {
      ProgramAccess access = randomAccess();
      if (a > 0 && upTo(12) == 0) { // the same tile twice
        access = task.accesses[upTo(a)];
        access.access = written(access) ? static_cast<Access>(upTo(3)) : Access::Write;
      }
      if (access.access != Access::Read && access.region == Region::Full)
        pending_.push_back(access);
      task.accesses.push_back(access);
    }
    if (upTo(10) == 0)
      addPanel(task);
    task.priority = upTo(3) == 0 ? upTo(5) : 0;
    for (const ProgramAccess &access : pending_)
      written(access) = true;
    pending_.clear();
    if (upTo(4) == 0)
      addRelease(task);
    program_.tasks.push_back(std::move(task));
  }

  void addPanel(ProgramTask &task) {
    const Access access = upTo(2) ? Access::Read : Access::ReadWrite;
    const int column = upTo(2), begin = upTo(5), end = begin + upTo(16);
    task.panelFirst = static_cast<int>(task.accesses.size());
    task.panelCount = end - begin;
    for (int row = begin; row < end; ++row)
      task.accesses.push_back({3, row, column, access, Region::Full});
  }

  void addRelease(ProgramTask &task) {
    const ProgramAccess place{4, upTo(3), upTo(columns(program_.matrices[4])), Access::Read, Region::Full};
    written(place) = false;
    task.releases.push_back({place.matrix, place.row, place.column});
  }

  std::mt19937 random_;
  Program program_;
  std::vector<std::vector<bool>> written_;
  std::vector<ProgramAccess> pending_;
};

Element mix(Element h, Element x) {
  h = (h ^ x) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 29;
}

template <typename F> void forEachElement(const Tile<Element> &tile, F visit) {
  for (int j = 0; j < tile.n(); ++j)
    for (int i = 0; i < tile.m(); ++i)
      if (tile.region() == Region::Full || (i > j) == (tile.region() == Region::Lower))
        visit(tile(i, j));
}

/// The kernel of every task: all that is read goes into a hash, which goes into all that is written. The order of
/// tasks, of accesses and of elements all matter.
template <typename TileOf> void compute(const ProgramTask &task, int number, TileOf tileOf) {
  const int count = static_cast<int>(task.accesses.size());
  Element hash = 7 + number;
  for (int a = 0; a < count; ++a)
    if (task.accesses[a].access != Access::Write)
      forEachElement(tileOf(a), [&](Element x) { hash = mix(hash, x); });
  for (int a = 0; a < count; ++a)
    if (task.accesses[a].access != Access::Read)
      forEachElement(tileOf(a), [&](Element &x) { x = hash = mix(hash, a); });
}

int runTask(const runtime::TaskView &view) {
  const Program &program = view.parameters<Program>();
  const ProgramTask &task = program.tasks[view.index(0)];
  if (task.panelFirst >= 0) { // the panel view must name the same tiles
    const runtime::TaskPanel<Element> panel(view, task.panelFirst, task.panelCount);
    for (int r = 0; r < panel.mt(); ++r)
      if (panel(r).data() != view.tile<Element>(task.panelFirst + r).data())
        return 1;
  }
  compute(task, view.index(0), [&](int a) { return view.tile<Element>(a, task.accesses[a].region); });
  return 0;
}

const runtime::TaskClass randomClass{"mix", "random_program.cpp:1", runTask,
                                     [](const runtime::TaskView &) { return 2.0; }};
} // namespace

Program makeProgram(unsigned seed, int tasks) { return Maker(seed, tasks).take(); }

ProgramData::ProgramData(const Program &program, bool serial) : program_(program) {
  for (const ProgramMatrix &matrix : program.matrices) {
    auto &storage = storages_.emplace_back(std::make_unique<Storage>(matrix.m, matrix.n, matrix.nb, matrix.nb,
                                                                     sizeof(Element), Shape::General, matrix.cut));
    if (matrix.wrapped) {
      const int lda = matrix.m + 3;
      auto &array = arrays_.emplace_back(new Element[static_cast<std::size_t>(lda) * matrix.n]());
      storage->wrap(array.get(), lda);
    } else if (!matrix.workspace || serial) {
      storage->allocate();
    }
    Element next = 1;
    for (int j = 0; j < storage->nt() && !matrix.workspace; ++j)
      for (int i = 0; i < storage->mt(); ++i)
        forEachElement(Tile<Element>(static_cast<Element *>(storage->tile(i, j)), storage->tileRows(i),
                                     storage->tileCols(j), storage->ld(i)),
                       [&](Element &x) { x = next++; });
  }
}

/// storageOf(matrix, row, column): where the tile is.
template <typename StorageOf> std::vector<Element> ProgramData::content(StorageOf storageOf) const {
  std::vector<Element> all;
  for (std::size_t matrix = 0; matrix < storages_.size(); ++matrix)
    for (int j = 0; j < storages_[matrix]->nt() && !program_.matrices[matrix].workspace; ++j)
      for (int i = 0; i < storages_[matrix]->mt(); ++i) {
        const Storage &storage = storageOf(matrix, i, j);
        if (!storage.tile(i, j))
          continue;
        forEachElement(Tile<Element>(static_cast<Element *>(storage.tile(i, j)), storage.tileRows(i),
                                     storage.tileCols(j), storage.ld(i)),
                       [&](Element x) { all.push_back(x); });
      }
  return all;
}

std::vector<Element> ProgramData::content() const {
  return content([&](std::size_t matrix, int, int) -> const Storage & { return *storages_[matrix]; });
}

std::vector<Element> ProgramData::content(const std::vector<std::unique_ptr<ProgramData>> &ranks,
                                          const Distribution &distribution) {
  return ranks[0]->content([&](std::size_t matrix, int i, int j) -> const Storage & {
    return *ranks[distribution.node(i, j)]->storages_[matrix];
  });
}

void ProgramData::keepTilesOf(const Distribution &distribution, int rank) {
  for (const auto &storage : storages_)
    for (int j = 0; j < storage->nt(); ++j)
      for (int i = 0; i < storage->mt(); ++i)
        if (distribution.node(i, j) != rank)
          storage->setTile(i, j, nullptr);
}

void runSerially(const Program &program, ProgramData &data) {
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const ProgramTask &task = program.tasks[t];
    compute(task, static_cast<int>(t), [&](int a) {
      const ProgramAccess &access = task.accesses[a];
      const Storage &storage = data.storage(access.matrix);
      return Tile<Element>(static_cast<Element *>(storage.slice(access.row, access.column)),
                           storage.tileRows(access.row), storage.sliceCols(access.column), storage.ld(access.row),
                           access.region);
    });
  }
}

void generate(const Program &program, ProgramData &data, runtime::Generator &generator) {
  static const char *const names[] = {"A", "B", "C", "D", "W", "V"};
  std::vector<runtime::TileTable *> tables;
  for (std::size_t m = 0; m < program.matrices.size(); ++m) {
    const ProgramMatrix &matrix = program.matrices[m];
    Storage &storage = data.storage(static_cast<int>(m));
    tables.push_back(matrix.workspace ? &generator.workspace(storage, names[m], matrix.regions)
                                      : &generator.matrix(storage, names[m], matrix.regions));
  }
  generator.setParameters(&program);
  for (int t = 0; t < static_cast<int>(program.tasks.size()); ++t) {
    const ProgramTask &task = program.tasks[t];
    runtime::AccessList accesses;
    for (int a = 0; a < static_cast<int>(task.accesses.size()); ++a) {
      const ProgramAccess &access = task.accesses[a];
      if (a == task.panelFirst && task.panelCount > 0) {
        accesses.add(runtime::PanelAccess{tables[access.matrix], access.row, access.row + task.panelCount,
                                          access.column, access.access});
        a += task.panelCount - 1;
        continue;
      }
      accesses.add(runtime::TileAccess{tables[access.matrix], access.row, access.column, access.access, access.region});
    }
    generator.append({randomClass, task.priority, &t, 1, accesses.data(), accesses.size()});
    for (const ProgramTask::Release &release : task.releases)
      generator.release(*tables[release.matrix], release.row, release.column);
  }
}

Distribution randomTable(int nodes, unsigned seed) {
  std::mt19937 random(seed);
  const int rows = 1 + static_cast<int>(random() % 4);
  const int columns = (nodes + rows - 1) / rows + static_cast<int>(random() % 3);
  std::vector<int> table;
  for (int i = 0; i < rows * columns; ++i)
    table.push_back(i < nodes ? i : static_cast<int>(random() % nodes));
  std::shuffle(table.begin(), table.end(), random);
  return Distribution::table(rows, columns, table, "random");
}

int seeds(int usual) {
  const char *const wish = std::getenv("TLA_TEST_SEEDS");
  return wish ? std::atoi(wish) : usual;
}

} // namespace tla::test
