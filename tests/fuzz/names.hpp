// What names stand for while a random program is interpreted: numbers, matrices, and parts and transposes of these.
#pragma once

#include "tests/fuzz/interpreter.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fuzz {

/// A matrix' sizes, in elements and tiles.
struct Extents {
  long m, n, mb, nb, p = 1, q = 1;

  static long tiles(long elements, long tile) { return elements <= 0 ? 0 : (elements - 1) / tile + 1; }
  long mt() const { return tiles(m, mb); }
  long nt() const { return tiles(n, nb); }
  long tileRows(long i) const { return std::min(mb, m - i * mb); }
  long tileCols(long j) const { return std::min(nb, n - j * nb); }

  long named(const std::string &member) const {
    if (member == "mt")
      return mt();
    if (member == "nt")
      return nt();
    if (member == "p" || member == "q")
      return member == "p" ? p : q;
    return member == "m" ? m : member == "n" ? n : member == "mb" ? mb : nb;
  }
};

/// Tile rows row .. rowEnd - 1 and tile columns column .. columnEnd - 1.
struct Bounds {
  long row, rowEnd, column, columnEnd;

  bool has(long i, long j) const { return row <= i && i < rowEnd && column <= j && j < columnEnd; }
};

class Names {
public:
  Names(const Program &program, const Sizes &sizes) : program_(program), sizes_(sizes) {
    define("m", sizes.m);
    define("n", sizes.n);
    define("k", sizes.k);
    define("shift", sizes.shift);
    define("ib", sizes.ib);
    values_.push_back({"factor", {0.375, true}});
    for (const Matrix &matrix : program.matrices)
      extents_[matrix.name] = measure(matrix);
  }

  Extents extents(const std::string &matrix) const { return extents_.at(matrix); }

protected:
  void define(const std::string &name, long value) {
    values_.push_back({name, {static_cast<long double>(value), false}});
  }

  Extents measure(const Matrix &matrix) {
    std::vector<long> sizes;
    for (const Expression &size : matrix.sizes)
      sizes.push_back(evaluate(size).integer());
    Extents extents{};
    if (sizes.size() == 2)
      extents = {sizes[0], sizes[1], sizes_.nb, sizes_.nb};
    else if (sizes.size() == 3)
      extents = {sizes[0], sizes[1], sizes[2], sizes[2]};
    else
      extents = {sizes[0] * sizes[2], sizes[1] * sizes[3], sizes[2], sizes[3]};
    extents.p = sizes_.p;
    extents.q = sizes_.q;
    if (std::any_of(sizes.begin(), sizes.end(), [](long size) { return size < 0; }) || extents.mb < 1 || extents.nb < 1)
      throw Invalid{matrix.name + " has no size"};
    return extents;
  }

  Number evaluate(const Expression &expression) const {
    return fuzz::evaluate(
        expression,
        {[this](const std::string &name) { return valueOf(name); },
         [this](const std::string &matrix, const std::string &member) { return extentsOf(matrix).named(member); },
         [this](const std::string &name, long row, long column) {
           const Meaning of = meaning(name);
           const long i = of.firstRow() + (of.transposed ? column : row),
                      j = of.firstColumn() + (of.transposed ? row : column);
           return (of.parts.empty() || of.parts.front().has(i, j)) && has(of.matrix, i, j);
         }});
  }

  /// By the name that the matrix was given with.
  bool has(const std::string &name, long i, long j) const {
    const Matrix *const matrix = program_.find(name);
    const auto found = extents_.find(name);
    if (!matrix || found == extents_.end())
      throw Invalid{"no matrix " + name};
    const bool inside = i >= 0 && j >= 0 && i < found->second.mt() && j < found->second.nt();
    const bool stored = matrix->kind == MatrixKind::Lower ? i >= j : matrix->kind != MatrixKind::Upper || i <= j;
    return inside && stored &&
           (!sizes_.sparse || matrix->kind == MatrixKind::Workspace || isPresent(sizes_.sparse, name, i, j));
  }

