// With which of the copies of the nodes a matrix is at home: by its rows of tiles, or by its columns.
#pragma once

#include "compiler/dependence/runs.hpp"
#include "compiler/ir/program.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hetc::maps {

/// The outermost loop on which not the tile's place depends, but where in its run the update is; null: there is none.
const ir::Loop *stepOf(const ir::TileAccess &tile, const dependence::RunEnds &ends,
                       const std::vector<const ir::Loop *> &loops);

/// Whether each update is a run of its own, with nothing to share.
bool isAlone(const dependence::RunEnds &ends);

/// Decides by which of its tiles' numbers a matrix is dealt to the copies: by the number in which updates name their
/// step, where most name it in the row. So it is read within the copy that the step is done on.
class Homes {
public:
  /// Sets Matrix::byRows of the program, which must outlive this, as must its runs.
  Homes(ir::Program &program, const dependence::Runs &runs);

  /// Whether the matrix is dealt by rows wherever the task, one of a run, is reached. Nothing: scalars decide.
  std::optional<bool> atTask(unsigned task, const ir::Matrix &matrix) const;

private:
  void count(const ir::Block &body);
  /// All values of the enumerations that paths ask for; other scalars decide nothing here.
  void makeArguments();
  bool isByRows(const std::string &matrix, const ir::Environment &arguments) const;
  bool isWhere(const ir::ExprRef &condition, const std::string &matrix) const;
  /// The condition under which the matrix is dealt by rows: always, or where one scalar has, or has not, a value; null:
  /// nowhere, or nothing as simple. Null: nowhere, or nothing as simple.
  ir::ExprRef whereByRows(const std::string &matrix) const;

  const ir::Program &program_;
  const dependence::Runs &runs_;
  std::vector<ir::ExprRef> conditions_;                ///< condition of each path
  std::vector<std::map<std::string, int>> rows_;       ///< accesses by row less those by column
  std::map<unsigned, std::vector<std::size_t>> paths_; ///< paths on which each task is
  std::vector<ir::Environment> arguments_;
};

} // namespace hetc::maps
