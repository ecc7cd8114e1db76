// What hetc on many ranks is measured against: ScaLAPACK on block cyclic matrices, one BLAS thread a rank.
//
//   mpirun -n P*Q scalapack_peers potrf|getrf|geqrf -n N --nb NB --grid PxQ [--repeat R]
//
// Rank 0 prints one JSON object. A repetition's time is that of the slowest rank, from a common start; seconds and
// Gflop/s are medians over the repetitions.
#include <cblas.h>

// C's interface only.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

extern "C" {
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_barrier(int context, const char *scope);
void Cblacs_gridexit(int context);

int numroc_(const int *n, const int *nb, const int *process, const int *source, const int *processes);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *rowSource,
               const int *columnSource, const int *context, const int *lld, int *info);
void pdpotrf_(const char *uplo, const int *n, double *a, const int *ia, const int *ja, const int *desc, int *info);
void pdgetrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desc, int *ipiv,
              int *info);
void pdgeqrf_(const int *m, const int *n, double *a, const int *ia, const int *ja, const int *desc, double *tau,
              double *work, const int *lwork, int *info);
}

namespace {

struct Grid {
  int rows = 0, columns = 0, row = 0, column = 0;
  int context = 0;

  Grid(int wantedRows, int wantedColumns) {
    Cblacs_get(0, 0, &context);
    Cblacs_gridinit(&context, "Row-major", wantedRows, wantedColumns);
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
  }
  ~Grid() { Cblacs_gridexit(context); }
  Grid(const Grid &) = delete;
  Grid &operator=(const Grid &) = delete;
};

/// This rank's part of an n x n matrix in blocks of nb x nb. Elements depend on their place alone, and are the same on
/// every grid.
class BlockCyclic {
public:
  BlockCyclic(const Grid &grid, int n, int nb, bool positiveDefinite) : grid_(grid), n_(n), nb_(nb) {
    const int zero = 0;
    rows_ = numroc_(&n, &nb, &grid.row, &zero, &grid.rows);
    columns_ = numroc_(&n, &nb, &grid.column, &zero, &grid.columns);
    const int lld = std::max(1, rows_);
    int info = 0;
    descinit_(desc_, &n, &n, &nb, &nb, &zero, &zero, &grid.context, &lld, &info);
    original_.resize(static_cast<std::size_t>(lld) * std::max(1, columns_));
    for (int j = 0; j < columns_; ++j)
      for (int i = 0; i < rows_; ++i)
        original_[i + static_cast<std::size_t>(j) * lld] =
            element(global(i, grid.row, grid.rows), global(j, grid.column, grid.columns), positiveDefinite);
    data_ = original_;
  }

  void restore() { data_ = original_; }
  double *data() { return data_.data(); }
  const int *desc() const { return desc_; }
  int rows() const { return rows_; }
  int columns() const { return columns_; }

private:
  int global(int local, int process, int processes) const {
    return (local / nb_ * processes + process) * nb_ + local % nb_;
  }
  double element(int i, int j, bool positiveDefinite) const {
    std::uint64_t state = (static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j)) + 1;
    for (int round = 0; round < 2; ++round)
      state = (state ^ state >> 31) * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 40) / (1 << 24) - 0.5 + (positiveDefinite && i == j ? n_ : 0);
  }

  const Grid &grid_;
  int n_, nb_, rows_, columns_;
  int desc_[9];
  std::vector<double> original_, data_;
};

/// One of the three routines, with its workspaces.
class Routine {
public:
  Routine(std::string name, int n, int nb, BlockCyclic &A)
      : name_(std::move(name)), n_(n), A_(A), pivots_(A.rows() + nb), tau_(A.columns() + 1) {
    if (name_ == "geqrf") {
      double size = 0;
      const int query = -1;
      geqrf(&size, query);
      work_.resize(static_cast<std::size_t>(size));
    }
  }

  int run() {
    if (name_ == "potrf") {
      int info = 0;
      pdpotrf_("L", &n_, A_.data(), &one, &one, A_.desc(), &info);
      return info;
    }
    if (name_ == "getrf") {
      int info = 0;
      pdgetrf_(&n_, &n_, A_.data(), &one, &one, A_.desc(), pivots_.data(), &info);
      return info;
    }
    return geqrf(work_.data(), static_cast<int>(work_.size()));
  }

  /// As LAPACK Working Note 41 counts them.
  double flops() const {
    const double n = n_;
    if (name_ == "potrf")
      return n * n * n / 3 + n * n / 2 + n / 6;
    if (name_ == "getrf")
      return 2 * n * n * n / 3 - n * n / 2 + 5 * n / 6;
    return 4 * n * n * n / 3 + 2 * n * n + 14 * n / 3;
  }

private:
  int geqrf(double *work, int lwork) {
    int info = 0;
    pdgeqrf_(&n_, &n_, A_.data(), &one, &one, A_.desc(), tau_.data(), work, &lwork, &info);
    return info;
  }

  static constexpr int one = 1;
  const std::string name_;
  const int n_;
  BlockCyclic &A_;
  std::vector<int> pivots_;
  std::vector<double> tau_, work_;
};

/// Seconds of the slowest rank.
double timeOnce(const Grid &grid, BlockCyclic &A, Routine &routine) {
  A.restore();
  Cblacs_barrier(grid.context, "All");
  const double begin = MPI_Wtime();
  const int info = routine.run();
  double seconds = MPI_Wtime() - begin;
  if (info != 0)
    std::fprintf(stderr, "scalapack_peers: info = %d\n", info);
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

void measure(const std::string &bench, int n, int nb, int gridRows, int gridColumns, int repeat) {
  const Grid grid(gridRows, gridColumns);
  BlockCyclic A(grid, n, nb, bench == "potrf");
  Routine routine(bench, n, nb, A);
  std::vector<double> seconds;
  timeOnce(grid, A, routine); // warms up
  for (int r = 0; r < repeat; ++r)
    seconds.push_back(timeOnce(grid, A, routine));
  std::sort(seconds.begin(), seconds.end());
  const double median = seconds[seconds.size() / 2];
  if (grid.row == 0 && grid.column == 0)
    std::printf("{\"bench\":\"%s\",\"n\":%d,\"nb\":%d,\"grid\":\"%dx%d\",\"seconds\":%.6f,\"gflops\":%.3f}\n",
                bench.c_str(), n, nb, gridRows, gridColumns, median, routine.flops() / median * 1e-9);
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("scalapack_peers: ScaLAPACK's factorizations on a grid of ranks");
  std::string bench, grid = "1x2";
  int n = 1000, nb = 64, repeat = 3, rows = 0, columns = 0;
  app.add_option("bench", bench)->required()->check(CLI::IsMember({"potrf", "getrf", "geqrf"}));
  app.add_option("-n", n)->check(CLI::PositiveNumber);
  app.add_option("--nb", nb)->check(CLI::PositiveNumber);
  app.add_option("--grid", grid, "PxQ, as many as there are ranks");
  app.add_option("--repeat", repeat)->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

  MPI_Init(&argc, &argv);
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const bool understood = std::sscanf(grid.c_str(), "%dx%d", &rows, &columns) == 2 && rows > 0 && columns > 0;
  if (understood && rows * columns == ranks) {
    openblas_set_num_threads(1);
    measure(bench, n, nb, rows, columns, repeat);
  } else {
    std::fprintf(stderr, "scalapack_peers: --grid %s is not a grid of %d ranks\n", grid.c_str(), ranks);
  }
  MPI_Finalize();
  return understood && rows * columns == ranks ? 0 : 2;
}
