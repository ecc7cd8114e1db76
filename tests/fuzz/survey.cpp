// Whether a program is wrong somewhere at small sizes.
#include "tests/fuzz/interpreter.hpp"

namespace fuzz {

bool anyEnd(const Program &program, const std::function<bool(int iterations)> &interpret) {
  constexpr int most = 3;
  for (int iterations = 0; iterations <= (endsByElement(program) ? most : 0); ++iterations)
    if (interpret(iterations))
      return true;
  return false;
}

bool maybe(bool Tally::*wrong, const Program &program) {
  const int longest = asksPeriod(program) ? 4 : 1; // of the distribution's periods
  for (int p = 1; p <= longest; ++p)
    for (int q = 1; q <= longest; ++q)
      for (long m = 0; m <= 7; ++m)
        for (long n = 0; n <= 7; ++n)
          for (long k = 0; k <= 7; ++k)
            for (long shift = 1; shift <= 3; ++shift)
              for (long ib = 1; ib <= 3; ++ib)
                try {
                  const Sizes sizes{m, n, k, 2, shift, ib, p, q};
                  if (anyEnd(program, [&](int iterations) { return interpret(program, sizes, iterations).*wrong; }))
                    return true;
                } catch (const Invalid &) {
                }
  return false;
}

} // namespace fuzz
