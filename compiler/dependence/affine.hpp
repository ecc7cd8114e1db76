// IR expressions as isl: every name, loop variables included, is a parameter here, so that translation needs no scopes.
// The model binds loop variables to statement dimensions afterwards.
#pragma once

#include "compiler/dependence/dependence.hpp"
#include "compiler/dependence/parameters.hpp"

#include <isl/cpp.h>

#include <set>

namespace hetc::dependence {

/// Throws NonAffine for an expression that isl cannot hold; the one entry point, analyze(), turns it into a value.
class AffineTranslator {
public:
  /// `covers`: A.has(i, j) is taken to hold wherever A may have the tile; else it throws NonAffine.
  AffineTranslator(isl::ctx ctx, const ir::Program &program, bool covers = false);

  /// Where the next expressions stand, for NonAffine.
  void setLocation(const ir::Location &location) { location_ = location; }
  /// Loop variables in scope.
  void enter(const std::string &variable) { loops_.insert(variable); }
  void leave(const std::string &variable) { loops_.erase(variable); }

  /// { [] -> [value] }, over parameters only and total.
  isl::pw_aff value(const ir::Expr &expr);
  /// { : condition }, a parameter set; of a cover one that holds it.
  isl::set condition(const ir::Expr &expr);
  /// { : the condition is false }, likewise.
  isl::set negation(const ir::Expr &expr);
  /// { [] -> [tiles] } of a matrix per column (rows) or per row.
  isl::pw_aff tileRows(const ir::Matrix &matrix);
  isl::pw_aff tileCols(const ir::Matrix &matrix);
  /// { [] -> [columns] }: of tiles, or of slices where the matrix is sliced.
  isl::pw_aff columns(const ir::Matrix &matrix);

  /// { [] -> [elements] }: the rows of the tiles of tile row `index`, or the columns of those of a tile column; 0 where
  /// there are none. The last tile's are an open number, the same for all matrices with the same size there.
  isl::pw_aff rowsOfTiles(const ir::Matrix &matrix, const isl::pw_aff &index);
  isl::pw_aff colsOfTiles(const ir::Matrix &matrix, const isl::pw_aff &index);
  /// { : what is known of those open numbers }, a parameter set.
  isl::set lastTiles();

  /// { [] -> [v] } for any parameter, and { [] -> [c] }.
  isl::pw_aff parameter(const std::string &name) const;
  isl::pw_aff constant(std::int64_t value) const;
  isl::set universe() const; ///< { : }, a parameter set
  const ParameterTable &parameters() const { return parameters_; }

  [[noreturn]] void fail(const ir::Expr &expr, const std::string &reason) const;

private:
  isl::pw_aff variable(const ir::Expr &expr);
  bool isNumber(const ir::Expr &expr) const;
  bool isArgument(const ir::Expr &expr) const;
  isl::set comparisonOfNumbers(const ir::Expr &expr);
  isl::pw_aff extent(const ir::Expr &expr);
  isl::set mayHave(const ir::Expr &expr);
  isl::pw_aff product(const ir::Expr &expr);
  isl::pw_aff quotient(const ir::Expr &expr);
  isl::pw_aff select(const ir::Expr &expr);
  isl::pw_aff cast(const ir::Expr &expr);
  isl::pw_aff tiles(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent);
  isl::pw_aff elements(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent);
  isl::pw_aff tileSize(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent);
  isl::pw_aff ownExtent(const ir::Matrix &matrix, const ir::ExprRef &shape, ir::Extent extent, std::int64_t minimum);
  isl::pw_aff commonTileSize();
  isl::pw_aff piece(const ir::Expr &elements, const isl::pw_aff &index);
  isl::pw_aff lastPiece(const std::string &symbol);
  std::optional<isl::pw_aff> tilesOf(const ir::Expr &elements, bool slices = false);
  bool isCutAlike(const ir::Matrix &matrix) const;
  bool isTileSize(const ir::Expr &expr) const;

  isl::ctx ctx_;
  const ir::Program &program_;
  const bool covers_;
  ParameterTable parameters_;
  std::set<std::string> loops_;
  std::set<std::string> lastPieces_; ///< parameters
  ir::Location location_;
};

} // namespace hetc::dependence
