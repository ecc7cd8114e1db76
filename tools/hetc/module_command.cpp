#include "tools/hetc/options.hpp"

#include "compiler/cache/cache.hpp"

#include <iostream>

namespace hetc::tools {

/// Makes the modules that running programs ask for (runtime/host/starter/node_loops.hpp).
int moduleCommand(const Arguments &arguments) {
  CompileOptions options;
  driver::Request &request = options.request;
  CLI::App app(
      "hetc module: compiles an algorithm, or takes it from the cache, into a shared library with loops for the "
      "nodes of a distribution, and prints its path; an empty line when there are no such loops. Without a "
      "distribution: the program itself, as --copies has it");
  bool fresh = false;
  app.add_option("file", request.file, "the algorithm")->type_name("FILE.tla")->required();
  addDistribution(app, request.distribution,
                  "2dbc:PxQ[,reflected], g2dbc:P[,reflected], row:P, col:Q, sbc:P, file:PATH");
  addCompileOptions(app, options);
  app.add_flag("--fresh", fresh, "compile even when it is in the cache");
  if (const int code = parse(app, arguments, options); code >= 0)
    return code;
  request.emit = driver::Emit::SharedLibrary;
  request.emitMain = false;
  request.onlyNodeLoops = request.distribution.has_value();
  const auto program = cache::compileCached(request, fresh);
  if (!program)
    return 2;
  std::cout << program->path << "\n";
  return 0;
}

} // namespace hetc::tools
