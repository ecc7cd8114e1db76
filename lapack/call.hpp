// What all routines do in the same way: checks of arguments, the choice between tiles and the next library, the report.
#pragma once

#include "lapack/next_library.hpp"
#include "lapack/tiles.hpp"
#include "lapack/xerbla.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <string>

namespace tla::lapack {

/// LAPACK's letter of T: 's', 'd', 'c' or 'z'.
template <typename T>
inline constexpr char letter = isComplex<T> ? (sizeof(RealType<T>) == 4 ? 'c' : 'z') : (sizeof(T) == 4 ? 's' : 'd');

/// The name that LAPACK gives a routine in one type: "dpotrf" for "potrf".
template <typename T> std::string nameOf(const char *routine) { return letter<T> + std::string(routine); }

template <typename Int> inline constexpr Int workspaceQuery = -1; ///< LWORK to ask for the size

/// An option, an enumeration of types.hpp, as an algorithm's scalar argument.
template <typename Option> runtime::ScalarValue asScalar(Option option) { return {static_cast<long>(option), 0, 0}; }
inline constexpr runtime::ScalarValue one{0, 1, 0};

struct Size {
  const char *name;
  long value;
};

template <typename Signature> class FunctionRef;

/// A callable object that outlives the call it is passed to: unlike std::function it copies nothing, so that a small
/// problem on its way to the next library costs no allocation.
template <typename Result, typename... Arguments> class FunctionRef<Result(Arguments...)> {
public:
  template <typename Callable>
  FunctionRef(const Callable &callable) // NOLINT: implicit
      : object_(&callable), call_([](const void *object, Arguments... arguments) -> Result {
          return (*static_cast<const Callable *>(object))(arguments...);
        }) {}
  Result operator()(Arguments... arguments) const { return call_(object_, arguments...); }

private:
  const void *object_;
  Result (*call_)(const void *, Arguments...);
};

/// One call of a routine.
struct Call {
  std::string routine;                 ///< "dpotrf"
  std::initializer_list<Size> sizes;   ///< as the caller says them
  std::initializer_list<long> leading; ///< dimensions
  /// The least dimension of the work; 0 when there is nothing to compute. Below HETC_MIN_N, or else below `tiledFrom`,
  /// the next library is faster (measured, see README.md).
  long least;
  int tiledFrom;
  std::initializer_list<Requirement> requirements;
  Origin origin;
  Work work; ///< work that takes most of the time
  /// Tiles are of this order, or of HETC_NB where that is less; 0: of HETC_NB, or else of one that suits the work.
  int largestTile = 0;
  /// Where it is passed on, what the next library's routine is made of may still come onto tiles: it is another routine
  /// than the one that computes here. Not where it is LeftToLapack.
  bool partsOnTiles = false;
  /// Makes the call to the next library in the place of this one.
  FunctionRef<void()> passOn;
  /// The computation on tiles; returns info.
  FunctionRef<int(Tiles &)> onTiles;
  /// LWORK = -1: the answer is the next library's, whose routine the call itself may end in.
  bool query = false;
};

/// Reports an illegal argument, or calls `passOn` or `onTiles`. Calls that come back into this library on the way,
/// because the next library's own calls are bound to our symbols, go to the next library at once. Returns info; nothing
/// when the next library has set it.
std::optional<int> perform(const Call &call);

template <typename Int> void perform(const Call &call, Int *info) {
  if (const std::optional<int> result = perform(call))
    *info = *result;
}

// LAPACK's character arguments: either case.
inline bool is(const char *character, char letter) {
  return std::toupper(static_cast<unsigned char>(*character)) == letter;
}
inline bool isUplo(const char *uplo) { return is(uplo, 'L') || is(uplo, 'U'); }
inline Uplo uploOf(const char *uplo) { return is(uplo, 'L') ? Uplo::Lower : Uplo::Upper; }

inline bool isTrans(const char *trans) { return is(trans, 'N') || is(trans, 'T') || is(trans, 'C'); }
inline Op opOf(const char *trans) { return is(trans, 'N') ? Op::NoTrans : is(trans, 'T') ? Op::Trans : Op::ConjTrans; }
/// For routines whose only other op is that of the conjugate transpose, called 'T' where the type is real.
template <typename T> bool isConjTrans(const char *trans) { return is(trans, isComplex<T> ? 'C' : 'T'); }

template <typename Int> Int atLeastOne(Int size) { return std::max<Int>(1, size); }

/// j > 0 when element (j, j), the first such, is exactly zero; else 0.
template <typename T> int firstZeroOnDiagonal(const T *a, long n, long lda) {
  for (long j = 0; j < n; ++j)
    if (a[j + j * lda] == T(0))
      return static_cast<int>(j + 1);
  return 0;
}

} // namespace tla::lapack
