// Proofs about the arguments of kernel calls, for all sizes. A tile's rows and columns are an affine function of its
// place: the tile size, but for the last tile, whose size is an open number (AffineTranslator::rowsOfTiles). With names
// for the sizes of a call's arguments a requirement is a condition like any other: it holds if it contains what is
// known of these sizes wherever the task runs.
#include "compiler/dependence/arguments.hpp"

#include "compiler/dependence/model.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace hetc::dependence {

using ir::ExprKind;
using ir::ExprRef;

namespace {

/// Sizes of argument i of the call, while they are parameters of sets. No C++ name clashes with a prime, which isl
/// takes for the end of a name.
std::string rowsName(std::size_t i) { return "rows" + std::to_string(i) + "'"; }
std::string colsName(std::size_t i) { return "cols" + std::to_string(i) + "'"; }
std::string countName(std::size_t i) { return "count" + std::to_string(i) + "'"; }

/// Whether a requirement names sizes of tiles or panels, and not only scalars.
bool mentionsTiles(const ir::Expr &requirement) {
  return requirement.kind == ExprKind::Extent ||
         std::ranges::any_of(requirement.operands, [](const ExprRef &operand) { return mentionsTiles(*operand); });
}

/// One task: all names, those of its loops included, are parameters here.
class ArgumentProof {
public:
  ArgumentProof(const Model &model, const StatementModel &statement)
      : program_(*model.program), task_(*statement.task), translator_(*model.translator), statement_(statement) {
    for (const ir::Loop *loop : statement.loops)
      translator_.enter(loop->variable);
    for (std::size_t i = 0; i < task_.arguments.size(); ++i)
      for (const std::string &name : {rowsName(i), colsName(i), countName(i)})
        translator_.enter(name);
  }
  ~ArgumentProof() {
    for (const ir::Loop *loop : statement_.loops)
      translator_.leave(loop->variable);
    for (std::size_t i = 0; i < task_.arguments.size(); ++i)
      for (const std::string &name : {rowsName(i), colsName(i), countName(i)})
        translator_.leave(name);
  }
  ArgumentProof(const ArgumentProof &) = delete;
  ArgumentProof &operator=(const ArgumentProof &) = delete;

  /// The requirements of a call that are proved: those on tiles, and those on scalars alone.
  struct Proof {
    bool tiles = true, scalars = true;
  };

  Proof prove(const ir::Kernel &kernel) {
    const auto holds = [&](const isl::set &runs, const ExprRef &requirement) {
      try {
        return isObvious(*requirement, kernel) || withSizes(runs, *requirement, kernel)
                                                      .intersect(translator_.lastTiles())
                                                      .is_subset(translator_.condition(*named(requirement, kernel)));
      } catch (const NonAffine &) {
        return false;
      }
    };
    Proof proof;
    isl::set runs = domain().intersect(translator_.parameters().context(domain().ctx())).intersect(tuned());
    for (const ExprRef &requirement : kernel.requirements)
      if (!mentionsTiles(*requirement) && !holds(runs, requirement)) {
        proof.scalars = false;
        runs = intersectIfAffine(runs, *named(requirement, kernel));
      }
    for (const ExprRef &requirement : kernel.requirements)
      if (mentionsTiles(*requirement))
        proof.tiles = proof.tiles && holds(runs, requirement);
    return proof;
  }

private:
  /// { : the task runs with these values of its loops' variables }.
  isl::set domain() const {
    const isl::ctx ctx = statement_.domain.ctx();
    isl::id_list ids(ctx, static_cast<int>(statement_.loops.size()));
    for (const ir::Loop *loop : statement_.loops)
      ids = ids.add(isl::id(ctx, loop->variable));
    const isl::space space = isl::space::unit(ctx).add_named_tuple(statementName(task_.id), statement_.loops.size());
    return statement_.domain.bind(isl::multi_id(space, ids));
  }

  /// { : parameters that only change the speed are positive }.
  isl::set tuned() {
    isl::set result = translator_.universe();
    for (const ir::Scalar &scalar : program_.scalars)
      if (!scalar.candidates.empty())
        result = result.intersect(translator_.value(*ir::makeVar(scalar.name)).ge_set(translator_.constant(1)));
    return result;
  }

  isl::set intersectIfAffine(const isl::set &set, const ir::Expr &condition) {
    try {
      return set.intersect(translator_.condition(condition));
    } catch (const NonAffine &) {
      return set;
    }
  }

