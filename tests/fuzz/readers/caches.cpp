// Files that hetc keeps for itself: whatever is in them costs a search or a compilation at most.
#include "kernels/winners.hpp"
#include "runtime/predict/plan/tiles/tile_memory.hpp"
#include "runtime/predict/rates/device_rates.hpp"
#include "tests/fuzz/readers/reader.hpp"
#include "tools/tuner/database.hpp"

namespace fuzz::readers {

namespace {

namespace host = tla::host;

const std::vector<std::string> jsonTokens = {"{",           "}",           "[",
                                             "]",           ",",           ":",
                                             "\"",          "\\u0000",     "\\ud800",
                                             "null",        "true",        "false",
                                             "1e400",       "[[[[",        "{\"a\":",
                                             "\"version\"", "\"tiles\"",   "\"units\"",
                                             "\"nb\"",      "\"dist\"",    "\"ib\"",
                                             "\"seconds\"", "\"latency\"", "\"bandwidth\"",
                                             "\"point\"",   "\"status\"",  "\"measured\"",
                                             "\"final\"",   "\"winner\"",  "\"key\"",
                                             "{}",          "[]",          "\"\"",
                                             "\n",          "\xff",        "\xc3\xa9",
                                             "1",           "\"64\""};

std::string readTiles(const std::string &bytes) {
  writeScratch("tiles.json", bytes);
  const auto all = host::rememberedTiles();
  host::TileMemory memory("key");
  const auto found = memory.find();
  require(found.has_value() == all.contains("key"), "one entry is there when it is among all");
  for (const auto &[key, values] : all)
    require(values.nb >= 1, "tiles have a size");
  memory.remember({.nb = 96, .parameters = {{"ib", 32}}, .distribution = "2dbc:1x2"});
  const auto again = memory.find();
  require(again && again->nb == 96 && again->distribution == "2dbc:1x2", "what is remembered is found");
  return all.empty() ? "no tiles" : "";
}

std::string readRates(const std::string &bytes) {
  writeScratch("device_rates.json", bytes);
  const auto units = host::rememberedRates();
  for (const auto &[key, unit] : units) {
    require(unit.latency >= 0 && unit.bandwidth >= 0, "copies take time");
    for (const auto &[kernel, sizes] : unit.seconds)
      for (const auto &[nb, seconds] : sizes)
        require(nb > 0 && seconds > 0, "tasks take time");
    unit.secondsOf("gemm", 128);
  }
  host::RatesRequest request;
  request.kernels = {"gemm"};
  request.hostKernels = "kernels";
  host::readRates(request, bytes);
  return units.empty() ? "no rates" : "";
}

std::string readDatabase(const std::string &bytes) {
  using namespace hetc::tuning;
  const std::string file = writeScratch("results.jsonl", bytes);
  const Identity identity{"gemm", "cpu", "d", "a processor", "", "clang", "abc", "n = 8", {"x", "y"}};
  std::string remarks;
  auto opened = Database::open(file, identity, true, [&](const std::string &text) { remarks += text; });
  if (const auto *error = std::get_if<std::string>(&opened)) {
    require(!error->empty(), "an error is said");
    return *error;
  }
  auto &database = *std::get<std::unique_ptr<Database>>(opened);
  const std::size_t count = database.results().size();
  for (const Result &result : database.results())
    require(result.point.size() == 2 && !name(result.status).empty(), "results are whole");
  if (database.final())
    database.final()->findWinner();
  database.add(Result{{3, 4}, Status::Wrong, 0, 0, 0, "C(0, 0) is \xff\n"});
  opened = std::string();
  auto again = Database::open(file, identity, true, [](const std::string &) {});
  require(std::get<std::unique_ptr<Database>>(again)->results().size() == count + 1, "what is added stays");
  return remarks;
}

std::string readWinnerList(const std::string &bytes) {
  writeScratch("tuning/winners", bytes);
  const auto winners = tla::kernels::readWinners();
  for (const tla::kernels::Winner &winner : winners) {
    require(winner.file.find('/') == winner.file.npos, "files are beside the list");
    require(!tla::kernels::lineOf(winner).empty(), "a winner is a line");
  }
  return winners.empty() ? "no winners" : "";
}

} // namespace

Reader tileCaches() {
  return {.name = "tiles",
          .seeds = {R"({"version": 4, "tiles": {"key": 192, "other": {"nb": 64, "dist": "2dbc:1x2", "ib": 16}}})",
                    R"({"version": 4, "tiles": {"key": {"nb": 64}, "caf)"
                    "\xc3\xa9"
                    R"(": {"nb": -1, "x": [1, 2.5]}}})",
                    R"({"version": 2, "tiles": {}})", "[]", "3"},
          .tokens = jsonTokens,
          .read = readTiles,
          .cost = 4};
}

Reader rateCaches() {
  return {
      .name = "rates",
      .seeds =
          {R"({"version": 5, "units": {"core: x, kernels, d": {"seconds": {"gemm": {"64": 1e-4, "128": 0.0008}, "herk": {}},
"latency": 1e-5, "bandwidth": 1e10}, "emulated": {"seconds": {"gemm": {"64": 0.5}}}}})",
           R"({"version": 5, "units": {"a": {"seconds": 3}, "b": 7, "c": {"seconds": {"gemm": [1, 2]}, "latency": "x"}}})"},
      .tokens = jsonTokens,
      .read = readRates,
      .cost = 4};
}

Reader tuningDatabases() {
  const std::string first = R"({"hetc_tuning":1,"kernel":"gemm","target":"cpu","type":"d","device":"a processor",)"
                            R"("driver":"","compiler":"clang","sources":"abc","problem":"n = 8","iterators":["x","y"]})"
                            "\n";
  const std::string result =
      R"({"point":[24,8],"status":"measured","gflops":131.2,"spread":0.01,"rounds":5,"message":""})"
      "\n";
  const std::string final = R"({"final":[{"name":"x=1 y=2","kind":"candidate","gflops":11.0,"spread":0.1}],)"
                            R"("winner":"x=1 y=2","date":"2026-11-20"})"
                            "\n";
  return {.name = "tuning",
          .seeds = {first + result + result + final, first + result.substr(0, 30), first, "{}\n", ""},
          .tokens = jsonTokens,
          .read = readDatabase,
          .cost = 8};
}

Reader winnerLists() {
  const std::string line = "gemm d gemm.so 1a2b 3c4d 2026-11-20 12.5 10 openblas A Processor, AVX2\n";
  return {.name = "winners",
          .seeds = {line, line + "gemm s - - 3c4d 2026-11-20 1 1 none x\n", "gemm d ../x.so 1 2 3 4 5 6 7\n"},
          .tokens = {" ", "\n", "gemm", "d", "-", "../", "/", "1e999", "nan", "none", "2026-11-20"},
          .read = readWinnerList};
}

} // namespace fuzz::readers
