// Structural zeros: which tiles of a matrix are there, from where a sparse matrix has entries.
#pragma once

#include "runtime/host/problem/sizes.hpp"

#include <tla/runtime/algorithm.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tla::host {

/// The patterns of a run's matrices, as --pattern gives them. Tiles of any size can be asked for, by several threads.
class Patterns final : public runtime::TilePatterns {
public:
  /// `text` is FILE or FILE,fill, of the algorithm's matrix number `index`: tiles of the matrix are those with an entry
  /// of the Matrix Market file; with fill also the diagonal ones, and what elimination without pivoting makes of zeros
  /// (symbolicFactorization). What the file says of the matrix' shape. Throws UsageError.
  GivenShape add(const runtime::MatrixParameter &matrix, int index, const std::string &text);
  bool empty() const { return entries_.empty(); }

  /// Sets the matrix's pattern; for a matrix of another size, by which something is estimated, the pattern is shrunk,
  /// or stretched.
  void describe(const runtime::MatrixParameter &matrix, Storage &storage) const override;
  /// "b.mtx, with fill"; empty for a matrix with all its tiles.
  std::string text(const runtime::MatrixParameter &matrix) const;
  /// The file; empty likewise.
  std::string path(const runtime::MatrixParameter &matrix) const;

private:
  /// Entries of a matrix, by column and row, each once.
  struct Entries {
    std::string path;
    bool fills = false;
    long rows = 0, columns = 0;
    std::vector<std::pair<int, int>> positions; ///< column, row
  };
  using Table = std::vector<unsigned char>; ///< one entry for each tile, column-major

  static Table tableOf(const Entries &entries, const Storage &storage);

  std::map<std::string, Entries> entries_;
  mutable std::mutex mutex_; // guards the following: tables are made once for each size of tiles
  mutable std::map<std::tuple<std::string, int, int, int>, std::shared_ptr<const Table>> tables_; ///< by name, nb, m, n
};

/// Throws Error where the program has a task on a tile that is none of its matrix: "the matrix' pattern does not have
/// tile A(3, 1) (trsm, cholesky.tla:12)". Asks all tasks; for those who run, or count, without looking.
void requireStoredTiles(const runtime::Algorithm &algorithm, const runtime::Arguments &arguments);

/// Adds to a table of mt x mt tiles, column-major, the diagonal and all that Gaussian elimination without pivoting
/// fills in: of a Lower or Upper matrix as Cholesky's factorization does [George, Liu: Computer Solution of Large
/// Sparse Positive Definite Systems, 1981, section 5.2, on tiles], which makes column j from the columns that have j as
/// their first row below the diagonal; of a general one as LU does.
void symbolicFactorization(Shape shape, int mt, std::vector<unsigned char> &present);

} // namespace tla::host
