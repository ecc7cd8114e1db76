// What a host may do to its process and its threads, and what calls from it have to do all the same.
//
//   host_state_test late c|lapack   calls from where a thread's and the process's objects are being destroyed
//   host_state_test modes           floating-point modes: each run computes in those of its caller
//   host_state_test locale          a global locale that writes 2.5 as "2,5" and 1600 as "1.600"
//
// `lapack` calls dpotrf_ of whatever library the process has.
#include "hetc.h"

#include <cfenv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace {

using Matrix = std::vector<double>;
constexpr int n = 150;

[[noreturn]] void fail(const std::string &what) {
  std::printf("%s; the message is '%s'\n", what.c_str(), hetc_message());
  std::fflush(stdout);
  ::_exit(1);
}

Matrix positiveDefinite(double scale = 1) {
  Matrix A(n * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      A[i + j * n] = scale * (i == j ? n : 1.0 / (1 + std::abs(i - j)));
  return A;
}

hetc_executor *makeExecutor(int threads) {
  hetc_executor *executor = nullptr;
  if (hetc_executor_create(threads, &executor) != HETC_OK)
    fail("no executor");
  return executor;
}

const hetc_algorithm *cholesky() {
  const hetc_algorithm *found = nullptr;
  if (hetc_find("cholesky", 'd', &found) != HETC_OK)
    fail("no cholesky");
  return found;
}

hetc_status factor(hetc_executor *executor, Matrix &A) {
  const hetc_matrix matrix = {A.data(), n, n, n};
  return hetc_run(executor, cholesky(), &matrix, 1, nullptr, 0, 16, nullptr);
}

// late

enum Place { Thread = 1, ThreadLocal = 2, Key = 4, Main = 8, AtExit = 16, Static = 32, all = 63 };
int visited = 0;
bool throughLapack = false;
hetc_executor *lateExecutor = nullptr;

/// Memory that was freed too early is somebody else's now.
void reuseMemory() {
  std::vector<std::vector<char>> blocks;
  for (int i = 0; i < 60; ++i)
    blocks.emplace_back(500 << (i % 12), static_cast<char>(i));
}

void computeAt(Place place) {
  for (int repetition = 0; repetition < 3; ++repetition) {
    reuseMemory();
    Matrix A = positiveDefinite();
    if (throughLapack) {
      using Potrf = void (*)(const char *, const int *, double *, const int *, int *);
      static const auto potrf = reinterpret_cast<Potrf>(dlsym(RTLD_DEFAULT, "dpotrf_"));
      int info = -1;
      if (!potrf || (potrf("L", &n, A.data(), &n, &info), info != 0))
        fail("dpotrf_ at place " + std::to_string(place));
    } else {
      const hetc_algorithm *none = nullptr;
      if (hetc_find("no such algorithm", 'd', &none) != HETC_USAGE || !std::strstr(hetc_message(), "no such algorithm"))
        fail("the message at place " + std::to_string(place));
      if (factor(lateExecutor, A) != HETC_OK)
        fail("hetc_run at place " + std::to_string(place));
    }
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (int k = 0; k <= i; ++k)
        sum += A[i + k * n] * A[i + k * n];
      if (!(std::abs(sum - n) < 1e-10))
        fail("a wrong factor at place " + std::to_string(place));
    }
  }
  visited |= place;
}

/// The first static object: its destructor is what the process does last.
struct Verdict {
  ~Verdict() {
    if (isWanted && visited != all)
      fail("places visited: " + std::to_string(visited));
  }
  bool isWanted = false;
} verdict;
struct AtStatic {
  ~AtStatic() {
    if (verdict.isWanted)
      computeAt(Static);
  }
} atStatic;
struct AtThreadLocal {
  ~AtThreadLocal() { computeAt(ThreadLocal); }
  bool touched = false;
};
thread_local AtThreadLocal atThreadLocal;

void testLateCalls(bool lapack) {
  throughLapack = lapack;
  verdict.isWanted = true;
  std::atexit([] { computeAt(AtExit); }); // before there is anything of the library's that ends at exit
  if (!lapack)
    lateExecutor = makeExecutor(3);
  std::thread([] {
    atThreadLocal.touched = true; // made before the thread's first call
    computeAt(Thread);
  }).join();
  static pthread_key_t key;
  pthread_key_create(&key, [](void *) { computeAt(Key); });
  std::thread([] {
    pthread_setspecific(key, &key);
    computeAt(Thread);
  }).join();
  computeAt(Main);
}

// modes

/// Changes the calling thread's modes for the length of a scope.
struct Modes {
  explicit Modes(const std::function<void()> &change) {
    std::fegetenv(&before);
    change();
  }
  Modes(const Modes &) = delete;
  ~Modes() { std::fesetenv(&before); }
  std::fenv_t before;
};

