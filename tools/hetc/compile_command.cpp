#include "tools/hetc/findings.hpp"
#include "tools/hetc/options.hpp"

#include "compiler/cache/depfile.hpp"
#include "compiler/driver/header.hpp"
#include "compiler/process/files.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <utility>
#include <vector>

namespace hetc::tools {

namespace {

using driver::Emit;

/// Returns the values of --emit. A header is made from what the parser knows, for several types at once
/// (driver/header.hpp).
std::vector<std::pair<std::string, Emit>> namesOfEnds() {
  std::vector<std::pair<std::string, Emit>> names = driver::emitNames();
  names.insert(std::ranges::find(names, Emit::Cxx, &std::pair<std::string, Emit>::second), {"header", Emit::Parse});
  return names;
}

/// The output file when -o is not given; text stages go to standard output.
std::string defaultOutput(const driver::Request &request) {
  const std::string stem = std::filesystem::path(request.file).stem().string();
  switch (request.emit) {
  case Emit::Object:
    return stem + ".o";
  case Emit::SharedLibrary:
    return "lib" + stem + ".so";
  case Emit::Executable:
    return stem;
  default:
    return "";
  }
}

/// Compiles, and says what it read if a build tool wants to know.
bool compileAndRecord(const CompileOptions &options, const std::string &depfile) {
  const driver::Request &request = options.request;
  std::vector<ir::ElementType> types;
  for (const std::string &type : options.types)
    types.push_back(*ir::elementTypeFromLetter(type[0]));
  const driver::Result result =
      request.emit == Emit::Parse ? driver::writeHeader(request, types) : driver::compile(request);
  if (!result.ok || depfile.empty())
    return result.ok;
  return process::checkNotInput(depfile, {result.dependencies.begin(), result.dependencies.end()}) &&
         cache::writeDepfile(depfile, request.output, result.dependencies);
}

std::string formatted(const std::vector<ir::Finding> &findings, const std::string &format, const std::string &file) {
  return format == "gcc" ? toGcc(findings, file) : format == "json" ? toJson(findings) : toSarif(findings, file);
}

} // namespace

int compileCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app("hetc: turns a tile algorithm (.tla) into a program that runs it on all cores\n\n"
               "  hetc FILE.tla -o prog     compile to an executable\n"
               "  hetc run FILE.tla -n N    compile, run and check\n"
               "  hetc check FILE.tla       prove what can be proved, write nothing\n"
               "  hetc graph FILE.tla -n 4  draw the task graph (Graphviz dot)\n"
               "  hetc cost FILE.tla        count messages and work on many nodes; nothing runs\n"
               "  hetc sim FILE.tla         how long a cluster would take, in virtual time; nothing is computed\n"
               "  hetc plan FILE.tla        what it would take on 1, 2, 4, ... nodes: memory, messages, time\n"
               "  hetc trace RUN.json       draw a run that --trace has recorded; what idle cores waited for\n"
               "  hetc tune KERNEL          find a kernel's fastest body on this machine\n"
               "  hetc puzzle N FILE.tla    judge a solution of one of the puzzles\n"
               "  hetc lsp                  a language server, for editors\n"
               "  hetc doctor               what this machine offers and what is missing\n\n"
               "In place of FILE.tla the name of one of hetc's own algorithms: hetc run cholesky -n 1000.\n");
  options.severalTypes = true;
  std::string stage, depfile;
  bool object = false, shared = false;
  driver::Request &request = options.request;
  app.add_option("file", request.file, "the algorithm")->type_name("FILE.tla")->required();
  app.add_option("-o,--output", request.output, "file to write");
  app.add_flag("-c", object, "write an object file, with the algorithm's description and no main");
  app.add_flag("--shared", shared, "write a shared library");
  app.add_flag(
      "--run-only", request.runOnly,
      "with -c and --shared: without the serial elision and the check, which a library's callers do not use: less "
      "code, and sooner compiled");
  const auto ends = namesOfEnds();
  std::vector<std::string> names;
  for (const auto &[name, emit] : ends)
    names.push_back(name);
  app.add_option(
         "--emit", stage,
         "stop after a stage and print it: ir, split, maps, deps, nodes, cpp, llvm, obj, exe; or header: the C++ "
         "function that calls what -c compiles, for each --type")
      ->transform(CLI::IsMember(names));
  addDistribution(app, request.distribution,
                  "compile for this distribution of tiles over nodes, too: 2dbc:PxQ[,reflected], g2dbc:P[,reflected], "
                  "row:P, col:Q, sbc:P, file:PATH; each with ,copies=C");
  app.add_option("--node", request.node, "with --emit=nodes: what this node does")->type_name("N");
  app.add_option("--depfile", depfile, "write the names of the files that were read, as a rule for make or ninja");
  addCompileOptions(app, options);
  // -shared, as compilers spell it.
  Arguments spelled = arguments;
  for (std::string &argument : spelled)
    if (argument == "-shared")
      argument = "--shared";
  if (const int code = parse(app, spelled, options); code >= 0)
    return code;
  if (object + shared + !stage.empty() > 1) {
    std::cerr << "hetc: give only one of -c, -shared and --emit\n";
    return 2;
  }
  if (request.runOnly && !object && !shared) {
    std::cerr << "hetc: --run-only: a program checks its runs; give -c or --shared\n";
    return 2;
  }
  if (request.runOnly && (request.split > 1 || request.copies > 1 || request.tasks != driver::Tasks::Owner)) {
    std::cerr << "hetc: --run-only: what --split, --copies and --tasks make of a program is tried beside its serial "
                 "elision; leave out --run-only\n";
    return 2;
  }
  request.emit = object          ? Emit::Object
                 : shared        ? Emit::SharedLibrary
                 : stage.empty() ? Emit::Executable
                                 : std::map<std::string, Emit>(ends.begin(), ends.end()).at(stage);
  if (options.types.size() > 1 && request.emit != Emit::Parse)
    return refuseTypes();
  request.emitMain = !object && !shared;
  if (request.march.empty())
    request.march = "all";
  if (request.output.empty())
    request.output = defaultOutput(request);
  if (!depfile.empty() && request.output.empty()) {
    std::cerr << "hetc: --depfile: the rule needs the name of the output; give -o\n";
    return 2;
  }
  if (!driver::checkDistribution(request))
    return 2;
  if (!process::checkFile(request.file) || !process::checkWritable(request.output) || !process::checkWritable(depfile))
    return 2;
  return compileAndRecord(options, depfile) ? 0 : 2;
}

int checkCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app("hetc check: parses an algorithm and proves what can be proved; writes nothing");
  app.add_option("file", options.request.file, "the algorithm")->type_name("FILE.tla")->required();
  std::string format = "text";
  app.add_option("--format", format, "how to say it: text on standard error; or on standard output gcc, json or sarif")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "gcc", "json", "sarif"}));
  addCompileOptions(app, options);
  if (const int code = parse(app, arguments, options); code >= 0)
    return code;
  options.request.emit = driver::Emit::Check;
  std::vector<ir::Finding> findings;
  if (format != "text")
    options.request.findings = &findings;
  if (!process::checkFile(options.request.file))
    return 2;
  const driver::Result result = driver::compile(options.request);
  if (format != "text") {
    std::cout << formatted(findings, format, options.request.file);
    return result.ok ? 0 : 2;
  }
  if (!result.ok)
    return 2;
  unsigned tasks = 0;
  forEachTask(result.program, [&](const ir::Task &) { ++tasks; });
  std::cout << result.program.name << ": " << (result.proved ? "fine" : "not all indices are proved") << " (" << tasks
            << " task statement" << (tasks == 1 ? "" : "s") << ")\n";
  return 0;
}

} // namespace hetc::tools
