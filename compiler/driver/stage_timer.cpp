#include "compiler/driver/stage_timer.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/raw_ostream.h>

#include <chrono>

#include <sys/resource.h>

namespace hetc::driver {

StageTimer::~StageTimer() {
  if (!report_)
    return;
  Seconds total;
  const auto print = [](const std::string &name, const Seconds &seconds) {
    llvm::errs() << llvm::right_justify(name, 10)
                 << llvm::format(" %9.3f ms  processors %9.3f ms\n", seconds.onClock * 1e3, seconds.ofProcessors * 1e3);
  };
  for (const auto &[name, seconds] : stages_) {
    print(name, seconds);
    total.onClock += seconds.onClock;
    total.ofProcessors += seconds.ofProcessors;
  }
  print("total", total);
}

StageTimer::Seconds StageTimer::Seconds::now() {
  double processors = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(whose, &usage);
    for (const timeval &part : {usage.ru_utime, usage.ru_stime})
      processors += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  }
  return {std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(), processors};
}

} // namespace hetc::driver
