#include "lapack/lease.hpp"

#include "lapack/environment.hpp"
#include "lapack/loaded_objects.hpp"
#include "lapack/summary.hpp"
#include "lapack/thread_limit.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>

namespace tla::lapack {

namespace {
using InParallel = int (*)(); ///< omp_in_parallel
}

/// Never deleted: at the end of the process others may still be calling.
struct Lease::State {
  std::mutex mutex;           ///< held with a lease, and by a fork: a child never begins in the middle of a call
  std::atomic<int> forks = 0; ///< forks that wait for the mutex or hold it; no new lease meanwhile
  std::unique_ptr<runtime::Executor> executor;
  InParallel inParallel = nullptr; ///< null until found: the host may load its OpenMP library late
  TileSizes tileSizes;
  kernels::BlasThreads blas;
  int hostThreads = 0; ///< threads of the BLAS, while a lease is held; else 0
};

namespace {

/// The tile kernels in use, for the whole process.
struct Kernels {
  kernels::KernelStatus status;
  bool fast = false;
};

/// The files of `all` that are not among `some`.
std::vector<std::string> without(const std::vector<std::string> &some, std::vector<std::string> all) {
  std::erase_if(all, [&](const std::string &file) { return std::find(some.begin(), some.end(), file) != some.end(); });
  return all;
}

/// The reference kernels are for tests: whoever wants them says so.
const Kernels &installedKernels() {
  static const Kernels &installed = *[] { // is looked at when the process ends, too
    try {
      const std::vector<std::string> before = isSummaryWanted() ? loadedFiles() : std::vector<std::string>();
      kernels::KernelStatus status = kernels::installKernels("auto", kernels::Process::Shared);
      if (isSummaryWanted())
        noteOwnLibraries(without(before, loadedFiles()));
      const bool fast = status.backEnd != "reference" || std::getenv("HETC_KERNELS");
      return new Kernels{std::move(status), fast};
    } catch (const std::runtime_error &) {
      return new Kernels{};
    }
  }();
  return installed;
}

/// The host's OpenMP library's, if there is one.
InParallel findInParallel() {
  static constexpr char name[] = "omp_in_parallel";
  void *function = dlsym(RTLD_DEFAULT, name);
  for (const char *const library : {"libgomp.so.1", "libomp.so.5", "libiomp5.so"}) {
    if (function)
      break;
    if (void *const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD))
      function = dlsym(handle, name);
  }
  return reinterpret_cast<InParallel>(function);
}

} // namespace

Lease::State &Lease::state() {
  static State *current = new State;
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(
        [] {
          ++current->forks;
          current->mutex.lock();
        },
        [] {
          current->mutex.unlock();
          --current->forks;
          current->forks.notify_all();
        },
        [] { current = new State; });
  });
  return *current;
}

Lease::Lease(const NextLibrary *next) : refusal_(obtain(next)) {}

const char *Lease::obtain(const NextLibrary *next) {
  if (!installedKernels().fast)
    return "the OpenBLAS kernels cannot be loaded";
  State &shared = state();
  while (true) {
    if (const int forks = shared.forks)
      shared.forks.wait(forks);
    else if (shared.mutex.try_lock())
      break;
    else if (shared.forks == 0)
      return "another thread is computing on tiles";
  }
  state_ = &shared;
  const char *const problem = inParallelRegion() ? "inside an OpenMP parallel region" : prepareExecutor(next);
  if (problem) {
    shared.mutex.unlock();
    state_ = nullptr;
  }
  return problem;
}

/// True when the caller is one of several OpenMP threads.
bool Lease::inParallelRegion() {
  if (!state_->inParallel)
    state_->inParallel = findInParallel();
  return state_->inParallel && state_->inParallel() != 0;
}

/// As many threads as the user says; else no more than the host lets its BLAS have (thread_limit.hpp), which need not
/// be the one under the kernels.
const char *Lease::prepareExecutor(const NextLibrary *next) {
  const kernels::BlasThreads blas = state_->blas = installedKernels().status.blasThreads;
  const int hostThreads = blas.get ? blas.get() : 0;
  int threads = environment().threads.value_or(0);
  if (threads == 0) {
    static const bool isSetByEnvironment = areThreadsSetByEnvironment();
    const BlasLimit kernels = {hostThreads, threadsOfBuild(installedKernels().status.detail)};
    const BlasLimit host = next && next->threads ? BlasLimit{next->threads(), next->threadsOfBuild} : BlasLimit{};
    threads = allowedThreads(runtime::defaultThreads(), {kernels, host}, isSetByEnvironment);
    if (threads == 1)
      return "one thread only";
  }
  try {
    if (!state_->executor || state_->executor->threads() != threads) {
      runtime::Options options;
      options.threads = threads;
      state_->executor = nullptr; // its threads end before others start
      state_->executor = std::make_unique<runtime::Executor>(options);
    }
  } catch (const std::exception &) {
    return "the executor cannot be made";
  }
  if (blas.set) {
    state_->hostThreads = hostThreads;
    blas.set(1);
  }
  return nullptr;
}

Lease::~Lease() {
  if (!state_)
    return;
  if (state_->hostThreads)
    state_->blas.set(state_->hostThreads);
  state_->hostThreads = 0;
  state_->mutex.unlock();
}

runtime::Executor &Lease::executor() const { return *state_->executor; }

int Lease::tileSize(const Work &work) const {
  return state_->tileSizes.choose(work, executor().threads(), installedKernels().status.backEnd);
}

} // namespace tla::lapack
