#include "lapack/xerbla.hpp"

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
void xerbla(const char *routine, int position, const Origin &origin) {
  const std::string symbol = symbolOf(origin.names, "xerbla");
  void *function = dlsym(RTLD_DEFAULT, symbol.c_str());
  if (!function)
    function = reinterpret_cast<void *>(findNext(symbol, origin.caller).function);
  // Where INTEGER has 32 bits the lower half is read, which comes first on the machines that hetc runs on.
  const std::int64_t integer = position;
  if (function)
    reinterpret_cast<void (*)(const char *, const std::int64_t *, std::size_t)>(function)(routine, &integer,
                                                                                          std::strlen(routine));
  else
    std::fprintf(stderr, " ** On entry to %s parameter number %d had an illegal value\n", routine, position);
}

} // namespace tla::lapack
