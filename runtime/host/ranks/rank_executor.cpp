#include <tla/runtime/ranks.hpp>

#include "dsl/base/text.hpp"
#include "runtime/distribution/distribution.hpp"
#include "runtime/host/base/element_type.hpp"
#include "runtime/host/ranks/ranks.hpp"
#include "runtime/host/ranks/traits.hpp"
#include "runtime/transport/transport.hpp"

#include "runtime/interfaces/launch.hpp"

#include <algorithm>
#include <new>
#include <optional>
#include <set>

namespace tla::runtime {
namespace {

std::shared_ptr<Transport> borrowed(Transport *transport) {
  return {transport, [](Transport *) {}};
}

Distribution distributionOf(const std::string &text, int ranks) {
  if (text.empty())
    return squareDistribution(ranks);
  Distribution distribution = parseDistribution(text);
  if (distribution.nodes() != ranks)
    throw UsageError("the distribution " + distribution.name() + " is for " + std::to_string(distribution.nodes()) +
                     " nodes, but the communicator has " + std::to_string(ranks) + " ranks; " +
                     squareDistribution(ranks).name() + " would fit");
  return distribution;
}

std::string scalarText(const ScalarParameter &parameter, const ScalarValue &value) {
  const std::string text = std::string(parameter.name) + " = ", type = parameter.type;
  if (type != "T" && type != "real")
    return text + std::to_string(value.integer);
  return text + (value.imag != 0 ? format("%.17g + %.17gi", value.real, value.imag) : format("%.17g", value.real));
}

int rankOf(const Executor &executor) { return executor.transport() ? executor.transport()->rank() : 0; }

} // namespace

LocalPart::Axis::Axis(const std::vector<char> &ownOfPeriod, int size, int tile) : size(size), tile(tile), length(0) {
  const int tiles = size <= 0 || tile <= 0 ? 0 : (size - 1) / tile + 1;
  for (int i = 0; i < tiles; ++i) {
    isOwn.push_back(ownOfPeriod[i % ownOfPeriod.size()]);
    begins.push_back(length);
    if (isOwn.back())
      length += i == tiles - 1 ? size - i * tile : tile;
  }
}

std::vector<int> LocalPart::Axis::indices() const {
  std::vector<int> result;
  for (std::size_t i = 0; i < isOwn.size(); ++i)
    for (long row = static_cast<long>(i) * tile;
         isOwn[i] && row < std::min<long>(size, (static_cast<long>(i) + 1) * tile); ++row)
      result.push_back(static_cast<int>(row));
  return result;
}

/// Every rank looks at all of them, so that all come to the same.
LocalPart::Owned::Owned(const Distribution &distribution, int rank)
    : rows(distribution.rows(), false), columns(distribution.columns(), false) {
  std::vector<std::set<int>> rowsOf(distribution.nodes()), columnsOf(distribution.nodes());
  std::vector<std::size_t> tilesOf(distribution.nodes());
  for (int I = 0; I < distribution.rows(); ++I)
    for (int J = 0; J < distribution.columns(); ++J) {
      const int node = distribution.node(I, J);
      rowsOf[node].insert(I);
      columnsOf[node].insert(J);
      ++tilesOf[node];
    }
  bool isProduct = distribution.copies() == 1;
  for (int node = 0; node < distribution.nodes(); ++node)
    isProduct &= tilesOf[node] == rowsOf[node].size() * columnsOf[node].size();
  if (!isProduct)
    throw UsageError("with " + distribution.name() +
                     " the tiles of a rank are not those in some rows and columns, as " +
                     "they are in a local array: take 2dbc:PxQ, row:P, col:Q or weights for such a grid");
  for (const int I : rowsOf[rank])
    rows[I] = true;
  for (const int J : columnsOf[rank])
    columns[J] = true;
}

LocalPart::LocalPart(const Executor &executor, int m, int n, int mb, int nb)
    : LocalPart(executor.distribution(), rankOf(executor), m, n, mb, nb) {}

LocalPart::LocalPart(const Distribution &distribution, int rank, int m, int n, int mb, int nb)
    : LocalPart(Owned(distribution, rank), m, n, mb, nb) {}

void LocalPart::place(Storage &storage, void *local, int leading) const {
  if (!local)
    return;
  storage.wrap(local, leading); // how far apart columns are
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i)
      storage.setTile(i, j,
                      rows_.isOwn[i] && columns_.isOwn[j]
                          ? static_cast<char *>(local) +
                                (static_cast<std::size_t>(rows_.begins[i]) +
                                 static_cast<std::size_t>(columns_.begins[j]) * storage.ld(i)) *
                                    storage.elementBytes()
                          : nullptr);
}

