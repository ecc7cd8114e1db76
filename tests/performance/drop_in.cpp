// The drop-in LAPACK library against the library under it, call by call in turn, in one process.
//
//   drop_in [potrf|getrf|geqrf|gesdd|gelsd|trtrs ...] [-n N ...] [--type d] [--repeat R] [--threads T] [--json]
//
// Prints, per routine and size, the least time of each over the repetitions and their ratio: above 1 the drop-in
// library is the faster. Every call works on a fresh copy of one matrix. gesdd computes singular values alone, gelsd
// one right-hand side, trtrs n of them; the first two for real types.
#include <cblas.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

[[noreturn]] void fail(const std::string &message) {
  std::fprintf(stderr, "drop_in: %s\n", message.c_str());
  std::exit(2);
}

/// A library's handle; its functions by name.
class Library {
public:
  explicit Library(const std::string &file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_)
      fail(dlerror());
  }
  template <typename Function> Function *find(const std::string &symbol) const {
    void *const found = dlsym(handle_, symbol.c_str());
    if (!found)
      fail(dlerror());
    return reinterpret_cast<Function *>(found);
  }

private:
  void *handle_;
};

/// Beside the program's folder, as in the build tree and where it is installed.
std::string ownLibrary() {
  return std::filesystem::canonical("/proc/self/exe").parent_path().parent_path() / "lib/libhetc_lapack.so";
}

struct Free {
  void operator()(void *memory) const { std::free(memory); }
};

/// An n x n matrix, and what the routines return beside it.
template <typename T> class Matrix {
public:
  explicit Matrix(int n)
      : n_(n), a_(static_cast<T *>(std::aligned_alloc(64, (sizeof(T) * size() + 63) / 64 * 64))), ipiv_(50 * n + 50),
        tau_(n), work_(static_cast<std::size_t>(n) * 200 + 1000), right_(n, T(1)) {}
  std::size_t size() const { return static_cast<std::size_t>(n_) * n_; }
  T *data() { return a_.get(); }

  /// Random; with n on the diagonal where it must be positive definite.
  void fill(bool positiveDefinite) {
    std::minstd_rand random(1);
    for (std::size_t i = 0; i < size(); ++i)
      a_.get()[i] = static_cast<T>(random() / 2147483648.0 - 0.5);
    for (int i = 0; positiveDefinite && i < n_; ++i)
      a_.get()[i * (n_ + std::size_t{1})] = static_cast<T>(n_);
  }

  /// Seconds of one call; the copy of `original` is not counted.
  double time(const Library &library, const std::string &routine, char type, const Matrix &original) {
    std::fill(right_.begin(), right_.end(), T(1));
    std::memcpy(a_.get(), original.a_.get(), sizeof(T) * size());
    int info = 0;
    const int lwork = static_cast<int>(work_.size());
    const std::string symbol = type + routine + "_";
    const int one = 1;
    const T eps = T(-1);
    int rank = 0;
    const double begin = now();
    if (routine == "potrf")
      library.find<void(const char *, const int *, T *, const int *, int *, std::size_t)>(symbol)("L", &n_, a_.get(),
                                                                                                  &n_, &info, 1);
    else if (routine == "getrf")
      library.find<void(const int *, const int *, T *, const int *, int *, int *)>(symbol)(&n_, &n_, a_.get(), &n_,
                                                                                           ipiv_.data(), &info);
    else if (routine == "gesdd")
      library.find<void(const char *, const int *, const int *, T *, const int *, T *, T *, const int *, T *,
                        const int *, T *, const int *, int *, int *, std::size_t)>(symbol)(
          "N", &n_, &n_, a_.get(), &n_, tau_.data(), nullptr, &one, nullptr, &one, work_.data(), &lwork, ipiv_.data(),
          &info, 1);
    else if (routine == "gelsd")
      library.find<void(const int *, const int *, const int *, T *, const int *, T *, const int *, T *, const T *,
                        int *, T *, const int *, int *, int *)>(symbol)(&n_, &n_, &one, a_.get(), &n_, right_.data(),
                                                                        &n_, tau_.data(), &eps, &rank, work_.data(),
                                                                        &lwork, ipiv_.data(), &info);
    else if (routine == "trtrs")
      library.find<void(const char *, const char *, const char *, const int *, const int *, const T *, const int *, T *,
                        const int *, int *, std::size_t, std::size_t, std::size_t)>(symbol)(
          "L", "N", "N", &n_, &n_, original.a_.get(), &n_, a_.get(), &n_, &info, 1, 1, 1);
    else
      library.find<void(const int *, const int *, T *, const int *, T *, T *, const int *, int *)>(symbol)(
          &n_, &n_, a_.get(), &n_, tau_.data(), work_.data(), &lwork, &info);
    const double seconds = now() - begin;
    if (info != 0)
      fail(symbol + " returned info " + std::to_string(info));
    return seconds;
  }

private:
  int n_;
  std::unique_ptr<T, Free> a_;
  std::vector<int> ipiv_;
  std::vector<T> tau_, work_, right_;
};

