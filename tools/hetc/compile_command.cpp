#include "tools/hetc/options.hpp"

#include "compiler/driver/files.hpp"

#include <filesystem>
#include <iostream>
#include <map>

namespace hetc::tools {

namespace {

using driver::Emit;

const std::map<std::string, Emit> stages = {{"ir", Emit::Ir},     {"deps", Emit::Deps},  {"cpp", Emit::Cxx},
                                            {"llvm", Emit::Llvm}, {"obj", Emit::Object}, {"exe", Emit::Executable}};

/// What to write when -o is not given: text stages go to standard output.
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

} // namespace

int compileCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app("hetc: turns a tile algorithm (.tla) into a program that runs it on all cores\n\n"
               "  hetc FILE.tla -o prog     compile to an executable\n"
               "  hetc run FILE.tla -n N    compile, run and check\n"
               "  hetc check FILE.tla       prove what can be proved, write nothing\n"
               "  hetc graph FILE.tla -n 4  draw the task graph (Graphviz dot)\n"
               "  hetc doctor               what this machine offers and what is missing\n");
  std::string stage;
  bool object = false, shared = false;
  driver::Request &request = options.request;
  app.add_option("file", request.file, "the algorithm")->type_name("FILE.tla")->required();
  app.add_option("-o,--output", request.output, "file to write");
  app.add_flag("-c", object, "write an object file, with the algorithm's description and no main");
  app.add_flag("--shared", shared, "write a shared library");
  app.add_option("--emit", stage, "stop after a stage and print it: ir, deps, cpp, llvm, obj, exe")
      ->transform(CLI::IsMember({"ir", "deps", "cpp", "llvm", "obj", "exe"}));
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
  request.emit = object          ? Emit::Object
                 : shared        ? Emit::SharedLibrary
                 : stage.empty() ? Emit::Executable
                                 : stages.at(stage);
  request.emitMain = !object && !shared;
  if (request.output.empty())
    request.output = defaultOutput(request);
  if (!driver::checkFile(request.file) || !driver::checkWritable(request.output))
    return 2;
  return driver::compile(request).ok ? 0 : 2;
}

int checkCommand(const Arguments &arguments) {
  CompileOptions options;
  CLI::App app("hetc check: parses an algorithm and proves what can be proved; writes nothing");
  app.add_option("file", options.request.file, "the algorithm")->type_name("FILE.tla")->required();
  addCompileOptions(app, options);
  if (const int code = parse(app, arguments, options); code >= 0)
    return code;
  options.request.emit = driver::Emit::Check;
  const driver::Result result = driver::compile(options.request);
  if (!result.ok)
    return 2;
  unsigned tasks = 0;
  forEachTask(result.program.body, [&](const ir::Task &) { ++tasks; });
  std::cout << result.program.name << ": " << (result.proved ? "fine" : "not all indices are proved") << " (" << tasks
            << " task statement" << (tasks == 1 ? "" : "s") << ")\n";
  return 0;
}

} // namespace hetc::tools
