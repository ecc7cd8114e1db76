#include "lapack/tiles.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>

namespace tla::lapack {

void endHalfWay(const char *name, const char *reason) {
  std::fprintf(stderr, "hetc: %s failed half-way, its matrices are lost: %s\n", name, reason);
  std::abort();
}

StorageRef Tiles::window(void *array, long m, long n, long lda, std::size_t elementBytes, Shape shape) const {
  StorageRef storage(new Storage(static_cast<int>(m), static_cast<int>(n), nb_, nb_, elementBytes, shape));
  storage->wrap(array, static_cast<int>(lda));
  return storage;
}

int Tiles::run(const runtime::Algorithm &algorithm, std::initializer_list<StorageRef> matrices,
               const Scalars &scalars) {
  std::vector<Storage *> storages;
  for (const StorageRef &matrix : matrices)
    storages.push_back(&*matrix);
  const Scalars values = withDefaults(algorithm, scalars);
  runtime::Outcome outcome;
  try {
    outcome = executor_.run(algorithm, {storages.data(), values.data()});
  } catch (const Error &error) { // no threads, or arguments that do not fit: before the first task
    if (hasRun_)
      endHalfWay(algorithm.name, error.what());
    throw NotStarted(error.what());
  } catch (const std::bad_alloc &) { // some tasks may have run
    endHalfWay(algorithm.name, "out of memory");
  }
  hasRun_ = true;
  if (outcome.kind == runtime::Outcome::Kind::Fault)
    endHalfWay(algorithm.name, outcome.message.c_str());
  return static_cast<int>(outcome.info);
}

} // namespace tla::lapack
