#include "compiler/split/split.hpp"

#include "compiler/split/inline_rule.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace hetc::split {

using ir::ExprKind;
using ir::ExprRef;

namespace {

void collectNames(const ir::Block &block, std::set<std::string> &names) {
  for (const ir::Statement &statement : block) {
    if (const auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
      names.insert((*loop)->variable);
      collectNames((*loop)->body, names);
    } else if (const auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
      collectNames((*branch)->then, names);
      collectNames((*branch)->otherwise, names);
    }
  }
}

/// Names that loops of rules cannot have: those of the program, and those that mean something else in generated code.
std::set<std::string> takenNames(const ir::Program &program) {
  std::set<std::string> names = {"task", "tasks", "arguments", "values", "scalars", "flops", "rt", "T", "real"};
  names.insert(program.sizes.begin(), program.sizes.end());
  for (const ir::Matrix &matrix : program.matrices)
    names.insert(matrix.name);
  for (const ir::Scalar &scalar : program.scalars)
    names.insert(scalar.name);
  collectNames(program.body, names);
  return names;
}

/// True when the tiles are as wide as those of the parameters, all of which have one size.
bool hasTileWidth(const ir::Program &program, const ir::Matrix &matrix) {
  if (matrix.kind != ir::MatrixKind::Workspace)
    return true;
  const ir::Expr &width = matrix.tileCols ? *matrix.tileCols : *matrix.tileRows;
  return width.kind == ExprKind::Extent && (width.extent == ir::Extent::Mb || width.extent == ir::Extent::Nb) &&
         program.findMatrix(width.text)->kind != ir::MatrixKind::Workspace;
}

/// Whether a matrix is cut.
bool isCut(const ir::Program &program, const ir::Matrix &matrix) {
  return matrix.type != ir::ElementType::I && hasTileWidth(program, matrix);
}

/// The kernels, "kernel 'sum'", that take a matrix's tiles as their documentation describes them, and not by a split
/// rule that calls them opaque. A rule's content of opaque tiles depends on the cut: it is not for matrices that are
/// named here.
using Readers = std::map<std::string, std::string>;

std::string shortName(const ir::Task &task) { return task.kernel.substr(task.kernel.rfind(':') + 1); }

/// Finds the rule for a task among the available ones.
class RuleBook {
public:
  RuleBook(const Subject &subject, const std::vector<ir::Program> &rules)
      : program_(*subject.program), fitting_(subject.fitting), rules_(rules) {}

  /// The rule of the task's kernel for tiles of these element types; null: there is none.
  const ir::Program *find(const ir::Task &task) const {
    const auto isFor = [&](const ir::Program &rule) {
      return rule.name == task.kernel && forTiles(task, [&](const ir::TileAccess &tile, std::size_t i) {
               return program_.findMatrix(tile.matrix)->type == parameter(rule, i).type;
             });
    };
    const auto rule = std::ranges::find_if(rules_, isFor);
    return rule == rules_.end() ? nullptr : &*rule;
  }

  /// Why the rule is not for this task; empty when it is.
  std::string whyNot(const ir::Task &task, const ir::Program *rule, const Readers &readers) const {
    std::string reason = rule ? "" : "it has no split rule" + advice(task);
    forTiles(task, [&](const ir::TileAccess &tile, std::size_t i) {
      if (reason.empty())
        reason = whyNot(tile, parameter(*rule, i), readers);
      return reason.empty();
    });
    if (reason.empty() && !fitting_.contains(task.id))
      reason = "hetc cannot tell that its arguments fit together here";
    return reason;
  }

  /// Adds those of the program: kernels without a rule that is used, and rules that do not call a tile opaque.
  void addReaders(Readers &readers) const {
    std::size_t known;
    do {
      known = readers.size();
      ir::forEachTask(program_.body, [&](const ir::Task &task) { addReaders(task, readers); });
    } while (readers.size() > known); // a rule less in use is a reader more
  }

private:
  static const ir::Matrix &parameter(const ir::Program &rule, std::size_t i) {
    return *rule.findMatrix(rule.parameterOrder[i]);
  }

