#include "runtime/host/files/market.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/interruption.hpp"
#include "runtime/host/files/line_scanner.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>
#include <vector>

namespace tla::host {
namespace {
using Value = std::complex<double>;
constexpr long pollEvery = 1 << 16; // entries: some milliseconds

/// One element as the file lists it, 0-based.
struct Entry {
  int row, column;
  Value value;
};

/// The element on the other side of the diagonal.
Entry mirrored(const Entry &entry, MarketSymmetry symmetry) {
  Value value = entry.value;
  if (symmetry == MarketSymmetry::Hermitian)
    value = std::conj(value);
  else if (symmetry == MarketSymmetry::SkewSymmetric)
    value = -value;
  return {entry.column, entry.row, value};
}

/// Reads the listed elements of a file one by one.
class EntryReader {
public:
  EntryReader(const MappedFile &file, const MarketHeader &header)
      : header_(header), scanner_(file.bytes(), header.offset, header.line, file.path()) {}

  template <typename Visit> void forEach(Visit visit) {
    for (long e = 0; e < header_.entries; ++e) {
      if (e % pollEvery == 0)
        pollInterruption();
      if (!scanner_.nextLine())
        scanner_.fail("the file ends after " + std::to_string(e) + " of " + std::to_string(header_.entries) +
                      " entries");
      visit(header_.format == MarketFormat::Coordinate ? coordinateEntry() : arrayEntry());
    }
    if (scanner_.nextLine())
      scanner_.fail("text after the last of " + std::to_string(header_.entries) + " entries");
  }

private:
  int valueCount() const {
    return header_.field == MarketField::Pattern ? 0 : header_.field == MarketField::Complex ? 2 : 1;
  }

  Entry coordinateEntry() {
    long where[2];
    double parts[2] = {header_.field == MarketField::Pattern ? 1.0 : 0.0, 0.0};
    scanner_.numbers(where, 2, parts, 2 + valueCount());
    if (where[0] < 1 || where[0] > header_.rows || where[1] < 1 || where[1] > header_.columns)
      scanner_.fail(position(where[0], where[1]) + " lies outside the " + std::to_string(header_.rows) + " x " +
                    std::to_string(header_.columns) + " matrix");
    const Entry entry{static_cast<int>(where[0] - 1), static_cast<int>(where[1] - 1), {parts[0], parts[1]}};
    requireSymmetricForm(entry);
    return entry;
  }

  Entry arrayEntry() {
    double parts[2] = {0.0, 0.0};
    scanner_.numbers(parts, valueCount());
    const Entry entry{static_cast<int>(row_), static_cast<int>(column_), {parts[0], parts[1]}};
    requireSymmetricForm(entry);
    if (++row_ == header_.rows)
      row_ = firstRow(++column_);
    return entry;
  }
  long firstRow(long column) const {
    return header_.symmetry == MarketSymmetry::General         ? 0
           : header_.symmetry == MarketSymmetry::SkewSymmetric ? column + 1
                                                               : column;
  }

  /// Symmetric files list the lower triangle only; the diagonal is real (hermitian) or zero (skew).
  void requireSymmetricForm(const Entry &entry) const {
    if (header_.symmetry == MarketSymmetry::General || entry.row > entry.column)
      return;
    if (entry.row < entry.column)
      scanner_.fail(position(entry.row + 1, entry.column + 1) +
                    " lies above the diagonal: a symmetric file lists the lower triangle only");
    if (header_.symmetry == MarketSymmetry::Hermitian && entry.value.imag() != 0)
      scanner_.fail("the diagonal of a hermitian matrix must be real");
    if (header_.symmetry == MarketSymmetry::SkewSymmetric && entry.value != 0.0)
      scanner_.fail("the diagonal of a skew-symmetric matrix must be zero");
  }
  static std::string position(long row, long column) { return format("(%ld, %ld)", row, column); }

  const MarketHeader &header_;
  LineScanner scanner_;
  long column_ = 0, row_ = firstRow(0);
};

FileShape marketShape(const MarketHeader &header) {
  FileShape shape;
  shape.rows = header.rows;
  shape.columns = header.columns;
  shape.complexNumbers = header.field == MarketField::Complex;
  shape.integers = header.field == MarketField::Integer || header.field == MarketField::Pattern;
  shape.mirror = header.symmetry == MarketSymmetry::General         ? FileShape::Mirror::Nothing
                 : header.symmetry == MarketSymmetry::Hermitian     ? FileShape::Mirror::Conjugate
                 : header.symmetry == MarketSymmetry::SkewSymmetric ? FileShape::Mirror::Negative
                                                                    : FileShape::Mirror::Equal;
  const double stored = static_cast<double>(header.entries) * (header.symmetry == MarketSymmetry::General ? 1 : 2);
  const double perEntry = header.format == MarketFormat::Coordinate ? 2 * sizeof(Entry) + sizeof(Value) : sizeof(Value);
  shape.loadedBytes = stored * perEntry + static_cast<double>(header.columns) * sizeof(long);
  return shape;
}

template <typename T> T fromValue(Value value) {
  if constexpr (std::is_same_v<T, int>)
    return static_cast<int>(value.real());
  else
    return fromComplex<T>(value);
}
template <typename Visit> void withElementType(ElementType type, Visit &&visit) {
  if (type == ElementType::I)
    visit(0);
  else
    withNumberType(type, visit);
}

class MarketFile : public MatrixFile {
public:
  MarketFile(std::unique_ptr<MappedFile> file, const MarketHeader &header)
      : MatrixFile(file->path(), marketShape(header)), file_(std::move(file)), header_(header) {}

protected:
  /// A matrix of int takes what an int holds.
  void requireElement(const Entry &entry, ElementType type) const {
    const double value = entry.value.real();
    if (type == ElementType::I && !(value >= INT_MIN && value <= INT_MAX && value == std::trunc(value)))
      throw UsageError(path() + ": element (" + std::to_string(entry.row + 1) + ", " +
                       std::to_string(entry.column + 1) + ") is " + formatNumber(value) + ", which no int holds");
  }

