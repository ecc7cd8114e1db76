#include "dsl/base/text.hpp"

#include <cmath>
#include <gtest/gtest.h>

namespace tla {
namespace {
using Complex = std::complex<double>;

TEST(Text, ParsesIntegersWhole) {
  EXPECT_EQ(parseInteger("42"), 42);
  EXPECT_EQ(parseInteger("+7"), 7);
  EXPECT_EQ(parseInteger("-5"), -5);
  for (const char *bad : {"", "4k", "1.5", "+-3", "99999999999999999999"})
    EXPECT_FALSE(parseInteger(bad)) << bad;
}

TEST(Text, ParsesComplexNumbers) {
  EXPECT_EQ(parseComplex("0.5"), Complex(0.5, 0));
  EXPECT_EQ(parseComplex("1+2i"), Complex(1, 2));
  EXPECT_EQ(parseComplex("1e-3-2.5i"), Complex(1e-3, -2.5));
  EXPECT_EQ(parseComplex("-1e+2+1e-2i"), Complex(-100, 0.01));
  EXPECT_EQ(parseComplex("-2i"), Complex(0, -2));
  EXPECT_EQ(parseComplex("1-i"), Complex(1, -1));
  EXPECT_EQ(parseComplex("i"), Complex(0, 1));
  EXPECT_EQ(parseComplex("(1, -2)"), Complex(1, -2));
  for (const char *bad : {"", "x", "1+2", "(1)", "(1,2", "1+2i3", "(,)"})
    EXPECT_FALSE(parseComplex(bad)) << bad;
}

TEST(Text, ListsAlternatives) {
  EXPECT_EQ(alternatives(std::vector<std::string>{"random", "spd", "matern"}), "random, spd or matern");
}

TEST(Text, FormatsBytesAndNumbers) {
  EXPECT_EQ(formatBytes(12), "12 B");
  EXPECT_EQ(formatBytes(34.4 * 1024 * 1024 * 1024), "34.4 GiB");
  EXPECT_EQ(formatBytes(1023.99 * 1024), "1.0 MiB");
  EXPECT_EQ(formatNumber(5.0), "5");
  EXPECT_EQ(formatNumber(-std::nan("")), "nan");
  EXPECT_EQ(formatNumber(Complex(1, -2)), "1-2i");
}

TEST(Text, FormatsSeconds) {
  EXPECT_EQ(formatSeconds(0), "0 s");
  EXPECT_EQ(formatSeconds(3.491e-05), "34.91 us");
  EXPECT_EQ(formatSeconds(0.002553), "2.553 ms");
  EXPECT_EQ(formatSeconds(0.99999), "1.000 s");
  EXPECT_EQ(formatSeconds(12.344), "12.34 s");
  EXPECT_EQ(formatSeconds(12345.6), "12346 s");
}
} // namespace
} // namespace tla
