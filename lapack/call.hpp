// What all routines do in the same way: checks of arguments, the choice between tiles and the next library, the report.
#pragma once

#include "lapack/next_library.hpp"
#include "lapack/tiles.hpp"
#include "lapack/xerbla.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <initializer_list>
#include <string>

namespace tla::lapack {

/// LAPACK's letter of T: 's', 'd', 'c' or 'z'.
template <typename T>
inline constexpr char letter = isComplex<T> ? (sizeof(RealType<T>) == 4 ? 'c' : 'z') : (sizeof(T) == 4 ? 's' : 'd');

/// The name that LAPACK gives a routine in one type: "dpotrf" for "potrf".
template <typename T> std::string nameOf(const char *routine) { return letter<T> + std::string(routine); }
/// The name that it is exported by.
template <typename T> std::string symbol(const char *routine) { return nameOf<T>(routine) + "_"; }

struct Size {
  const char *name;
  int value;
};

/// One call of a routine.
struct Call {
  std::string routine; ///< "dpotrf"
  /// The sizes that the work depends on, for the report. The least decides: when it is below HETC_MIN_N, or else below
  /// `tiledFrom`, the next library is faster (measured, see README.md).
  std::initializer_list<Size> sizes;
  int tiledFrom;
  std::initializer_list<Requirement> requirements;
  /// The work is this algorithm's, for these sizes and scalars: what the tile size is chosen by.
  const runtime::Algorithm &algorithm;
  runtime::Values values;
  /// The same call of the next library.
  std::function<void()> passOn;
  /// The computation on tiles; returns info.
  std::function<int(Tiles &)> onTiles;
  /// LWORK = -1: the answer is the next library's, whose routine the call itself may end in.
  bool workspaceQuery = false;
};

/// Reports an illegal argument, or calls `passOn` or `onTiles`. Calls that come back into this library on the way, because
/// the next library's own calls are bound to our symbols, go to the next library at once.
void perform(const Call &call, int &info);

// LAPACK's character arguments: either case.
inline bool is(const char *character, char letter) { return std::toupper(static_cast<unsigned char>(*character)) == letter; }
inline bool isUplo(const char *uplo) { return is(uplo, 'L') || is(uplo, 'U'); }
inline Uplo uploOf(const char *uplo) { return is(uplo, 'L') ? Uplo::Lower : Uplo::Upper; }

inline int atLeastOne(int size) { return std::max(1, size); }

} // namespace tla::lapack
