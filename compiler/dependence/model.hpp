// The polyhedral model of a program: who runs, when, and what it touches, as isl sets and relations.
#pragma once

#include "compiler/dependence/context.hpp"
#include "compiler/dependence/loops.hpp"
#include "compiler/dependence/parameters.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hetc::dependence {

/// One tile argument or release clause of one task.
struct AccessModel {
  std::size_t argument = 0; ///< index in Task::arguments or Task::releases
  bool release = false;
  const ir::TileAccess *access = nullptr;
  isl::map tiles;               ///< { S0[k, i] -> A[row, column] }: whole tiles, inside the matrix or not
  std::vector<isl::map> strays; ///< tiles that are outside each range of ir::TileAccess::inside
  isl::union_map regions;       ///< { S0[k, i] -> A[row, column] }, or to AL[..] and AU[..] for a matrix used by halves
  isl::union_map cells; ///< regions; of a sliced matrix { S0[k, d] -> A[row, column, slice] } (slice_columns.hpp)
};

struct StatementModel {
  const ir::Task *task = nullptr;
  std::vector<const ir::Loop *> loops; ///< enclosing, outermost first
  std::vector<int> directions;         ///< sign of each loop's step
  isl::set domain;                     ///< { S0[k, i] : ... }
  /// { S0[k, i] -> [position, k, position, i, position, 0, ...] }: 2 * depth + 1 dimensions for the deepest statement;
  /// loops that count down have their variable negated.
  isl::multi_aff time;
  isl::map schedule;                 ///< time, on the domain
  isl::map place;                    ///< { S0[k, i] -> [row, column] }: Model::place of the main output's first tile
  std::vector<AccessModel> accesses; ///< tile arguments in order, then releases
};

/// How a matrix appears in relations.
struct MatrixModel {
  const ir::Matrix *matrix = nullptr;
  std::string name;         ///< name of the tile tuple: the matrix's, unless that looks like a statement's
  std::string lower, upper; ///< names of the tuples for the halves; empty when the program uses none
  isl::pw_aff rows, cols;   ///< { [] -> [tiles] }; cols of a sliced matrix: [slices]
  isl::set tiles;           ///< { A[i, j] : the tile, or slice, exists }
};

/// { S0[k, i] -> S1[k', i'] : the first runs before the second }, for all values of loops' variables, whether they are
/// taken or not. Empty, or all pairs, for statements without a common loop.
isl::map runsBefore(const StatementModel &first, const StatementModel &second);

/// The number of loops around both statements.
std::size_t countCommonLoops(const StatementModel &first, const StatementModel &second);

/// Parameters of all sets: see parameters.hpp. Borrows the program.
struct Model {
  ContextOwner ctx; // first: outlives the isl objects below
  const ir::Program *program = nullptr;
  std::shared_ptr<AffineTranslator> translator; ///< translator that knows the parameters
  std::vector<Parameter> parameters;
  isl::set context;                            ///< { : constraints on the parameters }
  bool complete = true;                        ///< no task is missing; with Steps::Covered one may be
  std::vector<StatementModel> statements;      ///< statements in textual order
  std::map<std::string, MatrixModel> matrices; ///< by name in the program

  /// { [row, column] -> [row, column] }: where the tiles of a matrix stand among those that are at home together. Of a
  /// program with slices, these are slices: a tile of a matrix without them stands where its first slice would. Of one
  /// for copies of nodes: column J of a matrix that is c copies further on stands in column copies * J + c; and tile
  /// (I, J) of one that is dealt by rows where (I, J - J mod copies + I mod copies) of another would. Of such
  /// a one the parameters decide.
  isl::map place(const ir::Matrix &matrix) const;
  /// The matrix of a tile tuple, whole or of a half.
  const MatrixModel &matrixOf(const std::string &tuple) const;

  const StatementModel &statement(unsigned task) const;
  isl::union_set domain() const;    ///< { S0[k]; S1[k, i]; ... }
  isl::union_map schedule() const;  ///< { S0[k] -> [...]; ... }
  isl::union_map reads() const;     ///< { S0[k] -> A[k, k]; ... } of reading arguments, by region
  isl::union_map writes() const;    ///< { S0[k] -> A[k, k]; ... } of writing arguments, by region
  isl::union_map readCells() const; ///< { S0[k] -> A[row, column, slice]; ... } of reading arguments, by cell
  isl::union_map writeCells() const;
  isl::union_map regionsOfCells() const; ///< { A[row, column, slice] -> A[row, slice column]; ... }, of every cell
};

/// The name of a task's tuple: S12.
inline std::string statementName(unsigned task) { return std::string("S").append(std::to_string(task)); }

/// Throws NonAffine when the program is outside the affine subset, isl::exception when isl fails.
Model buildModel(const ir::Program &program, ContextOwner ctx = makeContext(), Steps steps = Steps::Constant);

inline bool reads(const ir::TileAccess &access) { return access.access != ir::Access::Write; }
inline bool writes(const ir::TileAccess &access) { return access.access != ir::Access::Read; }

} // namespace hetc::dependence
