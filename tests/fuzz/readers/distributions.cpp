// Who owns which tile, as texts and as tables in files.
#include "runtime/distribution/distribution.hpp"
#include "tests/fuzz/readers/reader.hpp"

#include <tla/runtime/error.hpp>

namespace fuzz::readers {

namespace {

/// Nothing else than an error, or a distribution whose owners are nodes and whose name says what it is.
std::string readText(const std::string &text) try {
  const tla::Distribution distribution = tla::parseDistribution(text);
  for (const int I : {0, 1, 7, 1000, 2147483647})
    for (const int J : {0, 1, 7, 1000, 2147483647})
      require(distribution.node(I, J) >= 0 && distribution.node(I, J) < distribution.nodes(), "owners are nodes");
  require(distribution.nodeAt(distribution.coordinates(0)) == 0, "a node is where its coordinates are");
  if (text.starts_with("file:"))
    return "";
  const tla::Distribution again = tla::parseDistribution(distribution.name());
  require(again == distribution && again.name() == distribution.name(), "a name can be read");
  return "";
} catch (const tla::UsageError &error) {
  require(*error.what(), "an error has a text");
  return error.what();
}

std::string readTable(const std::string &bytes) { return readText("file:" + writeScratch("table", bytes)); }

} // namespace

Reader distributions() {
  return {.name = "distribution",
          .seeds = {"2dbc:2x2,reflected=0:1", "2dbc:2x3", "2dbc:2x3,v=4", "2dbc:3x2,v=2,reflected", "row:4", "col:7",
                    "sbc:6", "sbc:8", "sbc:7", "file:/no/such/file", "2dbc:6", "2dbc:1000x1000"},
          .tokens = {"2dbc:", "row:", "col:", "sbc:", "file:", "x", ",", "v=", "reflected", "reflected=", ":", "=", "1",
                     "2dcb", "16777216", "4096", "auto"},
          .read = readText,
          .cost = 20};
}

Reader distributionTables() {
  return {.name = "table",
          .seeds = {"0 1\n2 3\n", "# a grid\n0 1 2 # three\n\n2\t1 0\r\n", "0", "0 0 0 0 1\n1 1 1 1 0\n", "0 1\n2\n",
                    "1 2\n", "0 -1\n"},
          .tokens = {"0 1\n", "0 ", "1 ", "\n", "#", "\t", "\r\n", "65535 ", "65536 ", "-", "2 3\n"},
          .read = readTable,
          .cost = 2};
}

} // namespace fuzz::readers
