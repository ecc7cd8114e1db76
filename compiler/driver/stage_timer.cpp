#include "compiler/driver/stage_timer.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Format.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/raw_ostream.h>

namespace hetc::driver {

StageTimer::~StageTimer() {
  if (!report_)
    return;
  double total = 0;
  for (const auto &[name, seconds] : stages_) {
    llvm::errs() << llvm::right_justify(name, 10) << llvm::format(" %9.3f ms\n", seconds * 1e3);
    total += seconds;
  }
  llvm::errs() << llvm::right_justify("total", 10) << llvm::format(" %9.3f ms\n", total * 1e3);
}

} // namespace hetc::driver
