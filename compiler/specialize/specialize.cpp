#include "compiler/specialize/specialize.hpp"

#include "compiler/specialize/homes.hpp"
#include "compiler/specialize/merge.hpp"
#include "compiler/specialize/names.hpp"
#include "compiler/specialize/scopes.hpp"
#include "compiler/specialize/transfers.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

namespace hetc::specialize {

namespace {
using dependence::StatementModel;
using ir::ExprKind;
using ir::ExprRef;

/// isl makes loops faster where what is known of the parameters is one piece.
isl::set convexHull(const isl::set &set) {
  return isl::manage(isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(set.get()))));
}

/// The number of events from which on a compiler takes seconds.
constexpr std::size_t mostEvents = 2000;

class Specializer {
public:
  /// `parts`: a node has at least `fewest` and at most `most` nodes of the distribution. 1 and 1: it is one.
  struct Parts {
    int fewest = 1, most = 1;
  };

  Specializer(const ir::Program &program, const dependence::Relations &relations, const tla::Distribution &distribution,
              Parts parts)
      : program_(program), relations_(relations), model_(relations.model), parts_(parts),
        placement_(model_, distribution), homes_(placement_),
        context_(convexHull(placement_.here().intersect(placement_.nodes()).params().intersect(model_.context))),
        names_(parameterNames(model_)) {
    names_[nodeX] = here_[0];
    names_[nodeY] = here_[1];
  }

  NodeProgram specialize() {
    for (const StatementModel &statement : model_.statements) {
      requireMainOutput(statement);
      addTasks(statement);
      addReleases(statement);
    }
    const Versions versions = parts_.most > 1 ? Versions::Told : Versions::Ignored;
    const std::vector<TransferSet> sets = computeTransfers(relations_, placement_, versions);
    for (const TransferSet &transfers : sets)
      for (const auto kind : {Transfer::Kind::Send, Transfer::Kind::Receive})
        addTransfers(transfers, kind);
    if (events_.size() > mostEvents)
      throw Unnamed("a node has " + std::to_string(parts_.most) + " parts");
    return {merge(program_.body, std::move(events_)), parts_.most, versionLength_};
  }

private:
  static void requireMainOutput(const StatementModel &statement);
  void addTasks(const StatementModel &statement);
  void addTransfers(const TransferSet &transfers, Transfer::Kind kind);
  void addReleases(const StatementModel &statement);
  Statement makeTransfer(const TransferSet &transfers, Transfer::Kind kind, const Pair &tile, const Pair &peer,
                         const ExprRef &priority, std::vector<ExprRef> version) const;

  Pair placeOf(const ir::TileAccess &access, const Pair &tile) const;

  using MakeBody = std::function<Statement(const std::vector<ExprRef> &coordinates)>;
  void addEvents(const ProgramPoint &place, const isl::set &instances, const MakeBody &makeBody);

  const ir::Program &program_;
  const dependence::Relations &relations_;
  const dependence::Model &model_;
  const Parts parts_;
  const Placement placement_;
  const Homes homes_;
  const isl::set context_;               ///< { : what is known of the parameters }, and perhaps more values
  std::map<std::string, ExprRef> names_; ///< names of isl's parameters in the program
  const Pair here_ = {ir::makeVar(nodeX), ir::makeVar(nodeY)};
  std::vector<Event> events_;
  std::size_t versionLength_ = 0;
};

/// The event of one part of a node; `mayLack`: not every node has so many.
Event ofPart(const Event &event, int part, bool mayLack) {
  const PartNames names = partNames(part);
  const std::map<std::string, ExprRef> values = {{nodeX, ir::makeVar(names.x)}, {nodeY, ir::makeVar(names.y)}};
  const auto put = [&](const ExprRef &expr) { return expr ? ir::substitute(expr, values) : expr; };
  Event result{event.place, event.nest, withNames(event.body, values)};
  for (NestLevel &level : result.nest.levels)
    level = {put(level.condition), put(level.first), put(level.last), level.step};
  result.nest.condition = put(result.nest.condition);
  if (mayLack) {
    ExprRef &outermost = result.nest.levels.empty() ? result.nest.condition : result.nest.levels.front().condition;
    outermost = conjunction(ir::makeVar(names.exists), outermost);
  }
  return result;
}

/// One event for each nest that `instances`, { X[k, i, row, ...] } with the statement's loops first, take.
void Specializer::addEvents(const ProgramPoint &place, const isl::set &instances, const MakeBody &makeBody) {
  for (const isl::set &piece : pieces(instances))
    for (Nest &nest : makeNests(piece, nestVariables(place), names_, context_)) {
      Block body;
      body.push_back(makeBody(nest.coordinates));
      if (parts_.most == 1) {
        events_.push_back({place, std::move(nest), std::move(body)});
        continue;
      }
      const Event event{place, std::move(nest), std::move(body)};
      for (int part = 0; part < parts_.most && events_.size() <= mostEvents; ++part)
        events_.push_back(ofPart(event, part, part >= parts_.fewest));
    }
}