Matrix factorOf(hetc_executor *executor, Matrix A) {
  if (factor(executor, A) != HETC_OK)
    fail("a run");
  return A;
}

/// Both are in the modes of their caller: on one thread it computes itself, so that there it is right in any case.
void expectSameBits(hetc_executor *one, hetc_executor *several, const Matrix &A, const char *what) {
  const Matrix expected = factorOf(one, A);
  for (int repetition = 0; repetition < 5; ++repetition)
    if (const Matrix found = factorOf(several, A);
        std::memcmp(found.data(), expected.data(), sizeof(double) * n * n) != 0)
      fail(std::string("other bits on several threads: ") + what);
}

#if defined(__SSE__)
void flushSubnormals() { _mm_setcsr(_mm_getcsr() | 0x8040); }
#else
void flushSubnormals() {}
#endif

void testModes() {
  const Matrix A = positiveDefinite(), tiny = positiveDefinite(1e-306);
  const std::pair<int, const char *> roundings[] = {
      {FE_TONEAREST, "to nearest"}, {FE_UPWARD, "up"}, {FE_DOWNWARD, "down"}, {FE_TOWARDZERO, "towards zero"}};
  hetc_executor *const one = makeExecutor(1);
  for (const auto &[first, ignored] : roundings) { // threads start in the modes of the first run
    hetc_executor *const several = makeExecutor(4);
    for (const int mode : {first, FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
      const Modes modes([mode] { std::fesetround(mode); });
      expectSameBits(one, several, A, "rounding");
    }
    hetc_executor_destroy(several);
  }
  hetc_executor *devices = nullptr;
  if (hetc_executor_create_devices(2, "emulated:2,speed=1,bw=10", &devices) != HETC_OK)
    fail("no devices");
  for (const auto &[mode, ignored] : roundings) {
    const int rounding = mode;
    const Modes modes([rounding] { std::fesetround(rounding); });
    expectSameBits(one, devices, A, "rounding on devices");
  }
  hetc_executor_destroy(devices);
  hetc_executor *const several = makeExecutor(4);
  for (const bool flushes : {true, false, true}) {
    const Modes modes(flushes ? flushSubnormals : [] {});
    expectSameBits(one, several, tiny, flushes ? "subnormal numbers flushed" : "subnormal numbers kept");
  }
  hetc_executor_destroy(several);
#if defined(__GLIBC__)
  hetc_executor *const trapping = makeExecutor(4);
  {
    const Modes modes([] { feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW); });
    factorOf(trapping, A);
  }
  for (int repetition = 0; repetition < 10; ++repetition) { // a trap of the first caller would end the process here
    Matrix infinite = A;
    infinite[n - 3 + 5 * n] = infinite[n - 9 + 70 * n] = std::numeric_limits<double>::infinity();
    factor(trapping, infinite);
  }
  hetc_executor_destroy(trapping);
#endif
  hetc_executor_destroy(one);
}

// locale

struct German : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// Expects that files kept for later runs have numbers without a comma.
void expectNoneWithComma(const std::filesystem::path &folder) {
  int files = 0;
  for (const auto &entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) {
      std::stringstream content;
      content << std::ifstream(entry.path()).rdbuf();
      if (content.str().find("2,5") != std::string::npos)
        fail("2,5 in " + entry.path().string());
      ++files;
    }
  if (files == 0)
    fail("nothing was kept in " + folder.string());
}

void testLocale() {
  char folder[] = "/tmp/hetc-locale-XXXXXX";
  if (!::mkdtemp(folder))
    fail("no folder");
  ::setenv("HETC_CACHE_DIR", folder, 1);
  std::locale::global(std::locale(std::locale::classic(), new German));
  hetc_executor *devices = nullptr;
  if (hetc_executor_create_devices(2, "emulated:2,speed=2.5,bw=0.5", &devices) != HETC_OK)
    fail("no devices");
  Matrix A(1600 * 1600, 0.5);
  for (int i = 0; i < 1600; ++i)
    A[i + 1600 * i] = 1600;
  const hetc_matrix matrix = {A.data(), 1600, 1600, 1600};
  if (hetc_run(devices, cholesky(), &matrix, 1, nullptr, 0, 0, nullptr) != HETC_OK)
    fail("a run on devices");
  hetc_executor_destroy(devices);
  expectNoneWithComma(folder);
  std::filesystem::remove_all(folder);
}

} // namespace

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "late")
    testLateCalls(argc > 2 && std::string(argv[2]) == "lapack");
  else if (what == "modes")
    testModes();
  else if (what == "locale")
    testLocale();
  else
    return 2;
  return 0;
}