  /// Both sides of the comparison are one function of the task's indices, as in A.n() == B.m() of A(i, k) and B(k, j):
  /// to see that takes isl no time.
  bool isObvious(const ir::Expr &requirement, const ir::Kernel &kernel) {
    if (requirement.kind != ExprKind::Eq && requirement.kind != ExprKind::Ge && requirement.kind != ExprKind::Le)
      return false;
    const auto left = sizeOf(requirement.operands[0], kernel), right = sizeOf(requirement.operands[1], kernel);
    return left && right && isl_pw_aff_plain_is_equal(left->get(), right->get()) == isl_bool_true;
  }

  /// The rows or columns of a tile argument; nothing for other expressions. May throw NonAffine.
  std::optional<isl::pw_aff> sizeOf(const ExprRef &expr, const ir::Kernel &kernel) {
    if (expr->kind == ExprKind::Select) {
      const auto chosen = optionChosen(*expr->operands[0], kernel);
      return chosen ? sizeOf(expr->operands[*chosen ? 1 : 2], kernel) : std::nullopt;
    }
    if (expr->kind != ExprKind::Extent || (expr->extent != ir::Extent::M && expr->extent != ir::Extent::N))
      return std::nullopt;
    const auto &tile = std::get<ir::TileAccess>(task_.arguments[positionOf(expr->text, kernel)]);
    const bool isRows = expr->extent == ir::Extent::M;
    if (tile.rowEnd || (isRows ? tile.within.first || tile.rows.count : tile.cols.count != nullptr) ||
        !knows(tile, isRows))
      return std::nullopt;
    return wholeSize(tile, isRows);
  }

  /// The value of a condition op == NoTrans, where the call says which value op has.
  std::optional<bool> optionChosen(const ir::Expr &condition, const ir::Kernel &kernel) const {
    if (condition.kind != ExprKind::Eq || condition.operands[0]->kind != ExprKind::Var)
      return std::nullopt;
    const ir::Argument &argument = task_.arguments[positionOf(condition.operands[0]->text, kernel)];
    const auto *value = std::get_if<ExprRef>(&argument);
    if (!value || (*value)->kind != ExprKind::Enum || condition.operands[1]->kind != ExprKind::Enum)
      return std::nullopt;
    return ir::equal(**value, *condition.operands[1]);
  }

  static std::size_t positionOf(const std::string &parameter, const ir::Kernel &kernel) {
    return static_cast<std::size_t>(std::ranges::find(kernel.parameters, parameter, &ir::KernelParameter::name) -
                                    kernel.parameters.begin());
  }

  /// { : rows0', cols0', ... are the sizes of the arguments }, as far as they are known, of those that the requirement
  /// speaks of. Each has a case for the last tile, so the cases that cannot be are dropped as soon as they can.
  isl::set withSizes(isl::set known, const ir::Expr &requirement, const ir::Kernel &kernel) {
    for (std::size_t i = 0; i < task_.arguments.size(); ++i) {
      const auto *tile = std::get_if<ir::TileAccess>(&task_.arguments[i]);
      const auto asks = [&](ir::Extent extent) { return mentions(requirement, kernel.parameters[i].name, extent); };
      if (!tile)
        continue;
      if (tile->rowEnd) {
        known = known.intersect(panelSizes(i, *tile)).coalesce();
        for (std::size_t j = 0; j < i; ++j)
          known = known.intersect(equalPanels(j, i));
        continue;
      }
      if (asks(ir::Extent::M))
        known = known.intersect(rows(i, *tile)).coalesce();
      if (asks(ir::Extent::N))
        known = known.intersect(columns(i, *tile)).coalesce();
    }
    return known;
  }

  static bool mentions(const ir::Expr &expr, const std::string &parameter, ir::Extent extent) {
    return (expr.kind == ExprKind::Extent && expr.extent == extent && expr.text == parameter) ||
           std::ranges::any_of(expr.operands,
                               [&](const ExprRef &operand) { return mentions(*operand, parameter, extent); });
  }

  /// Whether the rows, or columns, of the tile are a function of its place: those of a slice are not.
  bool knows(const ir::TileAccess &tile, bool isRows) const {
    return isRows != tile.isTransposed || !matrixOf(tile).isSliced();
  }