/// { X[k, i, row, column, x, y, ...] } from { [S0[k, i] -> A[row, column]] -> [x, y, ...] }; any nesting.
isl::set flattened(const isl::map &map) {
  return isl::manage(isl_set_set_tuple_name(isl_set_flatten(map.wrap().release()), "X"));
}

/// A panel without tiles has no home: replay then goes by the task's other arguments.
void Specializer::requireMainOutput(const StatementModel &statement) {
  for (const dependence::AccessModel &access : statement.accesses)
    if (!access.release && access.argument == statement.task->mainOutput && access.access->isRun() &&
        !statement.domain.is_subset(access.tiles.domain()))
      throw Unnamed("the main output of '" + statement.task->kernel + "' may be a panel without tiles");
}

void Specializer::addTasks(const StatementModel &statement) {
  const isl::set own = placement_.node(statement.task->id).intersect_range(placement_.here()).domain();
  addEvents({&statement, ProgramPoint::Run}, own, [&](const std::vector<ExprRef> &coordinates) {
    OwnTask task{statement.task, {}};
    for (std::size_t level = 0; level < statement.loops.size(); ++level)
      task.indices[statement.loops[level]->variable] = coordinates[level];
    return task;
  });
}

/// Coordinates that are the same expression are left out.
ExprRef areDifferent(const Pair &a, const Pair &b) {
  ExprRef result;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!ir::equal(*a[i], *b[i])) {
      const ExprRef differs = ir::makeBinary(ExprKind::Ne, a[i], b[i]);
      result = result ? ir::makeBinary(ExprKind::Or, result, differs) : differs;
    }
  return result ? result : ir::makeInt(0);
}

ExprRef areEqual(const Pair &a, const Pair &b) {
  return ir::makeBinary(ExprKind::And, ir::makeBinary(ExprKind::Eq, a[0], b[0]),
                        ir::makeBinary(ExprKind::Eq, a[1], b[1]));
}

int tileLoops(const ir::TileAccess &access) { return access.columnEnd ? 2 : access.rowEnd ? 1 : 0; }

/// The position of a tile argument among the accesses of its task.
std::size_t positionOf(const dependence::AccessModel &access, const StatementModel &statement) {
  const std::vector<std::size_t> order = ir::accessOrder(*statement.task);
  return std::ranges::find(order, access.argument) - order.begin();
}

/// The priority of the reader at these coordinates, null if it has none; of what returns home the least.
ExprRef priorityOf(const TransferSet &transfers, const std::vector<ExprRef> &coordinates) {
  const StatementModel &reader = *transfers.statement;
  if (transfers.returns)
    return ir::makeUnary(ExprKind::Neg, ir::makeInt(INT32_MAX)); // tla::runtime::leastPriority
  if (!reader.task->priority)
    return nullptr;
  std::map<std::string, ExprRef> indices;
  for (std::size_t level = 0; level < reader.loops.size(); ++level)
    indices[reader.loops[level]->variable] = coordinates[level];
  return ir::substitute(reader.task->priority, indices);
}

void Specializer::addTransfers(const TransferSet &transfers, Transfer::Kind kind) {
  const bool sends = kind == Transfer::Kind::Send;
  const isl::map &own = sends ? transfers.source : transfers.destination;
  const isl::map &other = sends ? transfers.destination : transfers.source;
  const isl::map peers = other.intersect_domain(own.intersect_range(placement_.ownTiles()).domain());
  const isl::set nodes = peers.apply_range(placement_.home()).range();
  const std::array<bool, 2> same = {nodes.is_subset(placement_.sameX()), nodes.is_subset(placement_.sameY())};
  if (same[0] && same[1])
    return;
  const ProgramPoint place = {transfers.statement, transfers.returns ? ProgramPoint::After : ProgramPoint::Before,
                              positionOf(*transfers.access, *transfers.statement),
                              transfers.region == ir::Region::Upper, tileLoops(*transfers.access->access)};
  const std::size_t at = transfers.statement->loops.size();
  const isl::map described =
      transfers.version ? isl::manage(isl_map_flat_range_product(peers.copy(), transfers.version->copy())) : peers;
  addEvents(place, flattened(described), [&](const std::vector<ExprRef> &coordinates) {
    const Pair tile = {coordinates[at], coordinates[at + 1]};
    Pair peer = homes_.of({coordinates[at + 2], coordinates[at + 3]});
    for (std::size_t i = 0; i < 2; ++i)
      if (same[i])
        peer[i] = here_[i];
    const std::vector<ExprRef> version(coordinates.begin() + static_cast<std::ptrdiff_t>(at) + 4, coordinates.end());
    versionLength_ = std::max(versionLength_, version.size());
    return makeTransfer(transfers, kind, tile, peer, priorityOf(transfers, coordinates), version);
  });
}

