#include "runtime/program/slow_kernels.hpp"

#include "dsl/base/text.hpp"
#include "kernels/vectors/isa.hpp"

#include <algorithm>
#include <chrono>

namespace tla::host {
namespace {

constexpr double slow = 0.1; ///< part of a core's rate

/// Independent sums, enough for two units of latency four: each a variable, which stays in a register.
constexpr int sums = 8, rounds = 20000;

template <typename Vector> [[gnu::always_inline]] inline double multiplyAdd() {
  const Vector x = Vector{} + 1.0000001f, y = Vector{} + 1e-9f;
  Vector a{}, b = a + y, c = b + y, d = c + y, e = d + y, f = e + y, g = f + y, h = g + y;
  for (int round = 0; round < rounds; ++round) {
    a = a * x + y, b = b * x + y, c = c * x + y, d = d * x + y;
    e = e * x + y, f = f * x + y, g = g * x + y, h = h * x + y;
  }
  const Vector all = a + b + c + d + e + f + g + h;
  return static_cast<double>(all[0]);
}

/// Operations a second of multiply-adds in registers, in the widest vectors of this processor.
template <typename Real> double measureCoreRate() {
  double best = 0;
  volatile double kept = 0;
  for (int run = 0; run < 5; ++run) {
    int lanes = 0;
    const auto begin = std::chrono::steady_clock::now();
    kernels::vectors::vectorizedInRegisters<Real>([&](auto vector) {
      using Vector = typename decltype(vector)::type;
      lanes = sizeof(Vector) / sizeof(Real);
      kept = kept + multiplyAdd<Vector>();
    });
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    best = std::max(best, 2.0 * lanes * sums * rounds / seconds);
  }
  return best;
}

double measureCoreRate(runtime::ElementType type) {
  const bool isSingle = type == runtime::ElementType::S || type == runtime::ElementType::C;
  return isSingle ? measureCoreRate<float>() : measureCoreRate<double>();
}

/// The rate of all of the kernel's task statements.
double rateOf(const std::string &kernel, const runtime::Statistics &statistics) {
  double seconds = 0, flops = 0;
  for (const runtime::ClassStatistics &line : statistics.classes)
    if (line.kernel == kernel && line.tasks) {
      seconds += line.seconds;
      flops += line.flops;
    }
  return seconds > 0 ? flops / seconds : 0;
}

bool isWatched(const RunRecord &record) {
  return !record.settings.serial && record.machine.empty() && !record.ownKernels.computing.empty();
}
} // namespace

std::string slowKernels(const RunRecord &record, double coreRate) {
  std::string text, rest = record.ownKernels.computing;
  while (isWatched(record) && !rest.empty()) {
    const std::string kernel = rest.substr(0, rest.find(','));
    rest.erase(0, kernel.size() + 1);
    const double rate = rateOf(kernel, record.statistics);
    if (rate > 0 && rate < slow * coreRate)
      text +=
          format("  slow      %s has %.1f of a core's %.0f Gflop/s\n", kernel.c_str(), rate * 1e-9, coreRate * 1e-9);
  }
  if (text.empty())
    return "";
  return text +
         "            its inner loop may not be vector code (a sum over a loop, columns far apart, calls; "
         "<tla/vec.hpp>\n"
         "            helps), its tiles too small or more than the caches hold (bound(memory)), or flops(...) wrong\n";
}

std::string slowKernels(const RunRecord &record) {
  return isWatched(record) ? slowKernels(record, measureCoreRate(record.algorithm->type)) : "";
}

} // namespace tla::host
