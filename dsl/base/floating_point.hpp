// How a thread computes with floating-point numbers.
#pragma once

namespace tla {

/// Rounding, what becomes of subnormal numbers (FTZ, DAZ), and which exceptions trap: what a thread has set, as opposed
/// to which exceptions its operations have raised. A thread inherits them from the one that starts it and keeps them,
/// so a thread that computes for a caller takes the caller's first.
class FloatingPointModes {
public:
  static FloatingPointModes ofThisThread();
  /// Sets the calling thread's; costs a few nanoseconds where they are these already. Raised exceptions stay raised.
  void apply() const;
  bool operator==(const FloatingPointModes &) const = default;

private:
  /// x86: the control bits of MXCSR and the x87 control word; ARM: FPCR; else fegetround() alone.
  unsigned long long vector_ = 0;
  unsigned x87_ = 0;
};

} // namespace tla
