#include "dsl/base/floating_point.hpp"

#include <cfenv>

#if defined(__x86_64__) || defined(__i386__)
#include <xmmintrin.h>
#endif

namespace tla {

// <cfenv> has rounding alone in a portable form. Its fegetenv() masks the traps of x87 on the way, reads and writes the
// raised exceptions as well, and takes a hundred times as long, so the two registers are read directly.

#if defined(__SSE__)

namespace {
constexpr unsigned raised = 0x3f; ///< the bits of MXCSR that are no modes

unsigned controlWord() {
  unsigned short word = 0;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  return word;
}
void setControlWord(unsigned value) {
  const auto word = static_cast<unsigned short>(value);
  __asm__ volatile("fldcw %0" : : "m"(word));
}
} // namespace

FloatingPointModes FloatingPointModes::ofThisThread() {
  FloatingPointModes modes;
  modes.vector_ = _mm_getcsr() & ~raised;
  modes.x87_ = controlWord();
  return modes;
}

/// A trap that is to be set while its exception has been raised by an earlier operation would strike at the next x87
/// instruction, whatever that is; the threads that come here have raised it in computations that are over.
void FloatingPointModes::apply() const {
  const unsigned csr = _mm_getcsr();
  if ((csr & ~raised) != vector_)
    _mm_setcsr((csr & raised) | static_cast<unsigned>(vector_));
  if (controlWord() != x87_) {
    __asm__ volatile("fnclex");
    setControlWord(x87_);
  }
}

#elif defined(__aarch64__)

FloatingPointModes FloatingPointModes::ofThisThread() {
  FloatingPointModes modes;
  __asm__ volatile("mrs %0, fpcr" : "=r"(modes.vector_));
  return modes;
}

void FloatingPointModes::apply() const {
  if (!(ofThisThread() == *this))
    __asm__ volatile("msr fpcr, %0" : : "r"(vector_));
}

#else

FloatingPointModes FloatingPointModes::ofThisThread() {
  FloatingPointModes modes;
  modes.vector_ = static_cast<unsigned long long>(std::fegetround());
  return modes;
}

void FloatingPointModes::apply() const {
  if (!(ofThisThread() == *this))
    std::fesetround(static_cast<int>(vector_));
}

#endif

} // namespace tla