  /// Rows, or columns, of the tile as the kernel would see it without views. May throw NonAffine.
  isl::pw_aff wholeSize(const ir::TileAccess &tile, bool isRows) {
    return isRows != tile.isTransposed ? translator_.rowsOfTiles(matrixOf(tile), translator_.value(*tile.row))
                                       : translator_.colsOfTiles(matrixOf(tile), translator_.value(*tile.column));
  }

  const ir::Matrix &matrixOf(const ir::TileAccess &tile) const { return *program_.findMatrix(tile.matrix); }
  isl::pw_aff parameter(const std::string &name) const { return translator_.parameter(name); }

  /// { : value of the name is this }, or nothing known of it but that it is no less than zero.
  template <typename Value> isl::set equals(const std::string &name, bool known, Value value) {
    const isl::set possible = parameter(name).ge_set(translator_.constant(0));
    try {
      return known ? parameter(name).eq_set(value()) : possible;
    } catch (const NonAffine &) {
      return possible;
    }
  }

  isl::set rows(std::size_t i, const ir::TileAccess &tile) {
    return equals(rowsName(i), !tile.within.first && (tile.rows.count || knows(tile, true)),
                  [&] { return tile.rows.count ? translator_.value(*tile.rows.count) : wholeSize(tile, true); });
  }

  isl::set columns(std::size_t i, const ir::TileAccess &tile) {
    return equals(colsName(i), tile.isTransposed ? tile.cols.count || knows(tile, false) : !matrixOf(tile).isSliced(),
                  [&] { return tile.cols.count ? translator_.value(*tile.cols.count) : wholeSize(tile, false); });
  }

  /// A panel without tiles has no columns either. Of several tiles only the last may be smaller than the others.
  isl::set panelSizes(std::size_t i, const ir::TileAccess &tile) {
    const isl::pw_aff row = translator_.value(*tile.row), zero = translator_.constant(0);
    const isl::pw_aff count = tilesOfPanel(tile, row), height = parameter(rowsName(i));
    const isl::set empty = count.eq_set(zero), one = count.eq_set(translator_.constant(1));
    const isl::set none = height.eq_set(zero).intersect(parameter(colsName(i)).eq_set(zero));
    isl::set least = height.ge_set(zero), single = least;
    try {
      const isl::pw_aff first = translator_.rowsOfTiles(matrixOf(tile), row);
      least = height.ge_set(first);
      single = height.eq_set(first);
    } catch (const NonAffine &) {
    }
    const isl::set some = columns(i, tile).intersect(one.intersect(single).unite(least.subtract(one)));
    return empty.intersect(none).unite(some.subtract(empty)).intersect(parameter(countName(i)).eq_set(count));
  }

  isl::pw_aff tilesOfPanel(const ir::TileAccess &tile, const isl::pw_aff &row) {
    const isl::pw_aff run = translator_.value(*tile.rowEnd).sub(row).max(translator_.constant(0));
    if (!tile.rowStep)
      return run;
    const auto step = ir::evaluate(*tile.rowStep, {});
    if (!step || *step < 1)
      translator_.fail(*tile.rowStep, "is not a constant");
    return run.add(translator_.constant(*step - 1)).tdiv_q(translator_.constant(*step));
  }

  /// { : rowsi' = rowsj' } for panels of the same rows of matrices that are cut alike.
  isl::set equalPanels(std::size_t i, std::size_t j) {
    const auto *a = std::get_if<ir::TileAccess>(&task_.arguments[i]);
    const auto *b = std::get_if<ir::TileAccess>(&task_.arguments[j]);
    const isl::set all = translator_.universe();
    if (!a || !b || !a->rowEnd || !b->rowEnd)
      return all;
    try {
      const auto same = [&](const ExprRef &x, const ExprRef &y) {
        return domain().is_subset(translator_.value(*x).eq_set(translator_.value(*y)));
      };
      const isl::pw_aff any = parameter("any'");
      const isl::set alike =
          translator_.rowsOfTiles(matrixOf(*a), any).eq_set(translator_.rowsOfTiles(matrixOf(*b), any));
      const bool inStep = !a->rowStep == !b->rowStep && (!a->rowStep || ir::equal(*a->rowStep, *b->rowStep));
      return inStep && same(a->row, b->row) && same(a->rowEnd, b->rowEnd) && domain().is_subset(alike)
                 ? parameter(rowsName(i)).eq_set(parameter(rowsName(j)))
                 : all;
    } catch (const NonAffine &) {
      return all;
    }
  }