  /// Whether `holds` is true of all tile arguments.
  template <typename Holds> static bool forTiles(const ir::Task &task, Holds holds) {
    for (std::size_t i = 0; i < task.arguments.size(); ++i)
      if (const auto *tile = std::get_if<ir::TileAccess>(&task.arguments[i]); tile && !holds(*tile, i))
        return false;
    return true;
  }

  std::string whyNot(const ir::TileAccess &tile, const ir::Matrix &ofRule, const Readers &readers) const {
    if (tile.isTransposed)
      return "'" + tile.matrix + "' is transposed";
    if (tile.cols.first)
      return "'" + tile.matrix + "' is viewed by columns";
    if (const bool cut = isCut(program_, *program_.findMatrix(tile.matrix)); cut != ofRule.isSliced())
      return "'" + tile.matrix + "' is " + (cut ? "" : "not ") + "cut, other than in its split rule";
    const auto reader = ofRule.opaque ? readers.find(tile.matrix) : readers.end();
    return reader == readers.end() ? ""
                                   : "what its split rule has in '" + tile.matrix + "' depends on the cut, and " +
                                         reader->second + " needs the tiles as they are documented";
  }

  void addReaders(const ir::Task &task, Readers &readers) const {
    const ir::Program *rule = find(task);
    const bool isUsed = rule && whyNot(task, rule, readers).empty();
    forTiles(task, [&](const ir::TileAccess &tile, std::size_t i) {
      if (!isUsed || !parameter(*rule, i).opaque)
        readers.emplace(tile.matrix, "kernel '" + shortName(task) + "'");
      return true;
    });
  }

  static std::string advice(const ir::Task &task) {
    return "; a rule is a function template tla::split::" + shortName(task) +
           " under '#pragma tla split' (tla/split.hpp)";
  }

  const ir::Program &program_;
  const std::set<unsigned> &fitting_;
  const std::vector<ir::Program> &rules_;
};

class Splitter {
public:
  Splitter(const Subject &subject, const std::vector<ir::Program> &rules, const Readers &readers)
      : program_(*subject.program), rules_(subject, rules), readers_(readers), names_(takenNames(program_)) {}

  std::vector<ir::Diagnostic> run() {
    for (ir::Matrix &matrix : program_.matrices)
      if (isCut(program_, matrix))
        matrix.mapping = ir::Sliced{};
    program_.body = block(std::move(program_.body));
    unsigned id = 0;
    ir::forEachTask(program_.body, [&](ir::Task &task) { task.id = id++; });
    ir::dropUnusedKernels(program_); // the rules' are there in place of the algorithm's
    return std::move(remarks_);
  }

private:
  ir::Block block(ir::Block block) {
    ir::Block result;
    for (ir::Statement &statement : block) {
      if (auto *loop = std::get_if<std::unique_ptr<ir::Loop>>(&statement)) {
        (*loop)->body = this->block(std::move((*loop)->body));
        result.push_back(std::move(*loop));
      } else if (auto *branch = std::get_if<std::unique_ptr<ir::If>>(&statement)) {
        splitBranch(**branch);
        result.push_back(std::move(*branch));
      } else
        std::ranges::move(splitTask(std::move(std::get<std::unique_ptr<ir::Task>>(statement))),
                          std::back_inserter(result));
    }
    return result;
  }

  void splitBranch(ir::If &branch) {
    const std::size_t before = facts_.size();
    facts_.add(branch.condition, true);
    branch.then = block(std::move(branch.then));
    facts_.shrink(before);
    facts_.add(branch.condition, false);
    branch.otherwise = block(std::move(branch.otherwise));
    facts_.shrink(before);
  }

  ir::Block splitTask(std::unique_ptr<ir::Task> task) {
    task->releases.clear();
    for (ir::Argument &argument : task->arguments) // the author's program was proved; in slices they say nothing
      if (auto *tile = std::get_if<ir::TileAccess>(&argument))
        tile->inside.clear();
    const ir::Program *rule = rules_.find(*task);
    const std::string obstacle = rules_.whyNot(*task, rule, readers_);
    if (obstacle.empty())
      return RuleInliner(program_, *rule, *task, facts_, names_).run();
    if (gather(*task))
      remark(*task, obstacle);
    ir::Block result;
    result.push_back(std::move(task));
    return result;
  }

