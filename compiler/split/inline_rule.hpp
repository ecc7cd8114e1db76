// A task's rule with the task's arguments in it. Private to the stage.
#pragma once

#include "compiler/split/facts.hpp"

#include "compiler/ir/program.hpp"

#include <map>
#include <set>
#include <string>

namespace hetc::split {

/// The slice column s * j.
ir::ExprRef firstSlice(const ir::Program &program, const ir::ExprRef &tileColumn);
/// The slices of tile column j: min(s, A.ns() - s * j).
ir::ExprRef sliceCount(const ir::Program &program, const std::string &matrix, const ir::ExprRef &tileColumn);
/// All slices of the tile, or of each tile of the panel.
ir::TileAccess gathered(const ir::Program &program, ir::TileAccess tile, ir::Access access);

/// One use of a rule.
class RuleInliner {
public:
  /// Borrows all. `names` are taken, and grow by the loops'. Kernels that the rule calls are added to the program.
  RuleInliner(ir::Program &program, const ir::Program &rule, const ir::Task &task, const Facts &facts,
              std::set<std::string> &names);

  ir::Block run() { return block(rule_.body); }

private:
  ir::Block block(const ir::Block &block);
  std::unique_ptr<ir::Loop> loop(const ir::Loop &loop);
  void branch(const ir::If &branch, ir::Block &out);
  void addTask(const ir::Task &task, ir::Block &out);
  ir::TileAccess access(const ir::TileAccess &access) const;
  std::size_t mainOutput(const ir::Task &ofRule, const ir::Task &made) const;
  void declare(const std::string &kernel);
  std::string uniqueName(const std::string &base);

  /// The expression at the call: the rule's names replaced by what they stand for there, constants computed; null of
  /// null.
  ir::ExprRef expr(const ir::ExprRef &expr) const { return expr ? facts_.apply(substituted(expr)) : expr; }
  ir::ExprRef substituted(const ir::ExprRef &expr, bool typed = false) const;
  bool hasType(const ir::Expr &expr, const std::string &type) const;
  std::string castHere(const std::string &type) const;
  ir::ExprRef extent(const ir::Expr &expr) const;

  ir::Program &program_;
  const ir::Program &rule_;
  const ir::Task &task_;
  const Facts &facts_;
  std::set<std::string> &names_;
  std::map<std::string, const ir::TileAccess *> tiles_; ///< tiles of the call, by the rule's names
  std::map<std::string, ir::ExprRef> values_;           ///< scalars, isWhole(), isOverwritten() and loop variables
  std::map<std::string, std::string> numbers_; ///< types of scalars that are real or complex, as the program casts
};

} // namespace hetc::split
