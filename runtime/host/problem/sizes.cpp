#include "runtime/host/problem/sizes.hpp"

#include "dsl/base/text.hpp"
#include "runtime/core/passes/shapes.hpp"

#include <tla/runtime/error.hpp>

#include <array>
#include <cctype>
#include <climits>

namespace tla::host {
namespace {
using runtime::Algorithm;
using runtime::MatrixParameter;
using runtime::Values;

using runtime::Dimension;

constexpr int symbolCount = runtime::sizeSymbolCount;
constexpr auto &letters = runtime::sizeSymbols;
constexpr auto &members = runtime::sizeMembers;

/// The symbols known so far, and where each came from.
class Solver {
public:
  Solver(const Algorithm &algorithm, const std::vector<GivenShape> &files, const runtime::ScalarValue *scalars)
      : algorithm_(algorithm), files_(files), scalars_(scalars) {}

  bool uses(int symbol) const { return std::string(algorithm_.sizes).find(letters[symbol]) != std::string::npos; }
  bool known(int symbol) const { return known_[symbol]; }
  long value(int symbol) const { return values_.*members[symbol]; }
  void set(int symbol, long value, const std::string &origin, int file = -1) {
    values_.*members[symbol] = value;
    known_[symbol] = true;
    origins_[symbol] = origin;
    fromFile_[symbol] = file;
  }

  /// Takes every symbol that a file's shape decides alone, until nothing new is learnt.
  void learnFromFiles() {
    for (bool learnt = true; learnt;) {
      learnt = false;
      for (int f = 0; f < static_cast<int>(files_.size()); ++f) {
        const MatrixParameter &matrix = algorithm_.matrices[files_[f].matrix];
        learnt |= learn(f, matrix.rows, files_[f].rows);
        learnt |= learn(f, matrix.cols, files_[f].columns);
      }
    }
  }

  /// Throws when a file's shape differs from what the symbols ask for.
  void verifyFiles() const {
    for (int f = 0; f < static_cast<int>(files_.size()); ++f) {
      const MatrixParameter &matrix = algorithm_.matrices[files_[f].matrix];
      const Values values = this->values();
      if (matrix.rows(values) != files_[f].rows || matrix.cols(values) != files_[f].columns)
        failShape(f);
    }
  }

  Values values() const {
    Values values = values_;
    values.scalars = scalars_;
    return values;
  }

private:
  bool learn(int file, Dimension dimension, long size) {
    const auto decided = runtime::decidedBy(dimension, size, values(), known_);
    if (!decided)
      return false;
    if (decided->quotient % decided->coefficient != 0 || decided->quotient / decided->coefficient < 0)
      failShape(file);
    set(decided->symbol, decided->quotient / decided->coefficient, originOf(file), file);
    return true;
  }

  std::string originOf(int file) const {
    const GivenShape &given = files_[file];
    return std::string("from ") + algorithm_.matrices[given.matrix].name + inFile(file) + ", " +
           std::to_string(given.rows) + " x " + std::to_string(given.columns);
  }
  std::string inFile(int file) const { return files_[file].path.empty() ? "" : " in " + files_[file].path; }

  [[noreturn]] void failShape(int file) const {
    const GivenShape &given = files_[file];
    const MatrixParameter &matrix = algorithm_.matrices[given.matrix];
    const std::string shape = std::to_string(given.rows) + " x " + std::to_string(given.columns);
    if (matrix.shape != Shape::General && given.rows != given.columns)
      throw UsageError(std::string(algorithm_.name) + " needs a square " + matrix.name + "; " +
                       (given.path.empty() ? "it" : given.path) + " is " + shape);
    throw UsageError(std::string(matrix.name) + " is " + shape + inFile(file) + ", but " + reasons(file) +
                     " asks for " + expectedShape(file));
  }

