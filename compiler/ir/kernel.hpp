// The declaration of a kernel, as far as later stages need it: what its parameters are, and what it does with them.
#pragma once

#include "compiler/ir/expr.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace hetc::ir {

enum class Access { Read, ReadWrite, Write };
enum class Region { Full, Lower, Upper };
enum class Device { Any, Host, Gpu };
enum class Bound { Compute, Memory };

struct KernelParameter {
  std::string name;
  bool isTile = false;
  bool isPanel = false;
  Access access = Access::Read; ///< access to the tile or panel
  /// The condition, over scalar parameters, under which a tile that is read and written is not read. Null: never.
  ExprRef writtenIf;
  /// The condition, over scalar parameters, under which the kernel adds to such a tile values that do not depend on it.
  /// Null: never.
  ExprRef addsIf;
  std::string addsIn; ///< the scalar parameter, a Uplo, that says to which triangle it adds; empty: to the whole tile

  /// The C++ arithmetic type of a scalar that has one, as "int" or "unsigned int"; else empty. Not part of the text
  /// form.
  std::string number;

  bool isScalar() const { return !isTile && !isPanel; }
};

/// A kernel's declaration, as far as later stages need it. Overloads do not exist: one name, one declaration.
struct Kernel {
  std::string name; ///< qualified as generated code calls it: "tla::gemm", "mykernel"
  std::vector<KernelParameter> parameters;
  bool isTemplate = true;     ///< called as name<T>(...)
  bool returnsInfo = false;   ///< returns int: LAPACK's info
  bool infoContinues = false; ///< info > 0 is reported and does not stop the run
  ExprRef flops;              ///< operations of a call, over scalar parameters and sizes of tiles; null: not said
  Bound bound = Bound::Compute;
  /// The conditions on the arguments of a call: over scalar parameters (Var) and sizes of tiles and panels (Extent m,
  /// n, and mt of panels, under the parameter's name).
  std::vector<ExprRef> requirements;
  /// Parameters of one group may be the same tile, though the kernel writes it; others may not.
  std::vector<std::vector<std::string>> aliases;
  Location location;

  bool mayAlias(std::size_t parameter, std::size_t other) const;
};

} // namespace hetc::ir
