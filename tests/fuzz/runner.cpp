#include "tests/fuzz/runner.hpp"

#include "tests/fuzz/compiled.hpp"

#include <algorithm>
#include <filesystem>

namespace fuzz {

namespace {
Expected expectedOf(const Tally &tally) {
  return {tally.tasks, tally.misfits, tally.unwritten, tally.overflows, tally.iterations, tally.endedEarly};
}
} // namespace

std::optional<Failure> Runner::run(int &failedCase) {
  failedCase = -1;
  const tla::runtime::Algorithm *elision = nullptr;
  if (!plainFile_.empty()) {
    step_("plain program");
    const std::string library = std::filesystem::path(plainFile_).replace_extension(".so").string();
    if (auto failure = compile(plainFile_, name_, plan_, {}, library, counts_, elision))
      return failure;
  }
  for (std::size_t v = 0; v < plan_.variants.size(); ++v) {
    const int variant = static_cast<int>(v);
    if (std::none_of(plan_.cases.begin(), plan_.cases.end(), [&](const Case &one) { return one.variant == variant; }))
      continue;
    failedCase = -1 - variant;
    step_("compile " + std::to_string(v));
    const std::string library =
        std::filesystem::path(file_).replace_extension("." + std::to_string(v) + ".so").string();
    const tla::runtime::Algorithm *algorithm = nullptr;
    if (auto failure = compile(file_, name_, plan_, plan_.variants[v], library, counts_, algorithm))
      return failure;
    if (!algorithm) // not for copies of nodes
      continue;
    for (std::size_t i = 0; i < plan_.cases.size(); ++i)
      if (plan_.cases[i].variant == variant) {
        failedCase = static_cast<int>(i);
        step_("case " + std::to_string(i));
        Examiner examiner(*algorithm, step_, counts_, false, elision);
        if (auto failure = examiner.examine(plan_.cases[i], expectedOf(tallies_[i])))
          return failure;
      }
  }
  return std::nullopt;
}

} // namespace fuzz