  /// The symbols that this file did not bring itself: "n = 90 (from A in a.npy)".
  std::string reasons(int file) const {
    std::string text;
    for (int s = 0; s < symbolCount; ++s)
      if (known_[s] && fromFile_[s] != file && mentions(file, s))
        text += (text.empty() ? "" : ", ") + std::string(1, letters[s]) + " = " + std::to_string(value(s)) + " (" +
                origins_[s] + ")";
    return text.empty() ? std::string(algorithm_.name) : text;
  }
  bool mentions(int file, int symbol) const {
    const MatrixParameter &matrix = algorithm_.matrices[files_[file].matrix];
    return runtime::mentions(matrix.rows, symbol, scalars_) || runtime::mentions(matrix.cols, symbol, scalars_);
  }
  /// The shape with the numbers of other origins in place of their symbols: "90 x k".
  std::string expectedShape(int file) const {
    const std::string pattern = runtime::shapeText(algorithm_.matrices[files_[file].matrix], scalars_);
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string text;
    for (std::size_t p = 0; p < pattern.size();) {
      std::size_t end = p;
      while (end < pattern.size() && isWord(pattern[end]))
        ++end;
      std::string word = pattern.substr(p, end == p ? 1 : end - p);
      p += word.size();
      for (int s = 0; s < symbolCount; ++s)
        if (word == std::string(1, letters[s]) && known_[s] && fromFile_[s] != file)
          word = std::to_string(value(s));
      text += word;
    }
    return text;
  }

  const Algorithm &algorithm_;
  const std::vector<GivenShape> &files_;
  const runtime::ScalarValue *scalars_;
  Values values_;
  std::array<bool, symbolCount> known_{};
  int fromFile_[symbolCount] = {-1, -1, -1};
  std::string origins_[symbolCount];
};

constexpr int n = 1;

/// " (A is n x n)", of a matrix that the size is of; empty when there is none.
std::string exampleOf(const Algorithm &algorithm, int symbol, const runtime::ScalarValue *scalars) {
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const MatrixParameter &matrix = algorithm.matrices[i];
    if (runtime::mentions(matrix.rows, symbol, scalars) || runtime::mentions(matrix.cols, symbol, scalars))
      return std::string(" (") + matrix.name + " is " + runtime::shapeText(matrix, scalars) + ")";
  }
  return "";
}

/// Defaults for what neither options nor files said; n first, since m and k fall back on it.
void applyDefaults(Solver &solver, const Algorithm &algorithm, const runtime::ScalarValue *scalars) {
  for (const int s : {n, 0, 2}) {
    if (!solver.uses(s) || solver.known(s))
      continue;
    if (const long value = algorithm.sizeDefaults.*members[s]; value > 0)
      solver.set(s, value, "the default");
    else if (s != n && solver.known(n))
      solver.set(s, solver.value(n), std::string(1, letters[s]) + " = n");
    else
      throw UsageError(std::string("how large? give -") + letters[s] + " or an --input file" +
                       exampleOf(algorithm, s, scalars));
  }
}
} // namespace

Values resolveSizes(const Algorithm &algorithm, const Settings &settings, const std::vector<GivenShape> &files,
                    const std::vector<runtime::ScalarValue> &scalars) {
  Solver solver(algorithm, files, scalars.data());
  const std::optional<long> given[symbolCount] = {settings.m, settings.n, settings.k};
  for (int s = 0; s < symbolCount; ++s)
    if (given[s])
      solver.set(s, *given[s], std::string("from -") + letters[s]);
  solver.learnFromFiles();
  applyDefaults(solver, algorithm, scalars.data());
  solver.verifyFiles();
  return solver.values();
}

std::vector<Extent> matrixExtents(const Algorithm &algorithm, const Values &values) {
  std::vector<Extent> extents;
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const MatrixParameter &matrix = algorithm.matrices[i];
    const Extent extent = matrix.workspace ? Extent{0, 0} : Extent{matrix.rows(values), matrix.cols(values)};
    if (extent.rows < 0 || extent.columns < 0 || extent.rows > INT_MAX || extent.columns > INT_MAX)
      throw UsageError(std::string(matrix.name) + " would be " + std::to_string(extent.rows) + " x " +
                       std::to_string(extent.columns) + " (" + runtime::shapeText(matrix, values.scalars) +
                       "): sizes must be between 0 and 2^31 - 1");
    extents.push_back(extent);
  }
  return extents;
}

std::vector<std::pair<char, long>> usedSizes(const Algorithm &algorithm, const runtime::Values &values) {
  std::vector<std::pair<char, long>> used;
  for (const auto &[symbol, value] : {std::pair{'m', values.m}, {'n', values.n}, {'k', values.k}})
    if (std::string_view(algorithm.sizes).find(symbol) != std::string_view::npos)
      used.emplace_back(symbol, value);
  return used;
}

std::string sizesText(const Algorithm &algorithm, const runtime::Values &values) {
  std::string text;
  for (const auto &[symbol, value] : usedSizes(algorithm, values))
    text += format("%s%c = %ld", text.empty() ? "" : ", ", symbol, value);
  return text;
}

} // namespace tla::host
