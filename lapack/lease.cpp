#include "lapack/lease.hpp"

#include "lapack/environment.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>

namespace tla::lapack {

/// Never deleted: at the end of the process others may still be calling.
struct Lease::State {
  std::mutex mutex;
  std::unique_ptr<runtime::Executor> executor;
  TileSizes tileSizes;
  kernels::BlasThreads blas;
  int hostThreads = 0; ///< of the BLAS, while a lease is held; else 0
};

namespace {

/// What the tile kernels are, for the whole process.
struct Kernels {
  kernels::KernelStatus status;
  bool fast = false;
};

/// The reference kernels are for tests: whoever wants them says so.
const Kernels &installedKernels() {
  static const Kernels installed = [] {
    try {
      kernels::KernelStatus status = kernels::installKernels("auto", kernels::Process::Shared);
      const bool fast = status.backEnd != "reference" || std::getenv("HETC_KERNELS");
      return Kernels{std::move(status), fast};
    } catch (const std::runtime_error &) {
      return Kernels{};
    }
  }();
  return installed;
}

/// True when the caller is one of several OpenMP threads. The OpenMP library is the host's, if there is one.
bool inParallelRegion() {
  static constexpr char name[] = "omp_in_parallel";
  void *function = dlsym(RTLD_DEFAULT, name);
  for (const char *const library : {"libgomp.so.1", "libomp.so.5", "libiomp5.so"}) {
    if (function)
      break;
    if (void *const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD))
      function = dlsym(handle, name);
  }
  return function && reinterpret_cast<int (*)()>(function)() != 0;
}

} // namespace

Lease::State &Lease::state() {
  static State *current = new State;
  static std::once_flag once;
  std::call_once(once, [] {
    pthread_atfork(nullptr, nullptr, [] {
      const State &parent = *current; // perhaps in the middle of a call
      if (parent.hostThreads)
        parent.blas.set(parent.hostThreads);
      current = new State;
    });
  });
  return *current;
}

Lease::Lease() : refusal_(obtain()) {}

const char *Lease::obtain() {
  if (inParallelRegion())
    return "inside an OpenMP parallel region";
  if (!installedKernels().fast)
    return "the OpenBLAS kernels cannot be loaded";
  State &shared = state();
  if (!shared.mutex.try_lock())
    return "another thread is computing on tiles";
  state_ = &shared;
  const char *const problem = prepareExecutor();
  if (problem) {
    shared.mutex.unlock();
    state_ = nullptr;
  }
  return problem;
}

/// As many threads as the user says; else no more than the host lets its BLAS have.
const char *Lease::prepareExecutor() {
  const kernels::BlasThreads blas = state_->blas = installedKernels().status.blasThreads;
  const int hostThreads = blas.get ? blas.get() : 0;
  int threads = environment().threads.value_or(0);
  if (threads == 0) {
    threads = runtime::defaultThreads();
    if (hostThreads)
      threads = std::min(threads, hostThreads);
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