  /// Every element of the whole matrix, both triangles of symmetric ones.
  template <typename Visit> void forEachElement(Visit visit) const {
    EntryReader(*file_, header_).forEach([&](const Entry &entry) {
      visit(entry);
      if (header_.symmetry != MarketSymmetry::General && entry.row != entry.column)
        visit(mirrored(entry, header_.symmetry));
    });
  }
  const MarketHeader &header() const { return header_; }

private:
  std::unique_ptr<MappedFile> file_;
  MarketHeader header_;
};

class MarketArray final : public MarketFile {
public:
  using MarketFile::MarketFile;
  void load(ElementType type) override {
    values_.resize(static_cast<std::size_t>(shape_.rows * shape_.columns));
    forEachElement([&](const Entry &entry) {
      requireElement(entry, type);
      values_[entry.row + entry.column * shape_.rows] = entry.value;
    });
  }
  void fill(const Block &block) const override {
    withElementType(block.type, [&](auto zero) {
      using T = decltype(zero);
      for (int j = 0; j < block.n; ++j) {
        const Value *const from = values_.data() + block.row + (block.column + j) * shape_.rows;
        std::transform(from, from + block.m, static_cast<T *>(block.elements) + static_cast<long>(j) * block.ld,
                       fromValue<T>);
      }
    });
  }

private:
  std::vector<Value> values_; // column-major
};

/// Compressed columns: rows rows_[starts_[j]] .. rows_[starts_[j + 1] - 1] of column j, ascending.
class MarketCoordinate final : public MarketFile {
public:
  using MarketFile::MarketFile;
  void load(ElementType type) override {
    std::vector<Entry> entries;
    entries.reserve(static_cast<std::size_t>(header().entries));
    forEachElement([&](const Entry &entry) { entries.push_back(entry); });
    compress(sortedByColumn(entries));
    for (std::size_t j = 0, e = 0; j + 1 < starts_.size(); ++j)
      for (; e < static_cast<std::size_t>(starts_[j + 1]); ++e)
        requireElement({rows_[e], static_cast<int>(j), values_[e]}, type);
  }
  void fill(const Block &block) const override {
    withElementType(block.type, [&](auto zero) { fillAs<decltype(zero)>(block); });
  }
  void forEachPosition(const std::function<void(long, long)> &visit) const override {
    forEachElement([&](const Entry &entry) { visit(entry.row, entry.column); });
  }

private:
  /// Stable counting sort by column, then each column by row: equal positions stay in the file's order, so that their
  /// sum is the same everywhere.
  std::vector<Entry> sortedByColumn(const std::vector<Entry> &entries) const {
    std::vector<long> next(static_cast<std::size_t>(shape_.columns) + 1, 0);
    for (const Entry &entry : entries)
      ++next[entry.column + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    std::vector<Entry> sorted(entries.size());
    for (const Entry &entry : entries)
      sorted[next[entry.column]++] = entry;
    pollInterruption();
    long begin = 0;
    const auto byRow = [](const Entry &a, const Entry &b) { return a.row < b.row; };
    for (long j = 0; j < shape_.columns; begin = next[j++])
      if (!std::is_sorted(sorted.begin() + begin, sorted.begin() + next[j], byRow))
        std::stable_sort(sorted.begin() + begin, sorted.begin() + next[j], byRow);
    return sorted;
  }

  /// Sums duplicates.
  void compress(const std::vector<Entry> &sorted) {
    starts_.assign(static_cast<std::size_t>(shape_.columns) + 1, 0);
    for (std::size_t e = 0; e < sorted.size(); ++e) {
      const Entry &entry = sorted[e];
      if (e && sorted[e - 1].row == entry.row && sorted[e - 1].column == entry.column) {
        values_.back() += entry.value;
        continue;
      }
      rows_.push_back(entry.row);
      values_.push_back(entry.value);
      ++starts_[entry.column + 1];
    }
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  }

  template <typename T> void fillAs(const Block &block) const {
    for (int j = 0; j < block.n; ++j) {
      T *const column = static_cast<T *>(block.elements) + static_cast<long>(j) * block.ld;
      std::fill_n(column, block.m, T(0));
      const auto last = rows_.begin() + starts_[block.column + j + 1];
      auto row = std::lower_bound(rows_.begin() + starts_[block.column + j], last, block.row);
      for (; row != last && *row < block.row + block.m; ++row)
        column[*row - block.row] = fromValue<T>(values_[row - rows_.begin()]);
    }
  }

  std::vector<long> starts_;
  std::vector<int> rows_;
  std::vector<Value> values_;
};
} // namespace

std::unique_ptr<MatrixFile> openMarket(std::unique_ptr<MappedFile> file) {
  const MarketHeader header = parseMarketHeader(file->bytes(), file->path());
  if (header.format == MarketFormat::Array)
    return std::make_unique<MarketArray>(std::move(file), header);
  return std::make_unique<MarketCoordinate>(std::move(file), header);
}

} // namespace tla::host
