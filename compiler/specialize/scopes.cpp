#include "compiler/specialize/scopes.hpp"

#include <set>

namespace hetc::specialize {
namespace {

/// Two walks: names that the program defines anywhere, and whether each is named inside its scope only.
class Scopes {
public:
  void define(const Block &block) {
    for (const Statement &statement : block)
      if (const auto *loop = std::get_if<std::unique_ptr<Loop>>(&statement)) {
        all_.insert((*loop)->variable);
        for (const Range &range : (*loop)->ranges)
          all_.insert(range.member);
        define((*loop)->body);
      } else if (const auto *branch = std::get_if<std::unique_ptr<If>>(&statement))
        define((*branch)->then);
      else if (const auto *let = std::get_if<Let>(&statement))
        all_.insert(let->name);
  }

  /// A copy of the scope for every block: what it defines ends with it.
  void check(const Block &block, std::set<std::string> scope) {
    for (const Statement &statement : block)
      std::visit([&](const auto &child) { checkStatement(child, scope); }, statement);
  }

  std::optional<std::string> outside;

private:
  void checkStatement(const std::unique_ptr<Loop> &loop, const std::set<std::string> &scope) {
    std::set<std::string> inner = scope;
    inner.insert(loop->variable);
    for (const Range &range : loop->ranges) {
      for (const ir::ExprRef &expr : {range.first, range.last, range.when})
        checkNames(expr, scope);
      inner.insert(range.member);
    }
    check(loop->body, std::move(inner));
  }
  void checkStatement(const std::unique_ptr<If> &branch, const std::set<std::string> &scope) {
    checkNames(branch->condition, scope);
    check(branch->then, scope);
  }
  void checkStatement(const Let &let, std::set<std::string> &scope) {
    checkNames(let.value, scope);
    scope.insert(let.name);
  }
  void checkStatement(const OwnTask &own, const std::set<std::string> &scope) {
    for (const auto &[variable, index] : own.indices)
      checkNames(index, scope);
  }
  void checkStatement(const Transfer &transfer, const std::set<std::string> &scope) {
    for (const ir::ExprRef &expr : {transfer.row, transfer.column, transfer.peerX, transfer.peerY, transfer.priority})
      checkNames(expr, scope);
    for (const ir::ExprRef &expr : transfer.version)
      checkNames(expr, scope);
  }
  void checkNames(const ir::ExprRef &expr, const std::set<std::string> &scope) {
    if (!expr)
      return;
    for (const std::string &name : ir::variables(*expr))
      if (all_.count(name) && !scope.count(name))
        outside = name;
  }

  std::set<std::string> all_;
};

} // namespace

std::optional<std::string> nameOutOfScope(const NodeProgram &nodeProgram) {
  Scopes scopes;
  scopes.define(nodeProgram.body);
  scopes.check(nodeProgram.body, {});
  return scopes.outside;
}

} // namespace hetc::specialize