void LocalPart::wrap(Storage &storage, void *local, int leading, const std::string &name) const {
  if (leading < rows())
    throw UsageError(name + " has " + std::to_string(rows()) + " rows here, more than its leading dimension " +
                     std::to_string(leading));
  if (rows() > 0 && columns() > 0 && !local)
    throw UsageError(name + " has " + std::to_string(rows()) + " x " + std::to_string(columns()) +
                     " elements here, but its array is null");
  place(storage, local, leading);
}

RankExecutor::RankExecutor(int communicator, const std::string &distribution, const Options &options)
    : RankExecutor(std::shared_ptr<Transport>(join(communicator)), distribution, options) {}

RankExecutor::RankExecutor(std::shared_ptr<Transport> transport, const std::string &distribution,
                           const Options &options)
    : transport_(std::move(transport)) {
  host::Ranks ranks(borrowed(transport_.get()));
  const host::Neighbours neighbours = host::findNeighbours(ranks);
  Options own = options;
  own.transport = transport_.get();
  const int cores = std::max(1, defaultThreads() / neighbours.onTheseCores);
  if (own.threads == 0)
    own.threads = threadsBeside(cores, static_cast<int>(own.accelerators.size()));
  own.crews &= own.threads <= cores;
  Distribution owners;
  host::onAllRanks(ranks, [&] {
    owners = distributionOf(distribution, ranks.size());
    executor_ = std::make_unique<Executor>(own);
    if (ranks.size() > 1)
      executor_->distribute(owners);
  });
  host::requireSameTraits(ranks, {{"distribution", owners.name()}});
}

RankExecutor::~RankExecutor() = default;

int RankExecutor::rank() const { return transport_->rank(); }
int RankExecutor::size() const { return transport_->size(); }

bool ownsTile(const Executor &executor, const Storage &matrix, int i, int j) {
  return executor.distribution().node(i, j, matrix.byRows()) == rankOf(executor);
}

Period periodOf(const Executor &executor) { return executor.transport() ? executor.distribution().period() : Period(); }

void agreeOnCall(Executor &executor, const std::function<std::string()> &prepare) {
  if (!executor.transport()) {
    prepare();
    return;
  }
  host::Ranks ranks(borrowed(executor.transport()));
  std::string called;
  host::onAllRanks(ranks, [&] { called = prepare(); });
  host::requireSameTraits(ranks, {{"call", called}});
}

std::string describeCall(const Executor &executor, const Algorithm &algorithm, const Arguments &arguments) {
  std::string text = std::string(algorithm.name) + " (" + host::typeName(algorithm.type);
  if (algorithm.copies() > 1)
    text += format(", for %d copies of the nodes", algorithm.copies());
  if (algorithm.slices() > 1)
    text += format(", on %d slices", algorithm.slices());
  text += ") on " + executor.distribution().name();
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const Storage &matrix = *arguments.matrices[i];
    text += format(", %s %d x %d in tiles of %d x %d", algorithm.matrices[i].name, matrix.m(), matrix.n(), matrix.mb(),
                   matrix.nb());
    if (matrix.slices() > 1)
      text += format(" in %d slices of %d", matrix.slices(), matrix.cut().width);
    if (algorithm.asksPeriod && !(matrix.period() == Period()))
      text += format(" of period %d x %d", matrix.period().rows, matrix.period().columns);
  }
  for (int i = 0; i < algorithm.scalarCount; ++i)
    text += ", " + scalarText(algorithm.scalars[i], arguments.scalars[i]);
  return text;
}

} // namespace tla::runtime
