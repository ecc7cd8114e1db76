#include "tools/hetc/options.hpp"

#include "compiler/process/files.hpp"
#include "tools/graph/dot.hpp"
#include "tools/graph/picture.hpp"

#include <iostream>
#include <utility>

namespace hetc::tools {

namespace {

/// Scalar parameters take their defaults; those without one need --set.
bool scalarValues(const ir::Program &program, const std::vector<std::string> &settings, ir::Sizes &sizes) {
  for (const ir::Scalar &scalar : program.scalars)
    if (scalar.defaultValue)
      if (const auto value = ir::evaluate(*scalar.defaultValue, {}))
        sizes.values[scalar.name] = *value;
  for (const std::string &setting : settings) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals),
                      value = equals == std::string::npos ? "" : setting.substr(equals + 1);
    static const std::map<std::string, std::int64_t> options = {{"NoTrans", 111}, {"Trans", 112}, {"ConjTrans", 113},
                                                                {"Upper", 121},   {"Lower", 122}, {"NonUnit", 131},
                                                                {"Unit", 132},    {"Left", 141},  {"Right", 142}};
    const auto option = options.find(value);
    if (!program.findScalar(name)) {
      std::cerr << "hetc: '" << program.name << "' has no parameter '" << name << "'\n";
      return false;
    }
    sizes.values[name] = option != options.end() ? option->second : std::atoll(value.c_str());
  }
  return true;
}

int fail(const std::string &message) {
  std::cerr << "hetc: graph: " << message << "\n";
  return 2;
}

/// Says why nothing is drawn, and that sizes may have been meant as elements, which count tiles.
int failToDraw(const std::string &message, std::int64_t nb) {
  const bool isLarge = message.find("more than") != message.npos || message.find("has room for") != message.npos;
  return fail(message + (isLarge && nb == 1 ? "; sizes count tiles here, as -n 5, or elements with --nb" : ""));
}

/// Sets the program's sizes: given, by default, or as many as n. False where one is none of these.
bool sizeValues(const ir::Program &program, std::map<std::string, std::int64_t> given, std::int64_t nb,
                ir::Sizes &sizes) {
  sizes.nb = nb;
  for (const auto &[size, value] : program.sizeDefaults)
    given.emplace(size, ir::evaluate(*value, {}).value_or(1) * nb);
  for (const std::string &size : program.sizes) {
    if (!given.count(size) && !given.count("n")) {
      std::cerr << "hetc: graph: how many tiles? give -" << size << ", for example -" << size << " 4\n";
      return false;
    }
    given.emplace(size, given["n"]);
  }
  sizes.values = std::move(given);
  return true;
}

int drawSteps(const ir::Program &program, ir::Sizes sizes, const driver::Request &request,
              const tla::Distribution &distribution, bool asPage) {
  if (request.split > 1)
    return fail("the picture of steps is of whole tiles: leave --split away");
  if (distribution.nodes() > 1) {
    sizes.p = distribution.period().rows;
    sizes.q = distribution.period().columns;
  }
  const auto steps = graph::stepsOf(program, sizes, distribution);
  if (const auto *reason = std::get_if<std::string>(&steps))
    return failToDraw(*reason, sizes.nb);
  const auto &found = std::get<graph::Steps>(steps);
  return process::writeFile(request.output,
                            asPage ? graph::pageOf(found) : graph::drawSteps(found, graph::Motion::ByItself))
             ? 0
             : 2;
}

} // namespace

int graphCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app("hetc graph: draws the task graph as Graphviz dot, e.g. hetc graph FILE.tla -n 5 | dot -Tsvg > dag.svg");
  std::map<std::string, std::int64_t> given;
  std::int64_t nb = 1;
  std::vector<std::string> settings;
  std::string output;
  bool svg = false, html = false;
  app.add_option("file", options.request.file, "the algorithm")->type_name("FILE.tla")->required();
  for (const char *size : {"m", "n", "k"})
    app.add_option_function<std::int64_t>(
           std::string("-") + size, [&given, size](std::int64_t value) { given[size] = value; },
           std::string("size ") + size + ", in tiles; with --nb in elements")
        ->check(CLI::Range(0, 1 << 20));
  app.add_option("--nb", nb, "tile size: 1 makes the sizes count tiles")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 20));
  app.add_option("--set", settings, "value of a scalar parameter, NAME=VALUE")->allow_extra_args(false);
  app.add_flag("--svg", svg, "a picture that plays, step by step: owners of tiles, tasks that are ready, messages");
  app.add_flag("--html", html, "the same as a page with a button for each step")->excludes("--svg");
  std::optional<tla::Distribution> distribution;
  addDistribution(app, distribution, "of that picture: who owns which tile, 2dbc:2x2 or as hetc run has it", "graph: ");
  app.add_option("-o,--output", output, "file to write; default: standard output");
  addCompileOptions(app, options);
  if (const int code = parse(app, arguments, options); code >= 0)
    return code;
  if (distribution && !svg && !html)
    return fail("--dist is for --svg and --html");
  if (options.request.tasks != driver::Tasks::Owner)
    return fail("the order of tasks that are dealt is known to a run only: leave --tasks out");
  options.request.emit = driver::Emit::Check;
  options.request.output = output;
  if (!process::checkWritable(output))
    return 2;
  const driver::Result result = driver::compile(options.request);
  if (!result.ok)
    return 2;
  if (nb == 1 && options.request.split > 1) { // the sizes still count tiles, the smallest that can be cut
    nb = options.request.split;
    for (auto &[size, value] : given)
      value *= nb;
  }
  ir::Sizes sizes;
  if (!sizeValues(result.program, given, nb, sizes) || !scalarValues(result.program, settings, sizes))
    return 2;
  if (svg || html)
    return drawSteps(result.program, sizes, options.request, distribution.value_or(tla::Distribution()), html);
  const auto dot = graph::drawGraph(result.program, sizes);
  if (const auto *error = std::get_if<ir::UnrollError>(&dot))
    return failToDraw(error->message, nb);
  return process::writeFile(output, std::get<std::string>(dot)) ? 0 : 2;
}

} // namespace hetc::tools
