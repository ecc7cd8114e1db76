#include "compiler/codegen/generate_code.hpp"

#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

namespace hetc::codegen {

namespace {

using Table = std::vector<std::vector<int>>;

/// -1: there is none.
void put(int number, const tla::Distribution::Coordinates &at, Table &numbers) {
  numbers.resize(std::max<std::size_t>(numbers.size(), at.x + 1));
  std::vector<int> &row = numbers[at.x];
  row.resize(std::max<std::size_t>(row.size(), at.y + 1), -1);
  row[at.y] = number;
}

/// Nodes by the coordinates of their parts.
Table nodesOfParts(const tla::Distribution &distribution) {
  Table nodes;
  for (int part = 0; part < distribution.parts().nodes(); ++part)
    put(distribution.nodeOfPart(part), distribution.parts().coordinates(part), nodes);
  return nodes;
}

Table nodesByCoordinates(const tla::Distribution &distribution) {
  Table nodes;
  for (int node = 0; node < distribution.nodes(); ++node)
    put(node, distribution.coordinates(node), nodes);
  return nodes;
}

/// The coordinates x and y of each part of a node, by node.
Table partsByNode(const tla::Distribution &distribution) {
  Table parts(distribution.nodes());
  for (int node = 0; node < distribution.nodes(); ++node)
    for (const auto &[x, y] : distribution.partsOf(node))
      parts[node].insert(parts[node].end(), {x, y});
  return parts;
}

} // namespace

Generated generateCode(const ir::Program &program, const std::optional<ir::Program> &checkedCall,
                       const CodeParts &parts, NodeGenerator loops, const Processors &processors) {
  llvm::SmallString<256> path(parts.path);
  llvm::sys::fs::make_absolute(path);
  const ir::Program *call = checkedCall ? &*checkedCall : nullptr;
  const CxxOptions options{path.str().str(),    parts.emitMain,    std::move(loops),   call,
                           processors.versions, processors.native, processors.sources, parts.serial};
  Generated generated{emitCxx(program, options), {}, {}};
  for (const std::string &march : processors.versions) {
    const Cxx &version = generated.ofVersions.emplace_back(emitVersion(program, options, march, featuresOf(march)));
    generated.versions.push_back({march, versionSymbol(program, march), version.text, processors.files});
  }
  return generated;
}

NodeGenerator nodeGenerator(const specialize::Specialized &specialized, bool refused) {
  if (!specialized.loops)
    return {};
  const tla::Distribution &distribution = specialized.distribution;
  NodeGenerator generator;
  generator.program = refused ? nullptr : &*specialized.loops;
  generator.distribution = distribution.name();
  generator.nodes = nodesOfParts(distribution);
  if (specialized.loops->parts > 1) {
    generator.own = nodesByCoordinates(distribution);
    generator.parts = partsByNode(distribution);
  }
  if (specialized.bindsPeriod)
    std::tie(generator.p, generator.q) = std::pair(distribution.period().rows, distribution.period().columns);
  return generator;
}

} // namespace hetc::codegen