  Number valueOf(const std::string &name) const {
    for (auto value = values_.rbegin(); value != values_.rend(); ++value)
      if (value->first == name)
        return value->second;
    if (name[0] >= 'A' && name[0] <= 'Z') // an option, as NoTrans
      return {};
    throw Invalid{"no " + name};
  }

  /// The matrix that a name stands for.
  struct Meaning {
    std::string matrix;
    bool transposed = false;
    std::vector<Bounds> parts = {}; ///< ranges that the tiles must be in, the innermost first

    long firstRow() const { return parts.empty() ? 0 : parts.front().row; }
    long firstColumn() const { return parts.empty() ? 0 : parts.front().column; }
  };
  Meaning meaning(const std::string &name) const {
    const auto found = aliases_.find(name);
    return found == aliases_.end() ? Meaning{name} : found->second;
  }
  std::string original(const std::string &name) const { return meaning(name).matrix; }
  void swapNames(const std::string &first, const std::string &second) {
    const Meaning of = meaning(first);
    aliases_[first] = meaning(second);
    aliases_[second] = of;
  }
  Extents extentsOf(const std::string &matrix) const {
    const auto found = extents_.find(original(matrix));
    if (found == extents_.end())
      throw Invalid{"no matrix " + matrix};
    Extents extents = found->second;
    if (const Meaning of = meaning(matrix); !of.parts.empty()) {
      const auto elements = [](long first, long end, long tile, long all) {
        return std::max(0L, std::min(end * tile, all) - first * tile);
      };
      const Bounds &part = of.parts.front();
      extents.m = elements(part.row, part.rowEnd, extents.mb, extents.m);
      extents.n = elements(part.column, part.columnEnd, extents.nb, extents.n);
    }
    if (meaning(matrix).transposed) {
      std::swap(extents.m, extents.n);
      std::swap(extents.mb, extents.nb);
      std::swap(extents.p, extents.q);
    }
    return extents;
  }

  void declare(const std::string &type, const std::string &name, const Number &value) {
    const bool truth = type == "bool", whole = type == "int";
    values_.push_back({name, truth   ? Number{double(value.truth()), false}
                             : whole ? Number{static_cast<long double>(value.integer()), false}
                                     : Number{static_cast<double>(value.value), true}});
  }

  /// Returns what the parameter that is called with the argument stands for.
  Meaning meaningOf(const Argument &argument) const {
    Meaning result = meaning(argument.matrix);
    if (!argument.tiles.empty()) {
      std::vector<long> bounds;
      for (const Expression &bound : argument.tiles)
        bounds.push_back(evaluate(bound).integer());
      if (result.transposed) { // as the matrix lies
        std::swap(bounds[0], bounds[2]);
        std::swap(bounds[1], bounds[3]);
      }
      const long row = result.firstRow(), column = result.firstColumn();
      result.parts.insert(result.parts.begin(),
                          {row + bounds[0], row + bounds[1], column + bounds[2], column + bounds[3]});
    }
    result.transposed = result.transposed != argument.transposed;
    return result;
  }

  using Place = std::tuple<std::string, long, long>;
  Place place(const Argument &argument, long row) const {
    const long column = evaluate(argument.column).integer();
    const Meaning of = meaning(argument.matrix);
    const long i = of.firstRow() + (of.transposed ? column : row),
               j = of.firstColumn() + (of.transposed ? row : column);
    if (!std::all_of(of.parts.begin(), of.parts.end(), [&](const Bounds &part) { return part.has(i, j); }))
      throw Invalid{"no tile of this part of " + of.matrix + ": (" + std::to_string(i) + ", " + std::to_string(j) +
                    ")"};
    return {of.matrix, i, j};
  }

  void checkView(const Argument &argument, long size) const {
    const long first = evaluate(argument.viewFirst).integer(), count = evaluate(argument.viewCount).integer();
    if (first < 0 || count < 0 || first > size - count)
      throw Invalid{"a view outside its tile"};
  }

  const Program &program_;
  const Sizes &sizes_;
  std::vector<std::pair<std::string, Number>> values_; ///< innermost last
  std::map<std::string, Extents> extents_;
  std::map<std::string, Meaning> aliases_; ///< parameters of the algorithm that runs
};

} // namespace fuzz
