// hetc puzzle: judges a solution of one of the puzzles (docs/puzzles). The judge is a .tla that includes the solution
// and calls it on matrices, and with a check, of its own; puzzles.json says at which sizes, and what it may cost.
#include "tools/hetc/capture.hpp"
#include "tools/hetc/options.hpp"

#include "compiler/process/files.hpp"
#include "compiler/support/paths.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>

namespace hetc::tools {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr char judgingAlgorithm[] = "puzzle"; ///< name of the algorithm in each judge
constexpr int wrong = 1, unusable = 2;

struct Puzzle {
  int number;
  Json about; ///< entry of puzzles.json
  std::string judge, solution;
};

Json readPuzzles() {
  std::ifstream in(support::puzzlesDir() + "/puzzles.json");
  return in ? Json::parse(in, nullptr, /*allow_exceptions=*/false) : Json();
}

/// hetc SUBCOMMAND JUDGE OPTIONS --json: its exit code, and its object, null unless it ended well.
struct Outcome {
  int code = 0;
  Json json;
};
Outcome call(const std::string &subcommand, const Puzzle &puzzle, const Arguments &options) {
  Arguments arguments = {support::executablePath(),
                         subcommand,
                         puzzle.judge,
                         "-D",
                         "HETC_PUZZLE=\"" + puzzle.solution + "\"",
                         "--algorithm",
                         judgingAlgorithm,
                         "--json",
                         "--quiet"};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const Captured captured = capture(arguments);
  Outcome outcome{captured.exitCode, Json::parse(captured.output, nullptr, /*allow_exceptions=*/false)};
  if (outcome.json.is_discarded()) // what was wrong is on standard error
    outcome = {captured.exitCode ? captured.exitCode : 4, nullptr};
  return outcome;
}

/// Proves what can be proved; what is wrong is shown.
bool prove(const Puzzle &puzzle) {
  driver::Request request;
  request.file = puzzle.judge;
  request.compilerArguments = {"-DHETC_PUZZLE=\"" + puzzle.solution + "\""};
  request.algorithm = judgingAlgorithm;
  request.emit = driver::Emit::Check;
  const driver::Result result = driver::compile(request);
  if (result.ok)
    std::cout << "  " << (result.proved ? "proved for all sizes" : "not all indices are proved") << "\n" << std::flush;
  return result.ok;
}

std::string spaced(const Json &words) {
  std::string text;
  for (const Json &word : words)
    text += (text.empty() ? "" : " ") + word.get<std::string>();
  return text;
}

/// One problem, by 1 and by 2 threads. Returns the exit code.
int runOne(const Puzzle &puzzle, const Json &size) {
  double residual = 0;
  for (const char *threads : {"1", "2"}) {
    Arguments options = size.get<Arguments>();
    options.insert(options.end(), {"--threads", threads, "--check=full"});
    const Outcome run = call("run", puzzle, options);
    const bool isJudged = run.json.is_object() && run.json["passed"].is_boolean();
    if (run.code != 0 || !isJudged || run.json["passed"] == false) {
      std::cout << "  " << spaced(size) << ", " << threads << " thread" << (*threads == '1' ? "" : "s") << ": "
                << (run.code == wrong ? "wrong" : "failed") << "\n";
      return run.code ? run.code : wrong;
    }
    residual = std::max(residual, run.json["residual"].get<double>());
  }
  std::cout << "  " << spaced(size) << ": right, residual " << residual << "\n" << std::flush;
  return 0;
}

/// Judges the cost on a grid by the puzzle's bounds. Returns the exit code.
int countOne(const Puzzle &puzzle) {
  const Json &cost = puzzle.about["cost"];
  const Outcome counted = call("cost", puzzle, cost["options"].get<Arguments>());
  if (counted.code != 0 || !counted.json.is_object())
    return counted.code ? counted.code : 4;
  const std::vector<std::pair<std::string, std::string>> figures = {
      {"tasks", "tasks"}, {"critical_path_tasks", "tasks on the longest path"}, {"messages", "messages"}};
  int code = 0;
  std::cout << "  on " << spaced(cost["options"]) << ":\n";
  for (const auto &[key, text] : figures) {
    const long value = counted.json[key];
    std::cout << "    " << value << " " << text;
    if (cost.contains("most") && cost["most"].contains(key)) {
      const long most = cost["most"][key];
      std::cout << (value > most ? ", too many: at most " : ", of at most ") << most;
      code = value > most ? wrong : code;
    }
    std::cout << "\n";
  }
  return code;
}

int judge(const Puzzle &puzzle) {
  std::cout << "puzzle " << puzzle.number << ", " << puzzle.about["title"].get<std::string>() << "\n" << std::flush;
  if (!prove(puzzle))
    return unusable;
  for (const Json &size : puzzle.about["sizes"])
    if (const int code = runOne(puzzle, size))
      return code;
  if (const int code = countOne(puzzle))
    return code;
  std::cout << "  solved\n";
  return 0;
}

int listPuzzles(const Json &puzzles) {
  for (std::size_t i = 0; i < puzzles.size(); ++i)
    std::cout << i + 1 << "  " << puzzles[i]["title"].get<std::string>() << ": "
              << puzzles[i]["signature"].get<std::string>() << "\n";
  return 0;
}

} // namespace

int puzzleCommand(const Arguments &arguments) {
  CLI::App app("hetc puzzle N FILE.tla: judges a solution of puzzle N: proves it, runs it at awkward sizes, checks the "
               "results, counts tasks and messages. Without arguments lists the puzzles\n"
               "exit codes: 0 solved, 1 wrong or too dear, 2 it does not compile, 3 numerical stop, 4 fault");
  int number = 0;
  std::string file;
  app.add_option("N", number, "which puzzle");
  app.add_option("file", file, "the solution")->type_name("FILE.tla");
  CompileOptions none;
  if (const int code = parse(app, arguments, none); code >= 0)
    return code;
  const Json puzzles = readPuzzles();
  if (!puzzles.is_array()) {
    std::cerr << "hetc: puzzle: cannot read '" << support::puzzlesDir() << "/puzzles.json'\n";
    return unusable;
  }
  if (arguments.empty())
    return listPuzzles(puzzles);
  if (number < 1 || number > static_cast<int>(puzzles.size())) {
    std::cerr << "hetc: puzzle: there are puzzles 1 to " << puzzles.size() << " ('hetc puzzle' lists them)\n";
    return unusable;
  }
  if (file.empty()) {
    std::cerr << "hetc: puzzle: which file? (hetc puzzle " << number << " FILE.tla)\n";
    return unusable;
  }
  if (!process::checkFile(file))
    return unusable;
  const std::string judging = support::puzzlesDir() + "/judges/" + std::to_string(number) + ".tla";
  try {
    return judge({number, puzzles[number - 1], judging, fs::absolute(file).string()});
  } catch (const std::exception &error) { // a process that does not start
    std::cerr << "hetc: puzzle: " << error.what() << "\n";
    return 4;
  }
}

} // namespace hetc::tools
