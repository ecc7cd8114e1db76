// The symbols an analysis leaves open: tile counts, element counts, scalar arguments. Each is an isl parameter.
#pragma once

#include "compiler/ir/program.hpp"

#include <isl/cpp.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace hetc::dependence {

struct Parameter {
  enum class Kind {
    Tiles,   // symbol: the size symbol; tiles that this many elements need
    Slices,  // the same; slices of these tiles
    Size,    // symbol: the size symbol; elements
    Extent,  // some matrix's extent that no other parameter gives
    Integer, // symbol: an int argument
    Enum,    // symbol: an argument of one of tla's enumerations
    Truth,   // symbol: a comparison of numbers that the call's arguments decide, as alpha == T(0); 0 or 1
  };
  Kind kind = Kind::Tiles;
  std::string symbol;
  std::string name; ///< isl's: T_n, S_n, n, A_mt, the argument's own name
  ir::ExprRef expr; ///< how the program writes it; null when it has no name there
  std::optional<std::int64_t> minimum, maximum;
};

/// The first parameter matrix that has `symbol` as its number of rows or columns, asked for that extent; null: none
/// has.
ir::ExprRef nameOfSize(const ir::Program &program, const std::string &symbol, ir::Extent rows, ir::Extent cols);

/// The number of columns, over size symbols, from which the slices of a matrix are counted: D(.., C.m()) has the
/// columns that C has rows. Null: of whole tiles, or not cut into slices.
ir::ExprRef slicedColumns(const ir::Program &program, const ir::Matrix &matrix);

class ParameterTable {
public:
  explicit ParameterTable(const ir::Program &program);

  /// The parameter, added at its first use. `expr` names it in the program where the caller knows how.
  const Parameter &tiles(const std::string &symbol);
  const Parameter &slices(const std::string &symbol);
  const Parameter &size(const std::string &symbol);
  const Parameter &extent(const std::string &key, const std::string &name, std::int64_t minimum, ir::ExprRef expr);
  /// The parameter of a scalar argument, added at its first use; null when it is not an integer or an enumeration.
  const Parameter *scalar(const std::string &symbol);
  const Parameter &truth(const ir::ExprRef &comparison);

  /// Tile and slice counts, then sizes, extents, integers and enumerations; in each group in program order.
  std::vector<Parameter> ordered() const;
  /// { : constraints on all parameters in use }, a parameter set with the parameters in order.
  isl::set context(isl::ctx ctx) const;

private:
  const Parameter &add(Parameter parameter);
  std::string uniqueName(std::string wanted) const;

  const ir::Program &program_;
  std::set<std::string> taken_; ///< names the program uses for loop variables and arguments
  std::vector<std::unique_ptr<Parameter>> parameters_;
};

} // namespace hetc::dependence
