#include "compiler/dependence/relations.hpp"

#include "compiler/ir/text.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>

namespace hetc::dependence {

namespace {

/// The text without parameters that do not matter to it. Takes the C string that isl allocated.
std::string take(char *text) {
  std::string result(text);
  std::free(text);
  return result;
}
std::string textOf(const isl::map &map) {
  return take(isl_map_to_str(isl::manage(isl_map_drop_unused_params(map.copy())).get()));
}
std::string textOf(const isl::set &set) {
  return take(isl_set_to_str(isl::manage(isl_set_drop_unused_params(set.copy())).get()));
}

std::string position(const ir::Location &location) {
  return (location.file.empty() ? "" : location.file + ":") + std::to_string(location.line) + ":" +
         std::to_string(location.column);
}

/// Without views and transposes, which are whole tiles here.
std::string textOf(ir::TileAccess access) {
  access.rows = access.cols = access.within = {};
  access.region = access.touched();
  access.isTransposed = false;
  return ir::print(access);
}

const char *verb(const AccessModel &access) {
  if (access.release)
    return "release ";
  switch (access.access->access) {
  case ir::Access::Read:
    return "read    ";
  case ir::Access::Write:
    return "write   ";
  case ir::Access::ReadWrite:
    return "rw      ";
  }
  return "";
}

class Printer {
public:
  explicit Printer(const Relations &relations) : relations_(relations), model_(relations.model) {}

  std::string run() {
    text_ = "context " + textOf(model_.context) + "\n";
    for (const StatementModel &statement : model_.statements)
      printStatement(statement);
    printPairs("flow", relations_.flow);
    printPairs("anti", relations_.anti);
    printPairs("output", relations_.output);
    printInitialReads();
    return std::move(text_);
  }

private:
  /// The text without the constraints on parameters that the context already has.
  template <typename T> std::string plain(const T &relation) const {
    return textOf(relation.gist_params(model_.context).coalesce());
  }

  static std::string describe(const ir::Task &task) { return task.kernel + " at " + position(task.location); }

  void printStatement(const StatementModel &statement) {
    text_ += "\nstatement " + statementName(statement.task->id) + " // " + describe(*statement.task) + "\n";
    text_ += "  domain   " + plain(statement.domain) + "\n";
    text_ += "  schedule " + plain(statement.time.as_map()) + "\n";
    for (const AccessModel &access : statement.accesses)
      for (const isl::map &map : sorted(access.regions))
        text_ += std::string("  ") + verb(access) + " " + plain(map.gist_domain(statement.domain)) + " // " +
                 textOf(*access.access) + "\n";
  }

  /// S12 -> 12.
  static unsigned taskOf(const isl::id &tuple) { return static_cast<unsigned>(std::stoul(tuple.name().substr(1))); }

  using Key = std::tuple<unsigned, unsigned, std::string>; // from, to, tile tuple
  static Key keyOf(const isl::map &map) {
    const unsigned from = taskOf(map.domain_tuple_id());
    if (map.has_range_tuple_id()) // { S0[k] -> A[..] }
      return {from, 0, map.range_tuple_id().name()};
    const isl::map pair = map.range().unwrap();
    return {from, taskOf(pair.domain_tuple_id()), pair.range_tuple_id().name()};
  }

  static std::vector<isl::map> sorted(const isl::union_map &relation) {
    std::vector<isl::map> maps;
    relation.foreach_map([&](const isl::map &map) { maps.push_back(map); });
    std::sort(maps.begin(), maps.end(), [](const isl::map &a, const isl::map &b) { return keyOf(a) < keyOf(b); });
    return maps;
  }

  void printPairs(const std::string &kind, const isl::union_map &relation) {
    if (!relation.is_empty())
      text_ += "\n";
    for (const isl::map &map : sorted(relation)) {
      const auto [from, to, tile] = keyOf(map);
      text_ += kind + " " + statementName(from) + " -> " + statementName(to) + " on " + tile + " // " +
               describe(*model_.statement(from).task) + " -> " + describe(*model_.statement(to).task) + "\n  " +
               plain(map) + "\n";
    }
  }

  void printInitialReads() {
    if (!relations_.initialReads.is_empty())
      text_ += "\n";
    for (const isl::map &map : sorted(relations_.initialReads)) {
      const auto [task, unused, tile] = keyOf(map);
      text_ += "initial " + statementName(task) + " on " + tile + " // " + describe(*model_.statement(task).task) +
               "\n  " + plain(map) + "\n";
    }
  }

  const Relations &relations_;
  const Model &model_;
  std::string text_;
};
} // namespace

std::string print(const ir::Program &program, const Analysis &analysis) {
  std::string text = "// dependences of " + program.name + ", " + program.source + "\n";
  text += Printer(*analysis.relations).run();
  if (!analysis.priorities.empty())
    text += "\n";
  for (const auto &[task, priority] : analysis.priorities)
    text += "priority " + statementName(task) + " " + ir::print(*priority) + "\n";
  return text;
}

} // namespace hetc::dependence
