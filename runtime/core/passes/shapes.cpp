#include "runtime/core/passes/shapes.hpp"

#include "runtime/core/window/dry_pass.hpp"

#include <tla/generated/call.hpp>
#include <tla/runtime/error.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace tla::runtime {
namespace {

// Bases where the symbols differ, in opposite orders, so that a comparison of sizes inside the shape shows.
constexpr Values probes[] = {{10007, 20011, 30011, nullptr}, {30013, 20021, 10009, nullptr}};

LinearForm probe(Dimension dimension, Values base, const ScalarValue *scalars) {
  base.scalars = scalars;
  const long origin = dimension(base);
  LinearForm form{origin, {}};
  for (int s = 0; s < sizeSymbolCount; ++s) {
    Values next = base;
    ++(next.*sizeMembers[s]);
    form.coefficients[s] = dimension(next) - origin;
    form.constant -= form.coefficients[s] * (base.*sizeMembers[s]);
  }
  return form;
}

std::string product(long rows, long columns) { return std::to_string(rows) + " x " + std::to_string(columns); }

/// The size symbol that a dimension is, with these scalars; empty for any other expression.
std::string symbolOf(Dimension dimension, const ScalarValue *scalars) {
  const LinearForm form = probe(dimension, probes[0], scalars);
  std::string symbols;
  for (int s = 0; s < sizeSymbolCount; ++s)
    if (form.coefficients[s] == 1)
      symbols += sizeSymbols[s];
    else if (form.coefficients[s] != 0)
      return "";
  return symbols.size() == 1 && form.constant == 0 ? symbols : "";
}

/// Takes the symbols from the matrices that decide them, then looks whether all fit.
class Shapes {
public:
  Shapes(const Algorithm &algorithm, const Arguments &arguments) : algorithm_(algorithm), arguments_(arguments) {
    values_.scalars = arguments.scalars;
    if (algorithm.matrixCount > 0)
      values_.period = arguments.matrices[0]->period();
  }

  void require() {
    for (int i = 0; i < algorithm_.matrixCount; ++i)
      requireType(i);
    learnAll();
    for (int i = 0; i < algorithm_.matrixCount; ++i)
      if (!matrix(i).workspace)
        requireShape(i);
    for (int i = 0; i < algorithm_.matrixCount; ++i)
      if (matrix(i).workspace && allKnown())
        requireWorkspace(i);
    for (int i = 0; i < algorithm_.matrixCount; ++i)
      requireCut(i), requireForParts(i);
    for (int i = 1; i < algorithm_.matrixCount && algorithm_.asksPeriod; ++i)
      requirePeriod(i);
  }

  /// A matrix later in the list may decide a symbol that an earlier one mentions beside others.
  const Values &learnAll() {
    for (bool learnt = true; learnt;) {
      learnt = false;
      for (int i = 0; i < algorithm_.matrixCount; ++i)
        if (!matrix(i).workspace) {
          learnt |= learn(i, matrix(i).rows, storage(i).m());
          learnt |= learn(i, matrix(i).cols, storage(i).n());
        }
    }
    return values_;
  }

private:
  const MatrixParameter &matrix(int i) const { return algorithm_.matrices[i]; }
  const Storage &storage(int i) const { return *arguments_.matrices[i]; }
  std::string sizeText(int i) const {
    return std::string(matrix(i).name) + " is " + product(storage(i).m(), storage(i).n());
  }
  [[noreturn]] void fail(const std::string &text) const {
    throw UsageError(std::string(algorithm_.name) + ": " + text);
  }

  void requireType(int i) const {
    if (storage(i).elementBytes() != elementBytes(matrix(i).type))
      fail(std::string(matrix(i).name) + " has elements of " + std::to_string(storage(i).elementBytes()) +
           " bytes, but the algorithm was compiled for type " + static_cast<char>(matrix(i).type) + ", of " +
           std::to_string(elementBytes(matrix(i).type)) + " bytes");
  }

