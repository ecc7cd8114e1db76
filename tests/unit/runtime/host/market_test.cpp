#include "runtime/host/files/market.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace tla::host {
namespace {
using test::TemporaryFolder;
using Complex = std::complex<double>;

template <typename T> std::vector<T> read(const std::string &text, ElementType type) {
  TemporaryFolder folder;
  const auto file = openMatrixFile(folder.write("a.mtx", text));
  const int m = static_cast<int>(file->shape().rows), n = static_cast<int>(file->shape().columns);
  file->load(type);
  std::vector<T> values(static_cast<std::size_t>(m) * n, T(-99));
  file->fill({type, values.data(), 0, 0, m, n, m});
  return values;
}
std::vector<double> readReal(const std::string &text) { return read<double>(text, ElementType::D); }
std::vector<Complex> readComplex(const std::string &text) { return read<Complex>(text, ElementType::Z); }

/// The message without the folder.
std::string error(const std::string &text) {
  const std::string message = test::usageError([&] { readReal(text); });
  return message.substr(message.rfind('/') + 1);
}

TEST(Market, CoordinateGeneral) {
  EXPECT_EQ(
      readReal("%%MatrixMarket matrix coordinate real general\n% a comment\n\n2 3 3\n1 1 1.5\n2 3 -2e1\n1 2 +3\n"),
      (std::vector<double>{1.5, 0, 3, 0, 0, -20}));
}

TEST(Market, WordsInAnyCaseCrlfAndNoLastNewline) {
  EXPECT_EQ(readReal("%%matrixmarket MATRIX Coordinate Integer GENERAL\r\n2 2 2\r\n\r\n1 1 1\r\n  2\t2   4  "),
            (std::vector<double>{1, 0, 0, 4}));
}

TEST(Market, DuplicatesAreSummed) {
  EXPECT_EQ(readReal("%%MatrixMarket matrix coordinate real general\n2 1 4\n2 1 1\n1 1 5\n2 1 2\n2 1 4\n"),
            (std::vector<double>{5, 7}));
}

TEST(Market, PatternIsOne) {
  EXPECT_EQ(readReal("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n"),
            (std::vector<double>{1, 1, 1, 0}));
}

TEST(Market, Symmetries) {
  EXPECT_EQ(readReal("%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n2 1 3\n2 2 4\n"),
            (std::vector<double>{0, 3, 3, 4}));
  EXPECT_EQ(readReal("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n"),
            (std::vector<double>{0, 3, -3, 0}));
  EXPECT_EQ(readComplex("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 2 0\n2 1 1 5\n"),
            (std::vector<Complex>{2, {1, 5}, {1, -5}, 0}));
  EXPECT_EQ(readComplex("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 1 5\n"),
            (std::vector<Complex>{0, {1, 5}, {1, 5}, 0}));
}

TEST(Market, Arrays) {
  EXPECT_EQ(readReal("%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(readReal("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"), (std::vector<double>{1, 2, 2, 3}));
  EXPECT_EQ(readReal("%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n"),
            (std::vector<double>{0, 1, 2, -1, 0, 3, -2, -3, 0}));
  EXPECT_EQ(readComplex("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n"),
            (std::vector<Complex>{1, {2, 3}, {2, -3}, 4}));
}

TEST(Market, FortranExponentsAndExtremes) {
  EXPECT_EQ(readReal("%%MatrixMarket matrix array real general\n4 1\n1.5D+02\n2d-1\n-3D1\n1e-400\n"),
            (std::vector<double>{150, 0.2, -30, 0}));
}

TEST(Market, AnExponentsLetterDoesNotMatter) {
  const std::string digits[] = {"1.5", "-2.", ".25", "+3"}, exponents[] = {"0", "-1", "+2", "+0300", "-400", "400"};
  for (const std::string &number : digits)
    for (const std::string &exponent : exponents)
      for (const char letter : {'E', 'd', 'D'}) {
        const std::string head = "%%MatrixMarket matrix array real general\n1 1\n" + number;
        EXPECT_EQ(readReal(head + "e" + exponent + "\n"), readReal(head + letter + exponent + "\n")) << exponent;
      }
  for (const char *wrong : {"1D", "D1", "1D1D1", "1D1e1", "1D--1", "1D+-1", "1.5DD1"})
    EXPECT_NE(error(std::string("%%MatrixMarket matrix array real general\n1 1\n") + wrong + "\n"), "no error")
        << wrong;
}

TEST(Market, TheBannerMayStandBehindAMarkAndBlanks) {
  const std::string text = "%%MatrixMarket matrix array real general\n1 1\n5\n";
  for (const char *before : {"\xEF\xBB\xBF", "  ", "\t", "\xEF\xBB\xBF "})
    EXPECT_EQ(readReal(before + text), (std::vector<double>{5}));
  for (const char *before : {"x", "\n", "%"})
    EXPECT_NE(error(before + text), "no error");
}

TEST(Market, AHermitianMatrixOfRealNumbersIsSymmetric) {
  for (const char *field : {"real", "integer"})
    EXPECT_EQ(readReal(std::string("%%MatrixMarket matrix coordinate ") + field + " hermitian\n2 2 2\n1 1 3\n2 1 7\n"),
              (std::vector<double>{3, 7, 7, 0}));
  EXPECT_EQ(readReal("%%MatrixMarket matrix coordinate pattern hermitian\n2 2 1\n2 1\n"),
            (std::vector<double>{0, 1, 1, 0}));
}

TEST(Market, MessagesShowNoControlCharacters) {
  const std::string all = [] {
    std::string bytes;
    for (int c = 1; c < 256; ++c)
      if (c != '\n' && c != '\r' && c != '\t' && c != ' ')
        bytes += static_cast<char>(c);
    return bytes;
  }();
  const std::string head = "%%MatrixMarket matrix coordinate ";
  for (const std::string &text : {head + "real general\n1 1\v2\n", head + "real general\n1 1 1\n1 1 2" + all + "\n",
                                  head + "real general\n1 1 1\n" + all + " 1 2\n", head + all + " general\n",
                                  "%%MatrixMarket " + all + " a b c\n", head + "real " + all + "\n"}) {
    const std::string message = error(text);
    EXPECT_NE(message, "no error");
    EXPECT_TRUE(std::ranges::all_of(message, [](char c) { return c >= ' ' && c <= '~'; })) << message;
  }
}

TEST(Market, EmptyMatrices) {
  EXPECT_TRUE(readReal("%%MatrixMarket matrix coordinate real general\n0 0 0\n").empty());
  EXPECT_EQ(readReal("%%MatrixMarket matrix coordinate real general\n1 2 0"), (std::vector<double>{0, 0}));
}

TEST(Market, ReadsIntegers) {
  EXPECT_EQ(read<int>("%%MatrixMarket matrix array integer general\n2 2\n1\n-2\n3\n4\n", ElementType::I),
            (std::vector<int>{1, -2, 3, 4}));
  EXPECT_EQ(read<int>("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n", ElementType::I),
            (std::vector<int>{0, 1, 0, 0}));
  for (const char *value : {"1.5", "3000000000"}) {
    const std::string text = test::usageError([&] {
      read<int>("%%MatrixMarket matrix coordinate integer general\n2 2 1\n2 1 " + std::string(value) + "\n",
                ElementType::I);
    });
    EXPECT_NE(text.find(": element (2, 1) is "), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with(", which no int holds")) << text;
  }
}

TEST(Market, ReadsBlocks) {
  TemporaryFolder folder;
  const auto file = openMatrixFile(folder.write(
      "a.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 5\n1 2 1\n2 2 2\n3 2 3\n4 2 4\n3 3 5\n"));
  file->load(ElementType::S);
  std::vector<float> block(4, -1);
  file->fill({ElementType::S, block.data(), 1, 1, 2, 2, 2});
  EXPECT_EQ(block, (std::vector<float>{2, 3, 0, 5}));
}

TEST(Market, KnowsWhatTheFileClaims) {
  TemporaryFolder folder;
  const auto shape = [&](const std::string &banner) {
    return openMatrixFile(folder.write("a.mtx", banner + "\n2 2 0\n"))->shape();
  };
  using Mirror = FileShape::Mirror;
  EXPECT_EQ(shape("%%MatrixMarket matrix coordinate real symmetric").mirror, Mirror::Equal);
  EXPECT_EQ(shape("%%MatrixMarket matrix coordinate complex hermitian").mirror, Mirror::Conjugate);
  EXPECT_EQ(shape("%%MatrixMarket matrix coordinate integer skew-symmetric").mirror, Mirror::Negative);
  EXPECT_EQ(shape("%%MatrixMarket matrix coordinate real general").mirror, Mirror::Nothing);
  EXPECT_TRUE(shape("%%MatrixMarket matrix coordinate complex symmetric").complexNumbers);
}

TEST(Market, NamesTheLine) {
  const std::string real = "%%MatrixMarket matrix coordinate real general\n% x\n2 2 2\n1 1 5\n";
  EXPECT_EQ(error(real + "2 2\n"), "a.mtx:5: expected 3 numbers, found 2");
  EXPECT_EQ(error(real + "2 2 3 4\n"), "a.mtx:5: expected 3 numbers, found 4");
  EXPECT_EQ(error(real + "\n2 x 3\n"), "a.mtx:6: 'x' is not an index");
  EXPECT_EQ(error(real + "2 1.5 3\n"), "a.mtx:5: '1.5' is not an index");
  EXPECT_EQ(error(real + "2 1 3z\n"), "a.mtx:5: '3z' is not a number");
  EXPECT_EQ(error(real + "3 1 3\n"), "a.mtx:5: (3, 1) lies outside the 2 x 2 matrix");
  EXPECT_EQ(error(real + "0 1 3\n"), "a.mtx:5: (0, 1) lies outside the 2 x 2 matrix");
  EXPECT_EQ(error(real + "2 2 1\n1 2 1\n"), "a.mtx:6: text after the last of 2 entries");
  EXPECT_EQ(error(real), "a.mtx:4: the file ends after 1 of 2 entries");
}

TEST(Market, NamesWhatIsWrongWithTheHeader) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real\n"),
            "a.mtx:1: expected '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
  EXPECT_EQ(error("%%MatrixMarket vector coordinate real general\n"), "a.mtx:1: holds a vector, not a matrix");
  EXPECT_EQ(error("%%MatrixMarket matrix sparse real general\n"),
            "a.mtx:1: format 'sparse' is not supported; supported are coordinate or array");
  EXPECT_EQ(error("%%MatrixMarket matrix array pattern general\n"), "a.mtx:1: a pattern cannot be an array");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n% only\n"),
            "a.mtx:2: the file ends before the line of sizes");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n2 2\n"), "a.mtx:2: expected 3 numbers, found 2");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n2 -2 1\n"), "a.mtx:2: a size is negative");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
            "a.mtx:2: a symmetric matrix cannot be 2 x 3");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n9999999999 1 1\n"),
            "a.mtx:2: more than 2^31 - 1 rows or columns");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real general\n2 2 4000000000\n1 1 1\n"),
            "a.mtx:2: announces 4000000000 entries, more than the file can hold");
  EXPECT_EQ(error("%%MatrixMarket matrix array real general\n2147483647 2147483647\n1\n"),
            "a.mtx:2: announces 4611686014132420609 entries, more than the file can hold");
}

TEST(Market, SymmetricFilesListTheLowerTriangle) {
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 5\n"),
            "a.mtx:3: (1, 2) lies above the diagonal: a symmetric file lists the lower triangle only");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n1 1 5\n"),
            "a.mtx:3: the diagonal of a skew-symmetric matrix must be zero");
  EXPECT_EQ(error("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n1 1 5 1\n"),
            "a.mtx:3: the diagonal of a hermitian matrix must be real");
}

TEST(Market, EveryTruncationIsAnErrorOrShorterNumber) {
  const std::string whole = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 5\n2 2 7";
  for (std::size_t length = 1; length < whole.size(); ++length)
    EXPECT_NE(error(whole.substr(0, length)), "no error") << length;
}
} // namespace
} // namespace tla::host
