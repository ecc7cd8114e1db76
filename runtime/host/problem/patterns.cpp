#include "runtime/host/problem/patterns.hpp"

#include "dsl/base/text.hpp"
#include "runtime/core/window/dry_pass.hpp"
#include "runtime/core/window/tile_table.hpp"
#include "runtime/host/files/matrix_file.hpp"
#include "runtime/host/problem/memory.hpp"

#include <tla/runtime/error.hpp>
#include <tla/runtime/generator.hpp>

#include <algorithm>
#include <filesystem>

namespace tla::host {
namespace {

constexpr std::string_view fillSuffix = ",fill";

/// Sets of rows or columns.
class BitSets {
public:
  explicit BitSets(int sets) : words_((static_cast<std::size_t>(sets) + 63) / 64), bits_(words_ * sets) {}

  void insert(int set, int element) { word(set, element) |= bit(element); }
  bool contains(int set, int element) const { return bits_[index(set, element)] & bit(element); }
  /// The elements of `from` that are larger than `above`.
  void insertAbove(int set, int from, int above) {
    const std::size_t first = static_cast<std::size_t>(above + 1) / 64;
    for (std::size_t w = first; w < words_; ++w) {
      std::uint64_t added = bits_[from * words_ + w];
      if (w == first)
        added &= ~std::uint64_t(0) << (above + 1) % 64;
      bits_[set * words_ + w] |= added;
    }
  }

private:
  static std::uint64_t bit(int element) { return std::uint64_t(1) << element % 64; }
  std::size_t index(int set, int element) const { return set * words_ + static_cast<std::size_t>(element) / 64; }
  std::uint64_t &word(int set, int element) { return bits_[index(set, element)]; }

  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

/// Set j is the rows below the diagonal of column j of the factor.
void fillTriangle(int mt, BitSets &below) {
  for (int k = 0; k < mt; ++k) {
    int parent = k + 1;
    while (parent < mt && !below.contains(k, parent))
      ++parent;
    if (parent < mt)
      below.insertAbove(parent, k, parent);
  }
}

/// Set i is the columns of row i.
void fillGeneral(int mt, BitSets &rows) {
  for (int k = 0; k < mt; ++k)
    for (int i = k + 1; i < mt; ++i)
      if (rows.contains(i, k))
        rows.insertAbove(i, k, k);
}

} // namespace

void symbolicFactorization(Shape shape, int mt, std::vector<unsigned char> &present) {
  const bool byColumn = shape == Shape::Lower;
  BitSets sets(mt);
  const auto at = [&](int i, int j) -> unsigned char & { return present[i + static_cast<std::size_t>(j) * mt]; };
  for (int j = 0; j < mt; ++j)
    for (int i = 0; i < mt; ++i)
      if (at(i, j) && (shape == Shape::General || (byColumn ? i > j : i < j)))
        sets.insert(byColumn ? j : i, byColumn ? i : j);
  if (shape == Shape::General)
    fillGeneral(mt, sets);
  else
    fillTriangle(mt, sets);
  for (int j = 0; j < mt; ++j)
    for (int i = 0; i < mt; ++i)
      if (i == j || (byColumn ? sets.contains(j, i) : sets.contains(i, j)))
        at(i, j) = 1;
}

namespace {

class StoredTiles final : public runtime::DryPass {
public:
  void append(const runtime::TaskCall &call) override {
    for (int i = 0; i < call.accessCount; ++i) {
      const runtime::TileAccess &access = call.accesses[i];
      const runtime::TileTable &matrix = *access.matrix;
      const bool inside = matrix.has(access.row, access.column);
      if (inside && matrix.stores(access.row, access.column))
        continue;
      throw Error((inside ? "the matrix' pattern does not have tile " + matrix.tileName(access.row, access.column)
                          : matrix.outsideText(access.row, access.column)) +
                  " (" + call.taskClass.kernel + ", " + call.taskClass.location + ")");
    }
  }
};

} // namespace

void requireStoredTiles(const runtime::Algorithm &algorithm, const runtime::Arguments &arguments) {
  StoredTiles sink;
  runtime::Generator generator(sink);
  algorithm.generate(generator, arguments);
}

GivenShape Patterns::add(const runtime::MatrixParameter &matrix, int index, const std::string &text) {
  Entries entries;
  entries.fills = text.ends_with(fillSuffix);
  entries.path = entries.fills ? text.substr(0, text.size() - fillSuffix.size()) : text;
  const std::size_t comma = entries.path.rfind(',');
  if (!entries.fills && comma != std::string::npos && !std::filesystem::exists(entries.path) &&
      std::filesystem::exists(entries.path.substr(0, comma)))
    throw UsageError("--pattern " + std::string(matrix.name) + "=" + text +
                     ": behind the file's name only ',fill' may stand");
  const std::unique_ptr<MatrixFile> file = openMatrixFile(entries.path);
  const FileShape &shape = file->shape();
  if (entries.fills && shape.rows != shape.columns)
    throw UsageError(format("--pattern: %s is %ld x %ld, and only square matrices are filled in by elimination; leave "
                            "out ',fill'",
                            entries.path.c_str(), shape.rows, shape.columns));
  file->forEachPosition([&](long row, long column) {
    const bool isOther = matrix.shape != Shape::General && (matrix.shape == Shape::Lower ? row < column : row > column);
    if (isOther) // the file may be of the whole Hermitian matrix
      std::swap(row, column);
    entries.positions.emplace_back(static_cast<int>(column), static_cast<int>(row));
  });
  std::ranges::sort(entries.positions);
  const auto repeated = std::ranges::unique(entries.positions);
  entries.positions.erase(repeated.begin(), repeated.end());
  entries.rows = shape.rows;
  entries.columns = shape.columns;
  const std::string path = entries.path;
  entries_.insert_or_assign(matrix.name, std::move(entries));
  return {index, shape.rows, shape.columns, path};
}

Patterns::Table Patterns::tableOf(const Entries &entries, const Storage &storage) {
  Table present(static_cast<std::size_t>(storage.mt()) * storage.nt());
  for (const auto &[column, row] : entries.positions) {
    const long i = row * long{storage.m()} / entries.rows / storage.mb(),
               j = column * long{storage.n()} / entries.columns / storage.nb();
    present[i + static_cast<std::size_t>(j) * storage.mt()] = 1;
  }
  if (entries.fills)
    symbolicFactorization(storage.shape(), storage.mt(), present);
  return present;
}

void Patterns::describe(const runtime::MatrixParameter &matrix, Storage &storage) const {
  const auto found = entries_.find(matrix.name);
  if (found == entries_.end())
    return;
  std::shared_ptr<const Table> table;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<const Table> &known = tables_[{matrix.name, storage.nb(), storage.m(), storage.n()}];
    if (!known)
      known = std::make_shared<const Table>(tableOf(found->second, storage));
    table = known;
  }
  const int mt = storage.mt();
  storage.setPattern([&](int i, int j) { return (*table)[i + static_cast<std::size_t>(j) * mt] != 0; });
}

std::string Patterns::text(const runtime::MatrixParameter &matrix) const {
  const auto found = entries_.find(matrix.name);
  if (found == entries_.end())
    return "";
  return found->second.path + (found->second.fills ? ", with fill" : "");
}

std::string Patterns::path(const runtime::MatrixParameter &matrix) const {
  const auto found = entries_.find(matrix.name);
  return found == entries_.end() ? "" : found->second.path;
}

} // namespace tla::host