struct Settings {
  std::vector<std::string> routines{"potrf", "getrf", "geqrf"};
  std::vector<int> sizes{100, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 4000, 6000, 8000};
  std::string type = "d";
  int repeat = 5;
  int threads = 0;
  bool json = false;
  std::string library = ownLibrary(), under = "libopenblas.so.0";
};

template <typename T> void compare(const Settings &settings, const std::string &routine, int n) {
  const Library ours(settings.library), theirs(settings.under);
  Matrix<T> original(n), work(n);
  original.fill(routine == "potrf" || routine == "trtrs");
  double least[2] = {1e30, 1e30};
  // The first round warms up, and lets the drop-in library choose its tiles.
  const int repeat = settings.repeat * (n < 1000 ? 5 : 1);
  for (int r = -1; r < repeat; ++r)
    for (int which = 0; which < 2; ++which) {
      const double seconds = work.time(which == 0 ? ours : theirs, routine, settings.type[0], original);
      if (r >= 0)
        least[which] = std::min(least[which], seconds);
    }
  const double ratio = least[1] / least[0];
  if (settings.json)
    std::printf("{\"bench\":\"drop_in\",\"routine\":\"%s%s\",\"n\":%d,\"threads\":%d,\"seconds\":%.6f,"
                "\"under_seconds\":%.6f,\"ratio\":%.3f}\n",
                settings.type.c_str(), routine.c_str(), n, openblas_get_num_threads(), least[0], least[1], ratio);
  else
    std::printf("%s%s n = %5d: %10.6f s, under it %10.6f s, ratio %.3f\n", settings.type.c_str(), routine.c_str(), n,
                least[0], least[1], ratio);
  std::fflush(stdout);
}

template <typename T> void compareAll(const Settings &settings) {
  for (const std::string &routine : settings.routines)
    for (const int n : settings.sizes)
      compare<T>(settings, routine, n);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("drop_in: the drop-in LAPACK library against the one under it");
  Settings settings;
  app.add_option("routine", settings.routines)
      ->check(CLI::IsMember({"potrf", "getrf", "geqrf", "gesdd", "gelsd", "trtrs"}));
  app.add_option("-n", settings.sizes)->check(CLI::PositiveNumber);
  app.add_option("--type", settings.type)->check(CLI::IsMember({"s", "d", "c", "z"}));
  app.add_option("--repeat", settings.repeat)->check(CLI::PositiveNumber);
  app.add_option("--threads", settings.threads, "threads of both; default: as many as OpenBLAS takes")
      ->check(CLI::PositiveNumber);
  app.add_option("--library", settings.library, "the drop-in library");
  app.add_option("--under", settings.under, "the library under it");
  app.add_flag("--json", settings.json);
  CLI11_PARSE(app, argc, argv);
  for (const std::string &routine : settings.routines)
    if ((settings.type == "c" || settings.type == "z") && (routine == "gesdd" || routine == "gelsd"))
      fail(routine + " is measured for --type s and d"); // complex ones have other arguments
  if (settings.threads)
    openblas_set_num_threads(settings.threads);
  switch (settings.type[0]) {
  case 's':
    compareAll<float>(settings);
    break;
  case 'c':
    compareAll<std::complex<float>>(settings);
    break;
  case 'z':
    compareAll<std::complex<double>>(settings);
    break;
  default:
    compareAll<double>(settings);
  }
}
