#include "tools/graph/dot.hpp"

#include "compiler/ir/until.hpp"

#include <map>
#include <set>
#include <sstream>

namespace hetc::graph {

namespace {

constexpr std::size_t taskLimit = 20000; // dot itself gives up long before

std::string tileName(const ir::Program &program, const ir::TileRef &tile) {
  static const char *regions[] = {"", ".lower()", ".upper()"};
  return program.matrices[tile.matrix].name + "(" + std::to_string(tile.row) + ", " + std::to_string(tile.column) +
         ")" + regions[static_cast<int>(tile.region)];
}

const char *colorOf(std::size_t kernel) {
  static const char *colors[] = {"#f4a261", "#8ecae6", "#a7c957", "#e5989b",
                                 "#cdb4db", "#ffe066", "#b0bec5", "#80cbc4"};
  return colors[kernel % std::size(colors)];
}

std::string labelOf(const std::string &kernel) { return kernel.substr(kernel.rfind(':') + 1); }

void drawNode(std::ostream &out, const ir::Program &program, const ir::TaskInstance &instance, std::size_t number,
              std::map<std::string, std::size_t> &kernels) {
  const std::size_t kernel = kernels.emplace(instance.task->kernel, kernels.size()).first->second;
  std::string output;
  for (const auto &use : instance.uses)
    if (use.argument == instance.task->mainOutput && output.empty())
      output = tileName(program, use.tile);
  out << "  t" << number << " [label=\"" << labelOf(instance.task->kernel) << "\\n"
      << output << "\", fillcolor=\"" << colorOf(kernel) << "\"];\n";
}

void drawEdges(std::ostream &out, const ir::Program &program, const std::vector<ir::TaskInstance> &instances) {
  std::set<std::pair<std::size_t, std::size_t>> drawn;
  for (const bool flow : {true, false})
    for (const ir::Dependence &dependence : ir::dependences(instances)) {
      if ((dependence.kind == ir::Dependence::Kind::Flow) != flow ||
          !drawn.insert({dependence.from, dependence.to}).second)
        continue;
      out << "  t" << dependence.from << " -> t" << dependence.to << " [tooltip=\""
          << tileName(program, dependence.tile) << "\"" << (flow ? "" : ", style=dashed") << "];\n";
    }
}

} // namespace

/// Draws all tasks that a program may have whose loop an element ends: the graph where none ends it.
static std::variant<std::string, ir::UnrollError> drawWhole(const ir::Program &program, ir::Sizes sizes) {
  constexpr std::int64_t all = std::int64_t{1} << 30; // of the iterations that the loop has
  sizes.values[ir::stageBegun] = all;
  return drawGraph(ir::withAnyEnd(program), sizes);
}

std::variant<std::string, ir::UnrollError> drawGraph(const ir::Program &program, const ir::Sizes &sizes) {
  if (program.until)
    return drawWhole(program, sizes);
  const auto unrolled = ir::unroll(program, sizes, taskLimit);
  if (const auto *failure = std::get_if<ir::UnrollError>(&unrolled))
    return *failure;
  const auto &instances = std::get<std::vector<ir::TaskInstance>>(unrolled);
  std::ostringstream out;
  out << "digraph \"" << program.name
      << "\" {\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n";
  std::map<std::string, std::size_t> kernels;
  for (std::size_t i = 0; i < instances.size(); ++i)
    drawNode(out, program, instances[i], i, kernels);
  drawEdges(out, program, instances);
  out << "}\n";
  return out.str();
}

} // namespace hetc::graph
