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

class Specializer {
public:
  Specializer(const ir::Program &program, const dependence::Relations &relations, const tla::Distribution &distribution)
      : program_(program), relations_(relations), model_(relations.model), placement_(model_, distribution),
        homes_(placement_),
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
    const std::vector<TransferSet> sets = computeTransfers(relations_, placement_);
    for (const TransferSet &transfers : sets)
      for (const auto kind : {Transfer::Kind::Send, Transfer::Kind::Receive})
        addTransfers(transfers, kind);
    return {merge(program_.body, std::move(events_))};
  }

private:
  static void requireMainOutput(const StatementModel &statement);
  void addTasks(const StatementModel &statement);
  void addTransfers(const TransferSet &transfers, Transfer::Kind kind);
  void addReleases(const StatementModel &statement);
  Statement makeTransfer(const TransferSet &transfers, Transfer::Kind kind, const Pair &tile, const Pair &peer) const;

  Pair placeOf(const ir::TileAccess &access, const Pair &tile) const;

  using MakeBody = std::function<Statement(const std::vector<ExprRef> &coordinates)>;
  void addEvents(const Place &place, const isl::set &instances, const MakeBody &makeBody);

  const ir::Program &program_;
  const dependence::Relations &relations_;
  const dependence::Model &model_;
  const Placement placement_;
  const Homes homes_;
  const isl::set context_;               ///< { : what is known of the parameters }, and perhaps more values
  std::map<std::string, ExprRef> names_; ///< of isl's parameters in the program
  const Pair here_ = {ir::makeVar(nodeX), ir::makeVar(nodeY)};
  std::vector<Event> events_;
};

/// One event for each nest that `instances`, { X[k, i, row, ...] } with the statement's loops first, take.
void Specializer::addEvents(const Place &place, const isl::set &instances, const MakeBody &makeBody) {
  for (const isl::set &piece : pieces(instances))
    for (Nest &nest : makeNests(piece, nestVariables(place), names_, context_)) {
      Block body;
      body.push_back(makeBody(nest.coordinates));
      events_.push_back({place, std::move(nest), std::move(body)});
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
  addEvents({&statement, Place::Run}, own, [&](const std::vector<ExprRef> &coordinates) {
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

/// Of a tile argument among the accesses of its task.
std::size_t positionOf(const dependence::AccessModel &access, const StatementModel &statement) {
  const std::vector<std::size_t> order = ir::accessOrder(*statement.task);
  return std::ranges::find(order, access.argument) - order.begin();
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
  const Place place = {transfers.statement, transfers.returns ? Place::After : Place::Before,
                       positionOf(*transfers.access, *transfers.statement), transfers.region == ir::Region::Upper,
                       tileLoops(*transfers.access->access)};
  const std::size_t at = transfers.statement->loops.size();
  addEvents(place, flattened(peers), [&](const std::vector<ExprRef> &coordinates) {
    const Pair tile = {coordinates[at], coordinates[at + 1]};
    Pair peer = homes_.of({coordinates[at + 2], coordinates[at + 3]});
    for (std::size_t i = 0; i < 2; ++i)
      if (same[i])
        peer[i] = here_[i];
    return makeTransfer(transfers, kind, tile, peer);
  });
}

/// Of one of the access' tiles, as dependence::Model::place.
Pair Specializer::placeOf(const ir::TileAccess &access, const Pair &tile) const {
  if (program_.slices == 1 || program_.findMatrix(access.matrix)->sliced)
    return tile;
  return {tile[0], ir::makeBinary(ExprKind::Mul, ir::makeInt(program_.slices), tile[1])};
}

Statement Specializer::makeTransfer(const TransferSet &transfers, Transfer::Kind kind, const Pair &tile,
                                    const Pair &peer) const {
  ExprRef condition = areDifferent(peer, here_);
  if (transfers.condition != Condition::None) {
    const Pair home = homes_.of(placeOf(*transfers.access->access, tile)),
               &destination = kind == Transfer::Kind::Send ? peer : here_;
    condition = conjunction(condition, transfers.condition == Condition::AtHome ? areEqual(destination, home)
                                                                                : areDifferent(destination, home));
  }
  auto branch = std::make_unique<If>();
  branch->condition = condition;
  branch->then.push_back(
      Transfer{kind, transfers.access->access->matrix, tile[0], tile[1], transfers.region, peer[0], peer[1]});
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
    const Place place = {&statement, Place::Clause, access.argument, false, tileLoops(*access.access)};
    addEvents(place, flattened(access.tiles.intersect_range(here)), [&](const std::vector<ExprRef> &coordinates) {
      return Transfer{Transfer::Kind::Release,
                      access.access->matrix,
                      coordinates[at],
                      coordinates[at + 1],
                      ir::Region::Full,
                      nullptr,
                      nullptr};
    });
  }
}

/// Of a distribution as a relation: 2dbc has one, sbc of r^2/2 nodes three. With more isl runs into every limit.
constexpr int mostCases = 3;

} // namespace

std::variant<NodeProgram, Obstacle> specialize(const ir::Program &program, const dependence::Analysis &analysis,
                                               const tla::Distribution &distribution, const Limits &limits) {
  assert(analysis.relations && "only what is analyzed completely can be specialized");
  if (distribution.islDisjuncts() > mostCases)
    return Obstacle{distribution.name() + " has more than " + std::to_string(mostCases) + " cases"};
  const dependence::Model &model = analysis.relations->model;
  // Of several cases isl is as often done within two fifths as within all, and what it does not finish takes less long.
  Limits ofCases = limits;
  if (distribution.islDisjuncts() > 1)
    ofCases.maxOperations = ofCases.maxOperations * 2 / 5 + 1; // zero would mean no limit
  const dependence::Guard guard(model.ctx.get(), ofCases);
  try {
    NodeProgram nodeProgram = Specializer(program, *analysis.relations, distribution).specialize();
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
