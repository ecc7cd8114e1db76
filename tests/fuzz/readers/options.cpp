// --devices, and command lines.
#include "runtime/host/problem/options.hpp"
#include "runtime/device/choice/devices.hpp"
#include "runtime/host/problem/generators/generators.hpp"
#include "runtime/host/problem/scalars.hpp"
#include "runtime/host/problem/sizes.hpp"
#include "runtime/predict/machine/profile_choice.hpp"
#include "tests/fuzz/readers/reader.hpp"

#include <tla/runtime/error.hpp>

#include <sstream>

namespace fuzz::readers {

namespace {

namespace rt = tla::runtime;
namespace host = tla::host;

/// Weights are digits and colons; else it is a choice of devices.
std::string readDevices(const std::string &text) try {
  if (text.find_first_not_of("0123456789:") == text.npos) {
    require(!rt::parseDeviceWeights(text).empty(), "there is a weight");
    return "";
  }
  const rt::DeviceChoice choice = rt::parseDevices(text, rt::readProfile);
  if (!choice.cuda)
    for (const auto &properties : rt::describeAnyDevices(choice))
      require(!properties.model.empty(), "devices have names");
  return "";
} catch (const tla::UsageError &error) {
  require(*error.what(), "an error has a text");
  return error.what();
}

/// B = alpha op(A) B, as far as a command line sees it.
rt::Algorithm algorithm() {
  static const rt::MatrixParameter matrices[] = {
      {"A", tla::Shape::Lower, rt::ElementType::D, [](const rt::Values &v) { return v.m; },
       [](const rt::Values &v) { return v.m; }, "m x m", "spd", nullptr, 0, true},
      {"B", tla::Shape::General, rt::ElementType::D, [](const rt::Values &v) { return v.m; },
       [](const rt::Values &v) { return 2 * v.n + v.k + v.scalars[2].integer; }, "m x 2 * n + k + h", "random", nullptr,
       0, true}};
  static const int candidates[] = {32, 64};
  static const rt::ScalarParameter scalars[] = {{"op", "Op", true, {}},
                                                {"alpha", "T", true, {0, 1, 0}},
                                                {"h", "int", true, {4, 0, 0}},
                                                {"ib", "int", false, {}, candidates, 2}};
  rt::Algorithm algorithm{};
  algorithm.name = "test";
  algorithm.source = "test.tla";
  algorithm.type = rt::ElementType::D;
  algorithm.matrices = matrices;
  algorithm.matrixCount = 2;
  algorithm.scalars = scalars;
  algorithm.scalarCount = 4;
  algorithm.sizes = "mnk";
  algorithm.check = "";
  return algorithm;
}

/// One argument a line.
std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

void resolve(const rt::Algorithm &algorithm, const host::Settings &settings) {
  for (const host::Assignment &each : settings.generators) {
    const auto call = host::parseGenerator(each.value);
    host::makeGenerator(call, algorithm.type, each.name, 12, 12, 42);
    require(host::parseGenerator(host::printGenerator(call)).arguments == call.arguments, "a generator can be printed");
  }
  const auto scalars = host::resolveScalars(algorithm, settings.scalars);
  require(scalars[3].integer >= 1, "tuning parameters are positive");
  const auto values = host::resolveSizes(algorithm, settings, {{0, 96, 96, "a.npy"}, {1, 96, 7, ""}}, scalars);
  for (const auto &extent : host::matrixExtents(algorithm, values))
    require(extent.rows >= 0 && extent.columns >= 0, "sizes are not negative");
}

std::string readCommandLine(const std::string &text) {
  const rt::Algorithm described = algorithm();
  const std::vector<std::string> lines = linesOf(text);
  std::vector<const char *> arguments = {"test"};
  for (const std::string &line : lines)
    arguments.push_back(line.c_str());
  std::ostringstream out;
  try {
    const auto settings =
        host::parseCommandLine(described, static_cast<int>(arguments.size()), arguments.data(), out, rt::readProfile);
    if (!settings)
      return "help";
    resolve(described, *settings);
  } catch (const tla::UsageError &error) {
    return error.what();
  }
  return "";
}

} // namespace

Reader deviceTexts() {
  return {.name = "devices",
          .seeds = {"auto", "none", "emulated:3", "emulated:2,mem=16M,speed=1:2.5,bw=12,lat=10", "cuda:0,1", "cuda",
                    "emulated:2,fail=kernel:3,fail=copy:1@1", "cuda,mem=1.5G", "10:8:5", "1", "emulated:62,mem=1e3K"},
          .tokens = {"emulated:", "cuda",       ":", ",", "mem=", "speed=", "bw=", "lat=", "fail=", "kernel",
                     "copy:",     "memory:2@0", "@", "K", "M",    "G",      "10:", "62",   "1e15",  "auto"},
          .read = readDevices};
}

Reader commandLines() {
  return {.name = "options",
          .seeds = {"-n\n1000\n--nb\n128\n--set\nalpha=1-2i\n--set\nop=Trans",
                    "-m\n96\n-k=5\n--set=h=-3\n--set\nib=64\n--check=full\n--json\nout.json\n--stats",
                    "--input\nA=a.mtx\n--output=B=x.npy\n--generate\nA=matern(0.1, 1.5, 1e-3)\n--dist\n2dbc:2x2,v=3",
                    "--devices\nemulated:2,mem=1G\n--device-weights\n3:2:1\n--threads\n4\n--window\n100\n--seed\n7",
                    "--watchdog\n0.5\n--repeat\n3\n--kernels\nreference\n--generator\nreplay\n--serial\n--quiet",
                    "--generate\nB=lower\n--trace\n-\n--check\nnone\n--set\nalpha=(1,0)\n--progress\nalways", "--help"},
          .tokens = {"\n",
                     "-n",
                     "-m\n",
                     "-k\n",
                     "--nb\n",
                     "--slice\n",
                     "--threads\n",
                     "--window\n",
                     "--devices\n",
                     "--device-weights\n",
                     "--dist\n",
                     "--generator\n",
                     "--watchdog\n",
                     "--seed\n",
                     "--check=",
                     "--repeat\n",
                     "--kernels\n",
                     "--serial\n",
                     "--stats\n",
                     "--quiet\n",
                     "--json\n",
                     "--trace\n",
                     "--input\n",
                     "--output\n",
                     "--set\n",
                     "--generate\n",
                     "=",
                     "alpha=",
                     "h=",
                     "op=",
                     "ib=",
                     "A=",
                     "matern(",
                     "hilbert",
                     "spd",
                     ",",
                     ")",
                     "i",
                     "auto",
                     "--",
                     "-",
                     "@",
                     "[",
                     "{",
                     "'",
                     "\"",
                     "%%"},
          .read = readCommandLine,
          .cost = 20};
}

} // namespace fuzz::readers