  /// The requirement over the call's arguments.
  ExprRef named(const ExprRef &expr, const ir::Kernel &kernel) const {
    if (expr->kind == ExprKind::Var || expr->kind == ExprKind::Extent) {
      const std::size_t i = positionOf(expr->text, kernel);
      if (expr->kind == ExprKind::Var)
        return std::get<ExprRef>(task_.arguments[i]);
      return ir::makeVar(expr->extent == ir::Extent::M   ? rowsName(i)
                         : expr->extent == ir::Extent::N ? colsName(i)
                                                         : countName(i));
    }
    auto result = std::make_shared<ir::Expr>(*expr);
    for (ExprRef &operand : result->operands)
      operand = named(operand, kernel);
    return result;
  }

  const ir::Program &program_;
  const ir::Task &task_;
  AffineTranslator &translator_;
  const StatementModel &statement_;
};

bool isDistinct(const Model &model, const StatementModel &statement, const ir::Kernel &kernel, const ir::Task &task) {
  const auto &accesses = statement.accesses;
  for (auto a = accesses.begin(); a != accesses.end(); ++a)
    for (auto b = std::next(a); b != accesses.end(); ++b) {
      const bool isPair = !a->release && !b->release && a->access->matrix == b->access->matrix &&
                          (writes(*a->access) || writes(*b->access)) &&
                          !ir::mayAlias(kernel, task, a->argument, b->argument);
      if (isPair && !a->regions.intersect(b->regions).intersect_params(model.context).is_empty())
        return false;
    }
  return true;
}

/// Adds the facts that need no analysis: kernels that require nothing, and calls whose outputs are of matrices of their
/// own.
void proveObvious(const ir::Program &program, ProvedArguments &proved) {
  ir::forEachTask(program.body, [&](const ir::Task &task) {
    const ir::Kernel &kernel = *program.findKernel(task.kernel);
    if (kernel.requirements.empty())
      proved.fits.insert(task.id);
    if (std::ranges::none_of(kernel.requirements,
                             [](const ExprRef &requirement) { return mentionsTiles(*requirement); }))
      proved.tilesFit.insert(task.id);
    bool distinct = true;
    for (std::size_t i = 0; i < task.arguments.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto *a = std::get_if<ir::TileAccess>(&task.arguments[i]);
        const auto *b = std::get_if<ir::TileAccess>(&task.arguments[j]);
        distinct = distinct && (!a || !b || a->matrix != b->matrix || (!writes(*a) && !writes(*b)) ||
                                ir::mayAlias(kernel, task, i, j));
      }
    if (distinct)
      proved.distinct.insert(task.id);
  });
}

} // namespace

ProvedArguments proveArguments(const ir::Program &program, const AnalysisLimits &limits) {
  const ContextOwner ctx = makeContext();
  ProvedArguments proved;
  proveObvious(program, proved);
  const Guard guard(ctx.get(), limits);
  try {
    const Model model = buildModel(program, ctx, Steps::Covered);
    if (!model.complete)
      return proved;
    for (const StatementModel &statement : model.statements) {
      const ir::Kernel &kernel = *program.findKernel(statement.task->kernel);
      const ArgumentProof::Proof proof = ArgumentProof(model, statement).prove(kernel);
      if (proof.tiles)
        proved.tilesFit.insert(statement.task->id);
      if (proof.tiles && proof.scalars)
        proved.fits.insert(statement.task->id);
      if (!proved.distinct.contains(statement.task->id) && isDistinct(model, statement, kernel, *statement.task))
        proved.distinct.insert(statement.task->id);
    }
  } catch (const NonAffine &) {      // what is not proved is checked
  } catch (const isl::exception &) { // beyond the limits: the same
  }
  return proved;
}

void markProved(ir::Program &program, const ProvedArguments &proved) {
  ir::forEachTask(program.body, [&](ir::Task &task) {
    task.fits = proved.fits.contains(task.id);
    task.distinct = proved.distinct.contains(task.id);
  });
}

void copyProved(const ir::Program &from, ir::Program &to) {
  ProvedArguments proved;
  ir::forEachTask(from.body, [&](const ir::Task &task) {
    if (task.fits)
      proved.fits.insert(task.id);
    if (task.distinct)
      proved.distinct.insert(task.id);
  });
  markProved(to, proved);
}

} // namespace hetc::dependence
