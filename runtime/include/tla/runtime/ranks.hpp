// Algorithms on the ranks of the host's own MPI program, and on matrices that these ranks hold as ScaLAPACK lays them
// out.
#pragma once

#include <tla/matrix.hpp>
#include <tla/runtime/executor.hpp>

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace tla::runtime {

/// The part that one rank has of an m x n matrix in tiles of mb x nb, as an array of its own: the rows and columns of
/// tiles that are the rank's, side by side and in their order (ScaLAPACK's local array, where the distribution is
/// "2dbc:PxQ" on a grid in row-major order).
class LocalPart {
public:
  /// Throws UsageError, the same on all ranks, when the tiles of some rank are not the ones in some rows and some
  /// columns (sbc, g2dbc, some tables, copies of nodes).
  LocalPart(const Distribution &distribution, int rank, int m, int n, int mb, int nb);
  /// The part of the executor's rank; without ranks the whole matrix.
  LocalPart(const Executor &executor, int m, int n, int mb, int nb);

  /// The numbers of rows and columns of the local array.
  long rows() const { return rows_.length; }
  long columns() const { return columns_.length; }
  /// The indices of the part's rows and columns in the whole matrix, from 0.
  std::vector<int> rowIndices() const { return rows_.indices(); }
  std::vector<int> columnIndices() const { return columns_.indices(); }

  /// Makes the tiles of this part windows on the column-major local array, and all others null. The array is borrowed.
  /// Nothing is checked: wrap() and call() do that.
  void place(Storage &storage, void *local, int leading) const;
  /// Does the same after checking. Throws UsageError for a leading dimension below rows(), and for a null array where
  /// the part has elements.
  void wrap(Storage &storage, void *local, int leading, const std::string &name) const;

private:
  /// The rows of tiles, or the columns.
  struct Axis {
    int size, tile;
    std::vector<char> isOwn;  ///< whether each row of tiles is the rank's
    std::vector<long> begins; ///< where each row of tiles begins in the local array; for other ranks' rows, where the
                              ///< next own one begins
    long length;              ///< elements along this axis in the local array
    Axis(const std::vector<char> &ownOfPeriod, int size, int tile);
    std::vector<int> indices() const;
  };
  struct Owned {
    std::vector<char> rows, columns; ///< whether the rank has each row, and each column, of a period
    Owned(const Distribution &distribution, int rank);
  };
  LocalPart(const Owned &owned, int m, int n, int mb, int nb)
      : rows_(owned.rows, m, mb), columns_(owned.columns, n, nb) {}

  Axis rows_, columns_;
};

/// An executor on each rank of a communicator, and the way between them. Calls through it, hetc::cholesky(ranks, A),
/// are collective: all ranks make the same ones in the same order, on matrices of the same sizes of which each has its
/// part. One that is wrong on some rank, or not the same on all, is a UsageError on every rank, before anything runs.
class RankExecutor {
public:
  /// `communicator`: by MPI's Fortran handle (MPI_Comm_c2f), as for join() (launch.hpp). `distribution`: who owns which
  /// tile, as --dist has it ("2dbc:2x3", "row:4"), for as many nodes as there are ranks; empty: the most square 2dbc.
  /// Options::transport is not looked at; threads = 0: the ranks of a machine share the cores that they may use.
  /// Collective, and what it throws all ranks throw: UsageError, Error; but where a rank has not initialized MPI, or
  /// has no libtla_mpi.so, which it cannot tell the others.
  explicit RankExecutor(int communicator, const std::string &distribution = {}, const Options &options = {});
  /// An executor on each rank of a transport that the caller has made.
  explicit RankExecutor(std::shared_ptr<Transport> transport, const std::string &distribution = {},
                        const Options &options = {});
  /// Collective; it must run before MPI_Finalize().
  ~RankExecutor();
  RankExecutor(const RankExecutor &) = delete;
  RankExecutor &operator=(const RankExecutor &) = delete;

  int rank() const;
  int size() const;
  Executor &executor() const { return *executor_; }
  operator Executor &() const { return *executor_; }
  const Distribution &distribution() const { return executor_->distribution(); }

  /// This rank's part of an m x n matrix in tiles of nb x nb.
  LocalPart part(int m, int n, int nb) const { return {executor(), m, n, nb, nb}; }
  /// Matrix<T>, LowerMatrix<T> or UpperMatrix<T> of m x n elements in tiles of nb x nb, of which this rank has the part
  /// at `local`, as part(m, n, nb) says. No copy; the array must outlive the matrix. Not collective: what is wrong with
  /// the array call() says, on all ranks.
  template <typename M> M matrix(typename M::Element *local, int m, int n, int leading, int nb) const {
    using T = typename M::Element;
    constexpr Shape shape = std::is_same_v<M, LowerMatrix<T>>   ? Shape::Lower
                            : std::is_same_v<M, UpperMatrix<T>> ? Shape::Upper
                                                                : Shape::General;
    const StorageRef storage(new Storage(m, n, nb, nb, sizeof(T), shape));
    part(m, n, nb).place(*storage, local, leading);
    return M(*storage);
  }

private:
  std::shared_ptr<Transport> transport_; // outlives the executor
  std::unique_ptr<Executor> executor_;
};

/// Whether tile (i, j) of the matrix is this rank's. Where nodes stand in copies that depends on Storage::byRows(),
/// which the caller sets as the algorithm's MatrixParameter::byRows has it, before the matrix is filled: call() refuses
/// others.
bool ownsTile(const Executor &executor, const Storage &matrix, int i, int j);

/// The period of the executor's distribution; with a single rank, a period that says nothing.
Period periodOf(const Executor &executor);

/// Prepares a call on all ranks of an executor: `prepare` looks at this rank's arguments, says what is called, and
/// throws where that is not possible. If one throws, all ranks do, and so they do if they do not call the same:
/// UsageError where a caller is at fault. Collective; with one rank it is the call of `prepare`.
void agreeOnCall(Executor &executor, const std::function<std::string()> &prepare);
/// "cholesky (double) on 2dbc:2x2, A 100 x 100 in tiles of 10 x 10, ib = 32": what must be the same on all ranks.
std::string describeCall(const Executor &executor, const Algorithm &algorithm, const Arguments &arguments);

} // namespace tla::runtime
