#include "compiler/driver/generate.hpp"

#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace hetc::driver {

namespace {

std::vector<std::vector<int>> nodesByCoordinates(const tla::Distribution &distribution) {
  std::size_t rows = 0, columns = 0;
  for (int node = 0; node < distribution.nodes(); ++node) {
    const auto [x, y] = distribution.coordinates(node);
    rows = std::max<std::size_t>(rows, x + 1);
    columns = std::max<std::size_t>(columns, y + 1);
  }
  std::vector<std::vector<int>> nodes(rows, std::vector<int>(columns, -1));
  for (int node = 0; node < distribution.nodes(); ++node) {
    const auto [x, y] = distribution.coordinates(node);
    nodes[x][y] = node;
  }
  return nodes;
}

} // namespace

Generated generateCode(const ir::Program &program, const std::optional<ir::Program> &checkedCall,
                       const std::string &file, bool emitMain, codegen::NodeGenerator loops) {
  llvm::SmallString<256> path(file);
  llvm::sys::fs::make_absolute(path);
  const ir::Program *call = checkedCall ? &*checkedCall : nullptr;
  return {codegen::emitCxx(program, {path.str().str(), emitMain, std::move(loops), call})};
}

codegen::NodeGenerator nodeGenerator(const Specialized &specialized, bool refused) {
  if (!specialized.loops)
    return {};
  const tla::Distribution &distribution = specialized.distribution;
  codegen::NodeGenerator generator;
  generator.program = refused ? nullptr : &*specialized.loops;
  generator.distribution = distribution.name();
  generator.nodes = nodesByCoordinates(distribution);
  if (specialized.bound)
    std::tie(generator.p, generator.q) = std::pair(distribution.period().rows, distribution.period().columns);
  return generator;
}

} // namespace hetc::driver
