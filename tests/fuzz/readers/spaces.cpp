// .space files.
#include "kernels/tuning/plan.hpp"
#include "tests/fuzz/readers/reader.hpp"

namespace fuzz::readers {

static std::string shown(const std::string &bytes, const hetc::tuning::Diagnostic &diagnostic) {
  require(diagnostic.place.offset <= bytes.size() && !diagnostic.message.empty(), "an error has a place in the text");
  require(!hetc::tuning::render("x.space", bytes, diagnostic).empty(), "an error can be shown");
  return diagnostic.message;
}

static std::string readSpace(const std::string &bytes) {
  auto space = hetc::tuning::parseSpace(bytes);
  if (const auto *diagnostic = std::get_if<hetc::tuning::Diagnostic>(&space))
    return shown(bytes, *diagnostic);
  const auto plan = hetc::tuning::plan(std::get<hetc::tuning::Space>(std::move(space)));
  if (const auto *diagnostic = std::get_if<hetc::tuning::Diagnostic>(&plan))
    return shown(bytes, *diagnostic);
  require(!std::get<hetc::tuning::EnumerationPlan>(plan).loops.empty(), "a plan has loops");
  return "";
}

Reader spaces() {
  std::vector<std::string> seeds;
  for (const char *folder : {"kernels/tuning/spaces", "tests/lit/tune"})
    for (const std::string &file : sourceFiles(folder, ".space"))
      seeds.push_back(contentOf(file));
  seeds.push_back("kernel gemm\nparam p = 4\niter x from 1 to p step 2\niter y in 1, 2, p * 4\nlet z = x * y\n"
                  "default x = 1\nhard fits: z <= 8 && gcd(x, y) == 1\nsoft s: max(x, y) > min(x, p, y) ? 1 : 0\n");
  seeds.push_back("kernel k\niter x from 1\nhard ends: x * x < 100\n");
  return {.name = "space",
          .seeds = std::move(seeds),
          .tokens = {"kernel ", "param ", "iter ",    " from ", " to ",  " step ",
                     " in ",    "let ",   "default ", "hard ",  "soft ", "correctness ",
                     " = ",     ": ",     "?",        "||",     "&&",    "==",
                     "!=",      "<",      "<=",       "+",      "-",     "*",
                     "/",       "%",      "!",        "(",      ")",     "min(",
                     "max(",    "gcd(",   ",",        "//",     "\n",    "x",
                     "y",       "z",      "1",        "0"},
          .read = readSpace,
          .cost = 4};
}

} // namespace fuzz::readers
