// The kernels as the reference bodies themselves: what a serial elision links.
#include "kernels/reference/reference.hpp"

#include <tla/kernels/kernels.hpp>

namespace tla {
#define TLA_KERNEL(result, name, traits, parameters, arguments)                                                        \
  template <typename T> result name parameters { return reference::name arguments; }
#include <tla/kernels/kernels.def>
} // namespace tla

#include "kernels/reference/instantiate.hpp" // after the definitions
