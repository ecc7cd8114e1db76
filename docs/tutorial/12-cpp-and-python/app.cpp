#include "outer.tla.hpp"

#include <cstdio>
#include <vector>

int main() {
  const int m = 500, n = 330, nb = 100;
  std::vector<double> x(m, 1), y(n, 2), A(std::size_t(m) * n, 3); // column-major, as LAPACK's
  tla::runtime::Executor executor({.threads = 2});                // keeps its threads over many calls
  hetc::outer(executor, {x.data(), m, 1, m, nb}, {y.data(), n, 1, n, nb}, {A.data(), m, n, m, nb});
  std::printf("%g %g\n", A.front(), A.back());
}
