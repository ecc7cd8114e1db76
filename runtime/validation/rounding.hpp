// Whether rounding decides what a program computes, found by rounding otherwise.
//
// A program on slices adds up in another order than the plain one, so that both agree up to rounding only: unless the
// program amplifies rounding errors without bound, as reflectors of a column that is zero but for them. Run once more
// with all operations rounded to one side, such a program strays from itself, and one that does not is not excused
// (J.-M. Chesneaux, J. Vignes: CESTAC; F. Févotte, B. Lathuilière: Verrou, 2016, which round at random instead).
#pragma once

#include <cfenv>
#include <initializer_list>

namespace tla::runtime::validation {

/// Rounding of the calling thread, as <cfenv> names it, until the end of the scope.
class Rounding {
public:
  explicit Rounding(int mode) : before_(std::fegetround()) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(before_); }
  Rounding(const Rounding &) = delete;
  Rounding &operator=(const Rounding &) = delete;

private:
  const int before_;
};

/// The rounding modes that are not the usual one.
inline constexpr std::initializer_list<int> otherRoundings = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

} // namespace tla::runtime::validation
