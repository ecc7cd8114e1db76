// Descriptions of distributions, and every mistake in them.
#include "distributions.hpp"
#include "runtime/distribution/generalized.hpp"
#include "tests/unit/usage_error.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace tla {

namespace {
namespace fs = std::filesystem;

std::string mistake(const std::string &text) {
  return test::usageError([&] { parseDistribution(text); });
}

TEST(Parse, ReadsEachForm) {
  EXPECT_EQ(parsed("2dbc:2x3"), Distribution::blockCyclic(2, 3));
  EXPECT_EQ(parsed("2dbc:2x3,v=4"), Distribution::blockCyclic(2, 3, 4));
  EXPECT_EQ(parsed("2dbc:2x3,v=1").name(), "2dbc:2x3");
  EXPECT_EQ(parsed("2dbc:2x3,reflected"), Distribution::reflected(2, 3));
  EXPECT_EQ(parsed("2dbc:2x3,reflected=1:4"), Distribution::reflected(2, 3, {1, 4}));
  EXPECT_EQ(parsed("2dbc:2x3,reflected=0:2,v=4"), Distribution::reflected(2, 3, {0, 2}, 4));
  EXPECT_EQ(parsed("2dbc:1x3,reflected=5:6").name(), "2dbc:1x3,reflected");
  EXPECT_EQ(parsed("row:4").name(), "2dbc:4x1");
  EXPECT_EQ(parsed("col:4").name(), "2dbc:1x4");
  EXPECT_EQ(parsed("sbc:6").name(), "sbc:6");
  EXPECT_EQ(parsed("g2dbc:7"), generalizedBlockCyclic(7));
  EXPECT_EQ(parsed("g2dbc:7,reflected=1:30"), generalizedBlockCyclic(7, Distribution::Round{1, 2}));
  EXPECT_EQ(parsed("g2dbc:7,reflected=13:30").name(), "g2dbc:7,reflected=1:2");
  EXPECT_EQ(parsed("g2dbc:6").name(), "2dbc:2x3");
  EXPECT_EQ(parsed("g2dbc:6,reflected").name(), "2dbc:2x3,reflected");
}

TEST(Parse, NamesAreReadBack) {
  for (const char *name : {"2dbc:2x3", "2dbc:2x3,v=4", "2dbc:2x3,reflected", "2dbc:2x3,v=4,reflected=3:5", "sbc:6",
                           "sbc:8", "weighted:1:1:2:4,columns=2", "weighted:3,columns=1", "g2dbc:5",
                           "g2dbc:13,reflected", "g2dbc:23,reflected=4:9"})
    EXPECT_EQ(parsed(name).name(), name);
}

TEST(Parse, SaysWhatIsWrongWithWeights) {
  const std::string must = ", must be a whole number from 1 to 10000";
  EXPECT_EQ(mistake("weighted:1:0:2"), "distribution 'weighted:1:0:2': '0', the weight of node 1" + must);
  EXPECT_EQ(mistake("weighted:-1:2"), "distribution 'weighted:-1:2': '-1', the weight of node 0" + must);
  EXPECT_EQ(mistake("weighted:1:fast"), "distribution 'weighted:1:fast': 'fast', the weight of node 1" + must);
  EXPECT_EQ(mistake("weighted:1:2:"), "distribution 'weighted:1:2:': '', the weight of node 2" + must);
  EXPECT_EQ(mistake("weighted:1:10001"), "distribution 'weighted:1:10001': '10001', the weight of node 1" + must);
  EXPECT_EQ(mistake("weighted:1:2,columns=3"),
            "distribution 'weighted:1:2,columns=3': 3 columns of nodes are more than the 2 nodes that have weights");
  EXPECT_EQ(mistake("weighted:1:2,rows=3"), "distribution 'weighted:1:2,rows=3': 'rows=3' is no option of weights; "
                                            "columns=C says how many columns of nodes there are");
  EXPECT_EQ(
      mistake("weighted:9973:9967:9949,columns=2"),
      "distribution 'weighted:9973:9967:9949,columns=2': weights repeat after more than 65536 tiles; smaller ones "
      "do sooner");
  std::string many = "weighted:1";
  for (int node = 1; node <= 1024; ++node)
    many += ":1";
  EXPECT_EQ(mistake(many), "distribution '" + many + "': 1025 nodes have weights; at most 1024 may");
}

TEST(Parse, SaysWhatIsWrongWithTheName) {
  const std::string known = "known are 2dbc:PxQ, g2dbc:P, row:P, col:Q, sbc:P, weighted:W:W and file:PATH";
  EXPECT_EQ(mistake(""), "no distribution is named; " + known);
  EXPECT_EQ(mistake("scb:6"), "unknown distribution 'scb'; did you mean 'sbc'?");
  EXPECT_EQ(mistake("2dcb:2x3"), "unknown distribution '2dcb'; did you mean '2dbc'?");
  EXPECT_EQ(mistake("hexagonal:4"), "unknown distribution 'hexagonal'; " + known);
  EXPECT_EQ(mistake(":4"), "unknown distribution ''; " + known);
  EXPECT_EQ(mistake("2dbc"), "distribution '2dbc' is incomplete; " + known);
  EXPECT_EQ(mistake("file:"), "distribution 'file:' is incomplete; " + known);
}

TEST(Parse, SaysWhatIsWrongWithGeneralizedGrids) {
  EXPECT_EQ(mistake("g2dbc:133"), "distribution 'g2dbc:133': g2dbc has at most 132 nodes");
  EXPECT_EQ(mistake("g2dbc:0"), "distribution 'g2dbc:0': '0': the number of nodes must be at least 1");
  EXPECT_EQ(mistake("g2dbc:2x3"), "distribution 'g2dbc:2x3': '2x3' is not a number of nodes");
  EXPECT_EQ(mistake("g2dbc:7,v=2"), "distribution 'g2dbc:7,v=2': g2dbc has no tile rows that stand together");
  EXPECT_EQ(mistake("g2dbc:7,reflected=1"),
            "distribution 'g2dbc:7,reflected=1': reflected=ROWS:COLUMNS says how many rows and columns of tiles the "
            "first round is short of");
}

TEST(Parse, CopiesStandBehindAnyGrid) {
  EXPECT_EQ(parsed("2dbc:2x3,copies=2").name(), "2dbc:2x3,copies=2");
  EXPECT_EQ(parsed("2dbc:2x3,reflected,copies=2").nodes(), 12);
  EXPECT_EQ(parsed("sbc:6,copies=3").copies(), 3);
  EXPECT_EQ(parsed("2dbc:2x3,copies=1"), parsed("2dbc:2x3"));
  EXPECT_EQ(mistake("2dbc:2x3,copies=0"),
            "distribution '2dbc:2x3,copies=0': '0': the number of copies must be at least 1");
  EXPECT_EQ(mistake("2dbc:2x3,copies="), "distribution '2dbc:2x3,copies=': the number of copies is missing");
  EXPECT_EQ(mistake("2dbc:2x3,copies=99991"),
            "distribution '2dbc:2x3,copies=99991': 99991 copies of 6 nodes are too many: the period would have more "
            "than 65536 tiles");
  EXPECT_EQ(mistake("2dbc:0x3,copies=2"),
            "distribution '2dbc:0x3': '0': the number of rows of nodes must be at least 1");
}

TEST(Parse, SaysWhatIsWrongWithNumbers) {
  EXPECT_EQ(mistake("2dbc:ax3"), "distribution '2dbc:ax3': 'a' is not a number of rows of nodes");
  EXPECT_EQ(mistake("2dbc:2x3z"), "distribution '2dbc:2x3z': '3z' is not a number of columns of nodes");
  EXPECT_EQ(mistake("2dbc:0x3"), "distribution '2dbc:0x3': '0': the number of rows of nodes must be at least 1");
  EXPECT_EQ(mistake("2dbc:2x-3"), "distribution '2dbc:2x-3': '-3': the number of columns of nodes must be at least 1");
  EXPECT_EQ(mistake("2dbc:x3"), "distribution '2dbc:x3': the number of rows of nodes is missing");
  EXPECT_EQ(mistake("2dbc:2x"), "distribution '2dbc:2x': the number of columns of nodes is missing");
  EXPECT_EQ(mistake("2dbc:12"),
            "distribution '2dbc:12': 2dbc has P rows and Q columns of nodes, PxQ: for 12 nodes 2dbc:3x4");
  EXPECT_EQ(mistake("2dbc:2x3,v=0"),
            "distribution '2dbc:2x3,v=0': '0': the number of tile rows that stand together must be at least 1");
  EXPECT_EQ(
      mistake("2dbc:2x3,w=2"),
      "distribution '2dbc:2x3,w=2': unknown option 'w=2'; reflected deals there and back, v=V, of 2dbc, has V tile "
      "rows that stand together, and copies=C, the last one, has the nodes C times");
  EXPECT_EQ(mistake("2dbc:2x3,"),
            "distribution '2dbc:2x3,': unknown option ''; reflected deals there and back, v=V, of 2dbc, has V tile "
            "rows that stand together, and copies=C, the last one, has the nodes C times");
  EXPECT_EQ(mistake("2dbc:2x3,reflected=2"),
            "distribution '2dbc:2x3,reflected=2': reflected=ROWS:COLUMNS says how many rows "
            "and columns of tiles the first round is short of");
  EXPECT_EQ(mistake("2dbc:2x3,reflected=2:"),
            "distribution '2dbc:2x3,reflected=2:': the number of missing columns is missing");
  EXPECT_EQ(mistake("2dbc:2x3,reflected=-1:0"),
            "distribution '2dbc:2x3,reflected=-1:0': '-1': the number of missing rows must be at least 0");
  EXPECT_EQ(mistake("2dbc:9999x9999"),
            "distribution '2dbc:9999x9999': more than 16777216 nodes, or rows or columns of a period");
  EXPECT_EQ(mistake("2dbc:1x9000000,reflected"),
            "distribution '2dbc:1x9000000,reflected': more than 16777216 nodes, or rows or columns of a period");
  EXPECT_EQ(mistake("2dbc:99999999999999999999x1"), "distribution '2dbc:99999999999999999999x1': "
                                                    "'99999999999999999999' is too large a number of rows of nodes");
  EXPECT_EQ(mistake("row:none"), "distribution 'row:none': 'none' is not a number of nodes");
  EXPECT_EQ(mistake("col:0"), "distribution 'col:0': '0': the number of nodes must be at least 1");
}

TEST(Parse, SaysWhichSymmetricSizesThereAre) {
  EXPECT_EQ(mistake("sbc:7"), "distribution 'sbc:7': sbc has no form for 7 nodes; the nearest are 6 and 8");
  EXPECT_EQ(mistake("sbc:4"), "distribution 'sbc:4': sbc has no form for 4 nodes; the nearest are 3 and 6");
  EXPECT_EQ(mistake("sbc:0"), "distribution 'sbc:0': '0': the number of nodes must be at least 1");
  EXPECT_EQ(mistake("sbc:2x3"), "distribution 'sbc:2x3': '2x3' is not a number of nodes");
  EXPECT_EQ(mistake("sbc:5000"), "distribution 'sbc:5000': sbc has at most 2016 nodes");
}

/// A folder that goes with the test.
class TableFile : public testing::Test {
protected:
  TableFile() {
    std::string pattern = (fs::temp_directory_path() / "distribution.XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~TableFile() override { fs::remove_all(folder_); }

  std::string path() const { return (folder_ / "grid.txt").string(); }
  std::string description(const std::string &content) const {
    std::ofstream(path(), std::ios::binary) << content;
    return "file:" + path();
  }
  /// The message, with the path as PATH.
  std::string mistakeIn(const std::string &content) const {
    std::string message = mistake(description(content));
    if (const auto at = message.find(path()); at != message.npos)
      message.replace(at, path().size(), "PATH");
    return message;
  }

  fs::path folder_;
};

TEST_F(TableFile, IsRead) {
  const std::string text = description("# two nodes\n0 1 1\n\n  1\t0 0  # the other way\r\n");
  const Distribution table = parsed(text);
  EXPECT_EQ(table, Distribution::table(2, 3, {0, 1, 1, 1, 0, 0}, ""));
  EXPECT_EQ(table.name(), text);
}

TEST_F(TableFile, SaysWhatIsWrongWithTheFile) {
  EXPECT_EQ(mistake("file:" + path()), "cannot read '" + path() + "': No such file or directory");
  EXPECT_EQ(mistake("file:" + folder_.string()), "cannot read '" + folder_.string() + "': Is a directory");
  EXPECT_EQ(mistake("file:/dev/zero"), "'/dev/zero' is larger than 1 MiB: not a table of node numbers");
  const std::string none = "'PATH' has no node numbers: rows of them are expected, such as '0 1'";
  EXPECT_EQ(mistakeIn(""), none);
  EXPECT_EQ(mistakeIn("# nothing\n\n"), none);
}

TEST_F(TableFile, SaysWhatIsWrongWithARow) {
  EXPECT_EQ(mistakeIn("0 1\n1\n"), "PATH:2:2: this row has 1 node numbers, the rows above 2");
  EXPECT_EQ(mistakeIn("0 1\n1 0 1\n"), "PATH:2:6: this row has 3 node numbers, the rows above 2");
  EXPECT_EQ(mistakeIn("0 1\n0 -1\n"), "PATH:2:3: node -1: nodes are numbered from 0");
  EXPECT_EQ(mistakeIn("0 one\n"), "PATH:1:3: 'one' is not a node number");
  EXPECT_EQ(mistakeIn("0,1\n"), "PATH:1:1: '0,1' is not a node number");
  EXPECT_EQ(mistakeIn("0 3\n1 1\n"),
            "'PATH' gives node 2 no tile, but has a node 3: nodes are numbered from 0 without a gap");
  EXPECT_EQ(mistakeIn("1\n"), "'PATH' gives node 0 no tile, but has a node 1: nodes are numbered from 0 without a gap");
  const std::string large = " is more than the 65536 numbers that a file may have";
  EXPECT_EQ(mistakeIn("0 65536\n"), "PATH:1:3: node 65536" + large);
  EXPECT_EQ(mistakeIn("0 99999999999999999999\n"), "PATH:1:3: node 99999999999999999999" + large);
  std::string many;
  for (int entry = 0; entry <= maxFileEntries; ++entry)
    many += "0\n";
  EXPECT_EQ(mistakeIn(many), "PATH:65537:1: more than 65536 node numbers");
}
} // namespace

} // namespace tla
