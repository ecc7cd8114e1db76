// Whether standard kernels stay inside the halves of tiles, lower() and upper(), that they are given: what BLAS and
// LAPACK reference of a triangular or symmetric tile depends on a call's options.
#pragma once

#include "compiler/ir/program.hpp"

#include <string>
#include <vector>

namespace hetc::codegen {

/// A half of a tile as the argument of a standard kernel.
struct GivenHalf {
  std::size_t argument = 0;
  /// The kernel stays inside if this holds, over its scalar parameters; null: never.
  ir::ExprRef staysIf;

  enum class Verdict { Stays, Leaves, Open };
  /// Decides, as far as is known, whether the call stays inside the half. Open: an argument of the algorithm, or a
  /// loop, decides.
  Verdict verdict(const ir::Kernel &kernel, const ir::Task &task) const;
};

/// All arguments of the task that are halves with dependences of their own; none of a user's kernel, which is tried
/// when it runs (tla/generated/guarded.hpp).
std::vector<GivenHalf> givenHalves(const ir::Kernel &kernel, const ir::Task &task);

/// "potrf stays inside A, which is A(k, k).lower(), only if uplo == ...".
std::string describe(const GivenHalf &half, const ir::Kernel &kernel, const ir::Task &task);

} // namespace hetc::codegen
