#include "compiler/specialize/specialize.hpp"

#include "compiler/specialize/merge.hpp"
#include "compiler/specialize/names.hpp"
#include "compiler/specialize/scopes.hpp"
#include "compiler/specialize/transfers.hpp"

#include <isl/constraint.h>

#include <array>
#include <cassert>
#include <functional>

namespace hetc::specialize {

namespace {
using dependence::StatementModel;
using ir::ExprKind;
using ir::ExprRef;

/// Two coordinates of a node.
using Pair = std::array<ExprRef, 2>;

class Specializer {
public:
  Specializer(const ir::Program &program, const dependence::Model &model, const tla::Distribution &distribution)
      : program_(program), model_(model), placement_(model, distribution),
        context_(placement_.here().intersect(placement_.nodes()).params().intersect(model.context)),
        names_(parameterNames(model)) {
    names_[nodeX] = here_[0];
    names_[nodeY] = here_[1];
  }

  NodeProgram specialize() {
    for (const StatementModel &statement : model_.statements) {
      addTasks(statement);
      addReleases(statement);
    }
    const std::vector<TransferSet> sets = computeTransfers(model_, placement_);
    for (const TransferSet &transfers : sets)
      for (const auto kind : {Transfer::Kind::Send, Transfer::Kind::Receive})
        addTransfers(transfers, kind);
    return {merge(program_.body, std::move(events_))};
  }

private:
  void addTasks(const StatementModel &statement);
  void addTransfers(const TransferSet &transfers, Transfer::Kind kind);
  void addReleases(const StatementModel &statement);
  Statement makeTransfer(const TransferSet &transfers, Transfer::Kind kind, const isl::set &instances,
                         const std::vector<ExprRef> &coordinates) const;

  using MakeBody = std::function<Statement(const isl::set &piece, const std::vector<ExprRef> &coordinates)>;
  void addEvents(const Place &place, const isl::set &instances, const MakeBody &makeBody);