  /// One task on whole tiles; true when some of them are gathered.
  bool gather(ir::Task &task) const {
    bool found = false;
    for (ir::Argument &argument : task.arguments)
      if (auto *tile = std::get_if<ir::TileAccess>(&argument); tile && program_.findMatrix(tile->matrix)->isSliced()) {
        *tile = gathered(program_, std::move(*tile), tile->access);
        found = true;
      }
    return found;
  }

  /// Each kernel and reason once.
  void remark(const ir::Task &task, const std::string &reason) {
    if (!remarked_.insert(task.kernel + reason).second)
      return;
    remarks_.push_back({ir::Diagnostic::Severity::Remark,
                        task.location,
                        "kernel '" + shortName(task) + "' runs on whole tiles, on the host: " + reason,
                        {}});
  }

  ir::Program &program_;
  const RuleBook rules_;
  const Readers &readers_;
  std::set<std::string> names_;
  Facts facts_;
  std::set<std::string> remarked_;
  std::vector<ir::Diagnostic> remarks_;
};

/// Names of the call's parameters, which are those that the check names, between an Op and B or before the residual,
/// and what they are in the program. Matrices as they were before the run are nobody else's.
std::map<std::string, std::string> argumentsOf(const ir::Program &program, const ir::Program &call) {
  const auto check = std::ranges::find_if(program.checkArguments, &ir::CheckArgument::isCall);
  assert(check != program.checkArguments.end() && "a program with a call has an argument that calls it");
  std::map<std::string, std::string> result;
  const std::size_t first = call.parameterOrder.size() - 1 - check->arguments.size();
  for (std::size_t i = 0; i < check->arguments.size(); ++i)
    if (check->arguments[i].kind == ir::CheckArgument::Kind::Parameter)
      result[call.parameterOrder[first + i]] = check->arguments[i].name;
  return result;
}

/// All matrices of the caller's that are no workspaces are read by the caller, except those that are the program's.
Readers callersOwn(const ir::Program &program, const std::map<std::string, std::string> &known) {
  Readers readers;
  for (const ir::Matrix &matrix : program.matrices)
    if (program.isParameter(matrix) && matrix.kind != ir::MatrixKind::Workspace && !known.contains(matrix.name))
      readers.insert({matrix.name, "the caller"});
  return readers;
}

/// Gives the readers of each program's matrices to the other's; true when that makes them more than before.
bool exchange(Readers &readers, Readers &ofCall, const std::map<std::string, std::string> &arguments) {
  const std::size_t before = readers.size() + ofCall.size();
  for (const auto &[inCall, name] : arguments) {
    if (const auto reader = readers.find(name); reader != readers.end())
      ofCall.insert({inCall, reader->second});
    if (const auto reader = ofCall.find(inCall); reader != ofCall.end())
      readers.insert({name, reader->second});
  }
  return readers.size() + ofCall.size() > before;
}

} // namespace

std::vector<ir::Diagnostic> split(Subject subject, Subject ofCheck, int slices, const std::vector<ir::Program> &rules) {
  assert(slices >= 2 && slices <= mostSlices && "checked with the request");
  ir::Program &program = *subject.program, *const call = ofCheck.program;
  const auto arguments = call ? argumentsOf(program, *call) : std::map<std::string, std::string>();
  Readers readers = callersOwn(program, {}), ofCall = call ? callersOwn(*call, arguments) : Readers();
  do {
    RuleBook(subject, rules).addReaders(readers);
    if (call)
      RuleBook(ofCheck, rules).addReaders(ofCall);
  } while (exchange(readers, ofCall, arguments));
  if (call) {
    call->slices = slices;
    Splitter(ofCheck, rules, ofCall).run();
  }
  program.slices = slices;
  return Splitter(subject, rules, readers).run();
}

} // namespace hetc::split
