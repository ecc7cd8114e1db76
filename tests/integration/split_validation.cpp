// Every algorithm of algorithms/, split, is found to be what it was; programs with wrong split rules are found out.
//
//   split_validation TYPE SLICES [--part P/N] [NAME ...]
#include "runtime/interfaces/validation.hpp"
#include "tests/integration/load_algorithm.hpp"

#include <tla/kernels/table.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include <unistd.h>

namespace {

namespace rt = tla::runtime;

class Judge {
public:
  Judge(char type, int slices, std::filesystem::path directory)
      : type_(type), slices_(slices), directory_(std::move(directory)) {
    std::filesystem::create_directories(directory_);
  }
  ~Judge() { std::filesystem::remove_all(directory_); }

  /// `algorithm` empty: the one that is named like the file.
  void expect(bool right, const std::filesystem::path &file, const std::string &algorithm) {
    const rt::Algorithm *const loaded = algorithm.empty() && right
                                            ? tla::test::loadAlgorithm(file, type_, slices_, "")
                                            : tla::test::loadUnjudged(file, type_, slices_, directory_, algorithm);
    if (!loaded || loaded->slices() != slices_)
      return complain(file, algorithm, "cannot be compiled");
    const auto begin = std::chrono::steady_clock::now();
    const auto difference = rt::validateSplit(*loaded);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::cout << loaded->name << ": " << (difference ? difference->text : "no difference") << ", after "
              << seconds.count() << " s\n";
    if (bool(difference) == right)
      complain(file, algorithm, right ? "is right" : "is wrong, which was not found");
    else if (difference && difference->text != rt::validateSplit(*loaded)->text)
      complain(file, algorithm, "is found out in another way the second time");
  }
  int failures() const { return failures_; }

private:
  void complain(const std::filesystem::path &file, const std::string &algorithm, const std::string &what) {
    std::cout << file.filename().string() << " " << algorithm << " in " << slices_ << " slices " << what << "\n";
    ++failures_;
  }

  const char type_;
  const int slices_;
  const std::filesystem::path directory_;
  int failures_ = 0;
};

} // namespace

int main(int argc, char **argv) {
  tla::test::compileAsHetc();
  CLI::App app("every algorithm on slices against its serial elision");
  std::string type = "d";
  int slices = 3;
  std::vector<std::string> names;
  app.add_option("type", type, "s, d, c or z")->required()->check(CLI::IsMember({"s", "d", "c", "z"}));
  app.add_option("slices", slices, "of each tile")->required()->check(CLI::Range(2, 16));
  std::string part = "0/1";
  app.add_option("--part", part, "part P of N, 0 <= P < N, of the algorithms")->check([](const std::string &text) {
    int p = 0, n = 0;
    const bool isPart = std::sscanf(text.c_str(), "%d/%d", &p, &n) == 2 && 0 <= p && p < n;
    return isPart ? std::string() : "'" + text + "' is no part; an example is 0/3";
  });
  app.add_option("names", names, "algorithms; all by default");
  CLI11_PARSE(app, argc, argv);

  tla::kernels::installKernels("auto");
  Judge judge(type[0], slices,
              std::filesystem::temp_directory_path() / ("hetc-validation-" + std::to_string(getpid())));
  int first = 0, parts = 1;
  std::sscanf(part.c_str(), "%d/%d", &first, &parts);
  const std::vector<std::filesystem::path> files = tla::test::algorithmFiles(names);
  for (std::size_t f = first; f < files.size(); f += parts)
    judge.expect(true, files[f], "");
  const std::filesystem::path inputs = TLA_INPUTS_DIR;
  if (names.empty()) {
    judge.expect(true, inputs / "wrong_rules.tla", "right");
    judge.expect(false, inputs / "wrong_rules.tla", "tilted");
    judge.expect(false, inputs / "wrong_rules.tla", "added");
    judge.expect(false, inputs / "wrong_rules.tla", "refused");
    judge.expect(true, inputs / "opaque.tla", "factors");
    judge.expect(true, inputs / "opaque.tla", "given");
    judge.expect(false, inputs / "opaque.tla", "unsaid");
    judge.expect(true, inputs / "mixed_types.tla", "");
  }
  std::cout << judge.failures() << " failures\n";
  return judge.failures() ? 1 : 0;
}