  bool learn(int i, Dimension dimension, long size) {
    const auto decided = decidedBy(dimension, size, values_, known_);
    if (!decided)
      return false;
    values_.*sizeMembers[decided->symbol] = decided->quotient / decided->coefficient;
    known_[decided->symbol] = true;
    origins_[decided->symbol] = i;
    return true;
  }

  void requireShape(int i) {
    requireDimension(i, matrix(i).rows, storage(i).m());
    requireDimension(i, matrix(i).cols, storage(i).n());
    if (tiled_ < 0)
      tiled_ = i;
    const Storage &first = storage(tiled_), &mine = storage(i);
    if (first.mb() != mine.mb() || first.nb() != mine.nb())
      fail(std::string(matrix(i).name) + " is in tiles of " + product(mine.mb(), mine.nb()) + ", but " +
           matrix(tiled_).name + " in tiles of " + product(first.mb(), first.nb()));
  }

  void requireDimension(int i, Dimension dimension, long size) const {
    int other = -1;
    for (int s = 0; s < sizeSymbolCount; ++s)
      if (mentions(dimension, s, values_.scalars)) {
        if (origins_[s] < 0)
          return; // nothing says how large it must be
        if (origins_[s] != i)
          other = origins_[s];
      }
    if (dimension(values_) == size)
      return;
    const auto described = [&](int k) { return sizeText(k) + " (" + shapeText(matrix(k), values_.scalars) + ")"; };
    fail(other < 0 ? sizeText(i) + "; it must be " + shapeText(matrix(i), values_.scalars)
                   : described(i) + ", but " + described(other));
  }

  bool allKnown() const {
    for (int s = 0; s < sizeSymbolCount; ++s)
      if (origins_[s] < 0 && std::string_view(algorithm_.sizes).find(sizeSymbols[s]) != std::string_view::npos)
        return false;
    return tiled_ >= 0;
  }

  void requireWorkspace(int i) const {
    const WorkspaceShape &shape = *matrix(i).workspace;
    const Storage &mine = storage(i);
    const long nb = storage(tiled_).nb();
    const auto text = [](long rows, long columns, long tileRows, long tileColumns) {
      return product(rows, columns) + " in tiles of " + product(tileRows, tileColumns);
    };
    const std::string asked = text(shape.rows(values_, nb), shape.cols(values_, nb), shape.tileRows(values_, nb),
                                   shape.tileCols(values_, nb)),
                      given = text(mine.m(), mine.n(), mine.mb(), mine.nb());
    if (asked != given)
      fail(std::string("the workspace ") + matrix(i).name + " is " + given + "; it must be " + asked);
  }

  /// Parts are cut in square tiles. A run of updates of one of two matrices that are one would be looked at through the
  /// other.
  void requireForParts(int i) const {
    if (algorithm_.mapping.kind != Mapping::Kind::Copies && !algorithm_.isDealt())
      return;
    if (const Storage &mine = storage(i); !matrix(i).workspace && mine.mb() != mine.nb())
      fail(std::string(matrix(i).name) + " is in tiles of " + product(mine.mb(), mine.nb()) +
           "; a program whose sums are added up in parts takes square ones");
    for (int other = 0; other < i; ++other)
      if (arguments_.matrices[i] == arguments_.matrices[other])
        fail(std::string(matrix(other).name) + " and " + matrix(i).name +
             " are one matrix, which a program does not take whose sums are added up in parts");
  }

  /// Generated code counts slices by the number that it was compiled for, and all matrices' alike.
  void requireCut(int i) {
    const Cut mine = storage(i).cut();
    const int slices = matrix(i).cut ? algorithm_.slices() : 1;
    const auto in = [](int count) {
      return count == 1 ? "whole tiles" : "tiles of " + std::to_string(count) + " slices";
    };
    if (mine.slices != slices)
      fail(std::string(matrix(i).name) + " is in " + in(mine.slices) + ", but the program was compiled for " +
           in(slices) + " (hetc --split)");
    if (slices == 1)
      return;
    if (cut_ < 0)
      cut_ = i;
    if (const Cut first = storage(cut_).cut(); first.width != mine.width)
      fail(std::string(matrix(i).name) + " is in slices of " + std::to_string(mine.width) + " columns, but " +
           matrix(cut_).name + " in slices of " + std::to_string(first.width));
  }

