#include "lapack/xerbla.hpp"

#include "lapack/next_library.hpp"

#include <cstring>
#include <dlfcn.h>

namespace tla::lapack {

int firstIllegal(std::initializer_list<Requirement> requirements) {
  for (const Requirement &requirement : requirements)
    if (!requirement.holds)
      return -requirement.position;
  return 0;
}

/// Looked up at each error, since a host's own XERBLA counts whenever it was loaded.
void xerbla(const char *routine, int position) {
  void *function = dlsym(RTLD_DEFAULT, "xerbla_");
  if (!function)
    function = nextFunction("xerbla_");
  if (function)
    reinterpret_cast<void (*)(const char *, const int *, std::size_t)>(function)(routine, &position,
                                                                                 std::strlen(routine));
  else
    std::fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", routine, position);
}

} // namespace tla::lapack
