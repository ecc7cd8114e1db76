// The header in C++, and a run that another thread interrupts.
#include "hetc.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  hetc_executor *executor = nullptr;
  const hetc_algorithm *gemm = nullptr;
  if (hetc_executor_create(1, &executor) || hetc_find("gemm", 'd', &gemm))
    return 1;
  constexpr int n = 1500;
  std::vector<double> a(n * n), b(n * n), c(n * n);
  const hetc_matrix matrices[] = {{a.data(), n, n, n}, {b.data(), n, n, n}, {c.data(), n, n, n}};
  std::thread other([&] {
    while (hetc_flops_done(executor) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    hetc_interrupt(executor);
  });
  const hetc_status status = hetc_run(executor, gemm, matrices, 3, nullptr, 0, 8, nullptr);
  other.join();
  hetc_executor_destroy(executor);
  std::printf("%d: %s\n", status, hetc_message());
  return status == HETC_INTERRUPTED ? 0 : 1;
}
