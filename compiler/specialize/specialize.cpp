#include "compiler/specialize/specialize.hpp"

#include "compiler/specialize/merge.hpp"
#include "compiler/specialize/names.hpp"
#include "compiler/specialize/releases.hpp"
#include "compiler/specialize/transfers.hpp"

#include <isl/constraint.h>

#include <array>
#include <cassert>

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

  NodeProgram run() {
    for (const StatementModel &statement : model_.statements)
      addTasks(statement);
    const std::vector<TransferSet> all = computeTransfers(model_, placement_);
    for (const TransferSet &transfers : all)
      for (const auto kind : {Transfer::Kind::Send, Transfer::Kind::Receive})
        addTransfers(transfers, kind);
    for (const ReleaseSet &releases : computeReleases(model_, placement_, all))
      addReleases(releases);
    return {merge(program_.body, std::move(events_))};
  }

private:
  void addTasks(const StatementModel &statement);
  void addTransfers(const TransferSet &transfers, Transfer::Kind kind);
  void addReleases(const ReleaseSet &releases);
  Statement makeTransfer(const TransferSet &transfers, Transfer::Kind kind, const isl::set &instances,
                         const std::vector<ExprRef> &coordinates) const;
  Nest nestOf(const isl::set &instances, const Event &event) const;

  const ir::Program &program_;
  const dependence::Model &model_;
  const Placement placement_;
  const isl::set context_;
  std::map<std::string, ExprRef> names_; ///< of isl's parameters in the program
  const Pair here_ = {ir::makeVar(nodeX), ir::makeVar(nodeY)};
  std::vector<Event> events_;
};

/// Pieces without common elements.
std::vector<isl::set> pieces(const isl::set &set) {
  std::vector<isl::set> result;
  const isl::set coalesced = set.coalesce();
  isl::manage(isl_set_make_disjoint(coalesced.copy())).coalesce().foreach_basic_set([&](const isl::basic_set &piece) {
    result.push_back(isl::set(piece));
  });
  return result;
}

/// `instances`: { X[k, i, row, ...] } with the statement's loops first.
Nest Specializer::nestOf(const isl::set &instances, const Event &event) const {
  return makeNest(instances, nestVariables(*event.statement, event.byRows), names_, context_);
}

void Specializer::addTasks(const StatementModel &statement) {
  for (const isl::set &own :
       pieces(placement_.node(statement.task->id).intersect_range(placement_.here()).domain())) {
    Event event;
    event.statement = &statement;
    event.nest = nestOf(own, event);
    OwnTask task{statement.task, {}};
    for (std::size_t level = 0; level < statement.loops.size(); ++level)
      task.indices[statement.loops[level]->variable] = event.nest.coordinates[level];
    event.body.push_back(std::move(task));
    events_.push_back(std::move(event));
  }
}

void Specializer::addTransfers(const TransferSet &transfers, Transfer::Kind kind) {
  const bool sends = kind == Transfer::Kind::Send;
  const isl::map &own = sends ? transfers.source : transfers.destination;
  const isl::map &other = sends ? transfers.destination : transfers.source;
  isl::map peers = other.intersect_domain(own.intersect_range(placement_.here()).domain());
  if (transfers.condition != Condition::None)
    peers = isl::manage(isl_map_flat_range_product(peers.release(), transfers.home.copy()));
  // { X[k, i, row, column, x, y, ...] }
  const isl::set all = isl::manage(isl_set_set_tuple_name(isl_set_flatten(peers.wrap().release()), "X"));
  for (const isl::set &instances : pieces(all)) {
    Event event;
    event.statement = transfers.statement;
    event.phase = transfers.returns ? Event::After : Event::Before;
    event.argument = transfers.access->argument;
    event.isUpper = transfers.region == ir::Region::Upper;
    event.byRows = transfers.access->access->rowEnd != nullptr;
    event.nest = nestOf(instances, event);
    event.body.push_back(makeTransfer(transfers, kind, instances, event.nest.coordinates));
    events_.push_back(std::move(event));
  }
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

void Specializer::addReleases(const ReleaseSet &releases) {
  const isl::map homes = releases.home.intersect_domain(releases.node.intersect_range(placement_.here()).domain());
  // { X[k, i, row, column, x, y] }
  const isl::set all = isl::manage(isl_set_set_tuple_name(isl_set_flatten(homes.wrap().release()), "X"));
  for (const isl::set &instances : pieces(all)) {
    Event event;
    event.statement = releases.statement;
    event.phase = releases.access->release ? Event::Clause : Event::Release;
    event.argument = releases.access->argument;
    event.byRows = releases.access->access->rowEnd != nullptr;
    event.nest = nestOf(instances, event);
    const std::size_t at = releases.statement->loops.size();
    const std::vector<ExprRef> &coordinates = event.nest.coordinates;
    Block release;
    release.push_back(Transfer{Transfer::Kind::Release, releases.access->access->matrix, coordinates[at],
                               coordinates[at + 1], ir::Region::Full, nullptr, nullptr});
    if (event.phase == Event::Release) {
      auto branch = std::make_unique<If>();
      branch->condition = areDifferent({coordinates[at + 2], coordinates[at + 3]}, here_);
      branch->then = std::move(release);
      event.body.push_back(std::move(branch));
    } else
      event.body = std::move(release);
    events_.push_back(std::move(event));
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
    return Specializer(program, model, distribution).run();
  } catch (const Unnamed &unnamed) {
    return Obstacle{unnamed.what()};
  } catch (const isl::exception &error) {
    return Obstacle{explain(error, model.ctx.get(), limits)};
  }
}

} // namespace hetc::specialize