  const ir::Program &program_;
  const dependence::Model &model_;
  const Placement placement_;
  const isl::set context_;
  std::map<std::string, ExprRef> names_; ///< of isl's parameters in the program
  const Pair here_ = {ir::makeVar(nodeX), ir::makeVar(nodeY)};
  std::vector<Event> events_;
};

/// isl 0.25 cannot coalesce some sets with divisions, and says so by an internal error: they stay as they are.
isl::set coalesced(const isl::set &set) {
  try {
    return set.coalesce();
  } catch (const isl::exception_internal &) {
    return set;
  }
}

/// Pieces without common elements.
std::vector<isl::set> pieces(const isl::set &set) {
  std::vector<isl::set> result;
  coalesced(isl::manage(isl_set_make_disjoint(coalesced(set).release())))
      .foreach_basic_set([&](const isl::basic_set &piece) { result.push_back(isl::set(piece)); });
  return result;
}

/// One event for each nest that `instances`, { X[k, i, row, ...] } with the statement's loops first, take.
void Specializer::addEvents(const Place &place, const isl::set &instances, const MakeBody &makeBody) {
  for (const isl::set &piece : pieces(instances))
    for (Nest &nest : makeNests(piece, nestVariables(*place.statement, place.byRows), names_, context_)) {
      Block body;
      body.push_back(makeBody(piece, nest.coordinates));
      events_.push_back({place, std::move(nest), std::move(body)});
    }
}

/// { X[k, i, row, column, x, y, ...] } from { [S0[k, i] -> A[row, column]] -> [x, y, ...] }; any nesting.
isl::set flattened(const isl::map &map) {
  return isl::manage(isl_set_set_tuple_name(isl_set_flatten(map.wrap().release()), "X"));
}

void Specializer::addTasks(const StatementModel &statement) {
  const isl::set own = placement_.node(statement.task->id).intersect_range(placement_.here()).domain();
  addEvents({&statement, Place::Run}, own, [&](const isl::set &, const std::vector<ExprRef> &coordinates) {
    OwnTask task{statement.task, {}};
    for (std::size_t level = 0; level < statement.loops.size(); ++level)
      task.indices[statement.loops[level]->variable] = coordinates[level];
    return task;
  });
}

void Specializer::addTransfers(const TransferSet &transfers, Transfer::Kind kind) {
  const bool sends = kind == Transfer::Kind::Send;
  const isl::map &own = sends ? transfers.source : transfers.destination;
  const isl::map &other = sends ? transfers.destination : transfers.source;
  isl::map peers = other.intersect_domain(own.intersect_range(placement_.here()).domain());
  if (transfers.condition != Condition::None)
    peers = isl::manage(isl_map_flat_range_product(peers.release(), transfers.home.copy()));
  const Place place = {transfers.statement, transfers.returns ? Place::After : Place::Before,
                       transfers.access->argument, transfers.region == ir::Region::Upper,
                       transfers.access->access->rowEnd != nullptr};
  addEvents(place, flattened(peers), [&](const isl::set &piece, const std::vector<ExprRef> &coordinates) {
    return makeTransfer(transfers, kind, piece, coordinates);
  });
}

/// Whether dimension `position` is this coordinate of the node in all elements.
bool isAlways(const isl::set &set, int position, const std::string &coordinate) {
  const int parameter = isl_set_find_dim_by_name(set.get(), isl_dim_param, coordinate.c_str());
  if (parameter < 0)
    return false;
  isl_basic_set *equal = isl_basic_set_universe(isl_set_get_space(set.get()));
  isl_constraint *constraint = isl_constraint_alloc_equality(isl_basic_set_get_local_space(equal));
  constraint = isl_constraint_set_coefficient_si(constraint, isl_dim_set, position, 1);
  constraint = isl_constraint_set_coefficient_si(constraint, isl_dim_param, parameter, -1);
  return set.is_subset(isl::manage(isl_set_from_basic_set(isl_basic_set_add_constraint(equal, constraint))));
}

ExprRef areEqual(const Pair &a, const Pair &b) {
  return ir::makeBinary(ExprKind::And, ir::makeBinary(ExprKind::Eq, a[0], b[0]),
                        ir::makeBinary(ExprKind::Eq, a[1], b[1]));
}

ExprRef areDifferent(const Pair &a, const Pair &b) {
  return ir::makeBinary(ExprKind::Or, ir::makeBinary(ExprKind::Ne, a[0], b[0]),
                        ir::makeBinary(ExprKind::Ne, a[1], b[1]));
}

Statement Specializer::makeTransfer(const TransferSet &transfers, Transfer::Kind kind, const isl::set &instances,
                                    const std::vector<ExprRef> &coordinates) const {
  const std::size_t at = transfers.statement->loops.size();
  const Pair peer = {coordinates[at + 2], coordinates[at + 3]};
  ExprRef condition;
  const bool sameX = isAlways(instances, static_cast<int>(at) + 2, nodeX);
  const bool sameY = isAlways(instances, static_cast<int>(at) + 3, nodeY);
  condition = sameX   ? ir::makeBinary(ExprKind::Ne, peer[1], here_[1])
              : sameY ? ir::makeBinary(ExprKind::Ne, peer[0], here_[0])
                      : areDifferent(peer, here_);
  if (transfers.condition != Condition::None) {
    const Pair home = {coordinates[at + 4], coordinates[at + 5]};
    const Pair &destination = kind == Transfer::Kind::Send ? peer : here_;
    condition = conjunction(condition, transfers.condition == Condition::AtHome ? areEqual(destination, home)
                                                                                : areDifferent(destination, home));
  }
  auto branch = std::make_unique<If>();
  branch->condition = condition;
  branch->then.push_back(Transfer{kind, transfers.access->access->matrix, coordinates[at], coordinates[at + 1],
                                  transfers.region, peer[0], peer[1]});
  return branch;
}

/// The program's release clauses, at the homes of their tiles.
void Specializer::addReleases(const StatementModel &statement) {
  const std::size_t at = statement.loops.size();
  for (const dependence::AccessModel &access : statement.accesses) {
    if (!access.release)
      continue;
    const std::string &name = model_.matrices.at(access.access->matrix).name;
    const isl::set here = placement_.home(name).intersect_range(placement_.here()).domain();
    const Place place = {&statement, Place::Clause, access.argument, false, access.access->rowEnd != nullptr};
    addEvents(place, flattened(access.tiles.intersect_range(here)),
              [&](const isl::set &, const std::vector<ExprRef> &coordinates) {
                return Transfer{Transfer::Kind::Release, access.access->matrix, coordinates[at], coordinates[at + 1],
                                ir::Region::Full, nullptr, nullptr};
              });
  }
}

/// Which limit an isl call ran into.
std::string explain(const isl::exception &error, isl_ctx *ctx, const Limits &limits) {
  const isl_error cause = isl_ctx_last_error(ctx);
  if (dynamic_cast<const isl::exception_quota *>(&error) || cause == isl_error_quota)
    return "more than " + std::to_string(limits.maxOperations) + " operations";
  if (dynamic_cast<const isl::exception_abort *>(&error) || cause == isl_error_abort)
    return "more than " + std::to_string(limits.maxTime.count()) + " ms";
  return std::string("isl: ") + error.what();
}

} // namespace

std::variant<NodeProgram, Obstacle> specialize(const ir::Program &program, const dependence::Analysis &analysis,
                                               const tla::Distribution &distribution, const Limits &limits) {
  assert(analysis.relations && "only what is analyzed completely can be specialized");
  const dependence::Model &model = analysis.relations->model;
  const dependence::Guard guard(model.ctx.get(), limits);
  try {
    NodeProgram nodeProgram = Specializer(program, model, distribution).specialize();
    if (const auto name = nameOutOfScope(nodeProgram))
      return Obstacle{"their bounds need '" + *name + "' outside its loop"};
    return nodeProgram;
  } catch (const Unnamed &unnamed) {
    return Obstacle{unnamed.what()};
  } catch (const isl::exception &error) {
    return Obstacle{explain(error, model.ctx.get(), limits)};
  }
}

} // namespace hetc::specialize