/// The place of one of the access' tiles, as in dependence::Model::place.
Pair Specializer::placeOf(const ir::TileAccess &access, const Pair &tile) const {
  const ir::Matrix &matrix = *program_.findMatrix(access.matrix);
  const auto columnOf = [&](const ExprRef &column) {
    const int factor = program_.copies * (matrix.isSliced() ? 1 : program_.slices);
    if (factor == 1)
      return column;
    const ExprRef first = ir::makeBinary(ExprKind::Mul, ir::makeInt(factor), column);
    return matrix.copy() ? ir::makeBinary(ExprKind::Add, first, ir::makeInt(matrix.copy())) : first;
  };
  if (!matrix.byRows())
    return {tile[0], columnOf(tile[1])};
  const ExprRef copies = ir::makeInt(program_.copies);
  const ExprRef first = ir::makeBinary(ExprKind::Mul, copies, ir::makeBinary(ExprKind::Div, tile[1], copies));
  const ExprRef byRows = columnOf(ir::makeBinary(ExprKind::Add, first, ir::makeBinary(ExprKind::Rem, tile[0], copies)));
  return {tile[0],
          matrix.byRows()->kind == ExprKind::Int ? byRows : ir::makeSelect(matrix.byRows(), byRows, columnOf(tile[1]))};
}

Statement Specializer::makeTransfer(const TransferSet &transfers, Transfer::Kind kind, const Pair &tile,
                                    const Pair &peer, const ExprRef &priority, std::vector<ExprRef> version) const {
  ExprRef condition = areDifferent(peer, here_);
  if (transfers.condition != Condition::None) {
    const Pair home = homes_.of(placeOf(*transfers.access->access, tile)),
               &destination = kind == Transfer::Kind::Send ? peer : here_;
    condition = conjunction(condition, transfers.condition == Condition::AtHome ? areEqual(destination, home)
                                                                                : areDifferent(destination, home));
  }
  auto branch = std::make_unique<If>();
  branch->condition = condition;
  branch->then.push_back(Transfer{kind, transfers.access->access->matrix, tile[0], tile[1], transfers.region, peer[0],
                                  peer[1], priority, std::move(version)});
  return branch;
}

/// The program's release clauses, at the homes of their tiles.
void Specializer::addReleases(const StatementModel &statement) {
  const std::size_t at = statement.loops.size();
  for (const dependence::AccessModel &access : statement.accesses) {
    if (!access.release)
      continue;
    const dependence::MatrixModel &matrix = model_.matrices.at(access.access->matrix);
    const isl::set here = placement_.home(matrix).intersect_range(placement_.here()).domain();
    const ProgramPoint place = {&statement, ProgramPoint::Clause, access.argument, false, tileLoops(*access.access)};
    addEvents(place, flattened(access.tiles.intersect_range(here)), [&](const std::vector<ExprRef> &coordinates) {
      return Transfer{Transfer::Kind::Release,
                      access.access->matrix,
                      coordinates[at],
                      coordinates[at + 1],
                      ir::Region::Full,
                      nullptr,
                      nullptr,
                      nullptr,
                      {}};
    });
  }
}

/// How many parts nodes have.
Specializer::Parts partsOf(const tla::Distribution &distribution) {
  std::vector<int> parts(distribution.nodes());
  for (int part = 0; part < distribution.parts().nodes(); ++part)
    ++parts[distribution.nodeOfPart(part)];
  return {*std::ranges::min_element(parts), *std::ranges::max_element(parts)};
}

} // namespace

std::variant<NodeProgram, Obstacle> specialize(const ir::Program &program, const dependence::Analysis &analysis,
                                               const tla::Distribution &distribution, const Limits &limits) {
  assert(analysis.relations && "only what is analyzed completely can be specialized");
  const dependence::Model &model = analysis.relations->model;
  const bool byRows =
      std::ranges::any_of(program.matrices, [](const ir::Matrix &matrix) { return matrix.byRows() != nullptr; });
  if (byRows && distribution.copies() == 1)
    return Obstacle{"tiles are dealt to copies of the nodes by rows, and these nodes stand once"};
  // Of several cases isl is as often done within two fifths as within all, and what it does not finish takes less long.
  Limits ofCases = limits;
  if (distribution.parts().islDisjuncts() > 1)
    ofCases.maxOperations = ofCases.maxOperations * 2 / 5 + 1; // zero would mean no limit
  const dependence::Guard guard(model.ctx.get(), ofCases);
  try {
    NodeProgram nodeProgram =
        Specializer(program, *analysis.relations, distribution.parts(), partsOf(distribution)).specialize();
    if (const auto name = nameOutOfScope(nodeProgram))
      return Obstacle{"their bounds need '" + *name + "' outside its loop"};
    return nodeProgram;
  } catch (const Unnamed &unnamed) {
    return Obstacle{unnamed.what()};
  } catch (const isl::exception &error) {
    return Obstacle{guard.explain(error)};
  }
}

} // namespace hetc::specialize