  /// Loops over one matrix's tiles by another's period would be right by chance only.
  void requirePeriod(int i) const {
    const auto text = [this](int k) {
      const Period period = storage(k).period();
      return product(std::max(period.rows, 1), std::max(period.columns, 1));
    };
    if (const std::string mine = text(i), first = text(0); mine != first)
      fail(std::string("the tiles of ") + matrix(i).name + " repeat over nodes after " + mine + ", but those of " +
           matrix(0).name + " after " + first + "; a tla::PeriodScope around all of them gives them one period");
  }

  const Algorithm &algorithm_;
  const Arguments &arguments_;
  Values values_;
  std::array<bool, sizeSymbolCount> known_{};
  int origins_[sizeSymbolCount] = {-1, -1, -1}; ///< the matrix that gave the symbol
  int tiled_ = -1;                              ///< the first matrix that is no workspace
  int cut_ = -1;                                ///< the first one that is cut
};
} // namespace

std::optional<LinearForm> linearForm(Dimension dimension, const ScalarValue *scalars) {
  const LinearForm one = probe(dimension, probes[0], scalars), two = probe(dimension, probes[1], scalars);
  if (one.constant != two.constant || one.coefficients != two.coefficients)
    return std::nullopt;
  return one;
}

std::optional<DecidedSymbol> decidedBy(Dimension dimension, long size, const Values &values,
                                       const std::array<bool, sizeSymbolCount> &known) {
  const auto form = linearForm(dimension, values.scalars);
  if (!form)
    return std::nullopt;
  long rest = size - form->constant;
  int unknown = -1;
  for (int s = 0; s < sizeSymbolCount; ++s) {
    if (form->coefficients[s] == 0)
      continue;
    if (known[s])
      rest -= form->coefficients[s] * (values.*sizeMembers[s]);
    else if (unknown >= 0)
      return std::nullopt;
    else
      unknown = s;
  }
  return unknown < 0 ? std::nullopt : std::optional(DecidedSymbol{unknown, rest, form->coefficients[unknown]});
}

bool mentions(Dimension dimension, int symbol, const ScalarValue *scalars) {
  for (const Values &base : probes)
    if (probe(dimension, base, scalars).coefficients[symbol] != 0)
      return true;
  return false;
}

std::string shapeText(const MatrixParameter &matrix, const ScalarValue *scalars) {
  const std::string written = matrix.shapeText;
  if (written.find('?') == written.npos)
    return written;
  const std::string rows = symbolOf(matrix.rows, scalars), columns = symbolOf(matrix.cols, scalars);
  return rows.empty() || columns.empty() ? written : rows + " x " + columns;
}

Values sizesOf(const Algorithm &algorithm, const Arguments &arguments) {
  return Shapes(algorithm, arguments).learnAll();
}

void requireFittingShapes(const Algorithm &algorithm, const Arguments &arguments) {
  Shapes(algorithm, arguments).require();
}

namespace {

/// Ends a program where its tasks begin.
class UpToFirstTask final : public DryPass {
public:
  struct Reached {};

  void append(const TaskCall &) override { throw Reached(); }
};

void requireArguments(const Algorithm &algorithm, const Arguments &arguments) {
  UpToFirstTask sink;
  Generator generator(sink);
  try {
    algorithm.generate(generator, arguments);
  } catch (const UpToFirstTask::Reached &) {
  }
}

bool writesEmptyMatrices(const Algorithm &algorithm, const Arguments &arguments) {
  bool writes = false;
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    if (!algorithm.matrices[i].written || algorithm.matrices[i].workspace)
      continue;
    writes = true;
    if (arguments.matrices[i]->m() > 0 && arguments.matrices[i]->n() > 0)
      return false;
  }
  return writes;
}

} // namespace

bool writesNothing(const Algorithm &algorithm, const Arguments &arguments) {
  if (!writesEmptyMatrices(algorithm, arguments))
    return false;
  if (algorithm.generate)
    requireArguments(algorithm, arguments);
  return true;
}

} // namespace tla::runtime
