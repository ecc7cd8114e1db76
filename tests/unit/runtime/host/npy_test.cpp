#include "runtime/host/files/npy.hpp"
#include "tests/unit/runtime/host/test_algorithms.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

namespace tla::host {
namespace {
using test::TemporaryFolder;
using test::usageError;

std::string header(const std::string &dictionary, int major = 1) {
  std::string text = "\x93NUMPY";
  text += static_cast<char>(major);
  text += '\0';
  const std::string padded = dictionary + "\n";
  for (int b = 0; b < (major == 1 ? 2 : 4); ++b)
    text += static_cast<char>(padded.size() >> (8 * b) & 0xFF);
  return text + padded;
}

template <typename T> std::string bytesOf(std::vector<T> values, bool swap = false) {
  std::string bytes(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
  if (swap)
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(T))
      std::reverse(bytes.begin() + i, bytes.begin() + i + sizeof(T));
  return bytes;
}

/// The whole file as a column-major array of T.
template <typename T> std::vector<T> readAll(const std::string &path, ElementType type) {
  const auto file = openMatrixFile(path);
  const int m = static_cast<int>(file->shape().rows), n = static_cast<int>(file->shape().columns);
  std::vector<T> values(static_cast<std::size_t>(m) * n);
  file->load(type);
  file->fill({type, values.data(), 0, 0, m, n, m});
  return values;
}

template <typename From> std::string integers(TemporaryFolder &folder, const char *descr, std::vector<From> values) {
  return folder.write("i.npy", header("{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (" +
                                      std::to_string(values.size()) + ",), }") +
                                   bytesOf<From>(values));
}

TEST(Npy, IntegersBecomeIntsAndNumbers) {
  TemporaryFolder folder;
  const std::vector<int> ints{-3, 0, 127};
  EXPECT_EQ(readAll<int>(integers<std::int8_t>(folder, "|i1", {-3, 0, 127}), ElementType::I), ints);
  EXPECT_EQ(readAll<int>(integers<std::int32_t>(folder, "<i4", {-3, 0, 127}), ElementType::I), ints);
  EXPECT_EQ(readAll<int>(integers<std::int64_t>(folder, "<i8", {-3, 0, 127}), ElementType::I), ints);
  EXPECT_EQ(readAll<int>(integers<std::uint16_t>(folder, "<u2", {65535}), ElementType::I), (std::vector<int>{65535}));
  EXPECT_EQ(readAll<double>(integers<std::int64_t>(folder, "<i8", {-3, 0, 1L << 40}), ElementType::D),
            (std::vector<double>{-3, 0, 0x1p40}));
  EXPECT_EQ(readAll<std::complex<float>>(integers<std::uint8_t>(folder, "|u1", {255}), ElementType::C),
            (std::vector<std::complex<float>>{255}));
}

TEST(Npy, IntegersThatNoIntHoldsAreNamed) {
  TemporaryFolder folder;
  const auto error = [&](const std::string &path) {
    const std::string text = test::usageError([&] { readAll<int>(path, ElementType::I); });
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(error(integers<std::int64_t>(folder, "<i8", {1, 2147483648})),
            "element (2, 1) is 2147483648, more than an int holds");
  EXPECT_EQ(error(integers<std::uint32_t>(folder, "<u4", {4294967295})),
            "element (1, 1) is 4294967295, more than an int holds");
  EXPECT_EQ(readAll<int>(integers<std::int64_t>(folder, "<i8", {2147483647, -2147483648}), ElementType::I),
            (std::vector<int>{2147483647, -2147483647 - 1}));
}

TEST(Npy, ReadsBothOrders) {
  TemporaryFolder folder;
  const std::vector<double> expected{1, 4, 2, 5, 3, 6}; // [[1 2 3], [4 5 6]]
  const auto c = folder.write("c.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }") +
                                           bytesOf<double>({1, 2, 3, 4, 5, 6}));
  const auto f = folder.write("f.npy", header("{'shape': (2, 3), 'fortran_order': True, 'descr': '<f8'}", 2) +
                                           bytesOf<double>({1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(readAll<double>(c, ElementType::D), expected);
  EXPECT_EQ(readAll<double>(f, ElementType::D), expected);
}

TEST(Npy, ReadsBlocksInsideTheMatrix) {
  TemporaryFolder folder;
  const auto path = folder.write("c.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 3), }") +
                                              bytesOf<double>({1, 2, 3, 4, 5, 6, 7, 8, 9}));
  std::vector<double> block(5, -1);
  openMatrixFile(path)->fill({ElementType::D, block.data(), 1, 1, 2, 2, 3});
  EXPECT_EQ(block, (std::vector<double>{5, 8, -1, 6, 9}));
}

TEST(Npy, ReadsTheOtherByteOrder) {
  TemporaryFolder folder;
  const auto path = folder.write("b.npy", header("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 1), }", 3) +
                                              bytesOf<float>({1.5f, -2}, true));
  EXPECT_EQ(readAll<double>(path, ElementType::D), (std::vector<double>{1.5, -2}));
}

TEST(Npy, AOneDimensionalArrayIsAColumn) {
  TemporaryFolder folder;
  const auto path = folder.write("v.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }") +
                                              bytesOf<double>({1, 2}));
  EXPECT_EQ(openMatrixFile(path)->shape().columns, 1);
}

template <typename T> void roundTrip(ElementType type) {
  TemporaryFolder folder;
  const StorageRef storage(new Storage(5, 3, 2, 2, sizeof(T), Shape::General));
  storage->allocate();
  std::vector<T> expected;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 5; ++i) {
      T value = T(i + 10 * j);
      if constexpr (isComplex<T>)
        value = {value.real(), RealType<T>(-i)};
      expected.push_back(value);
      static_cast<T *>(storage->tile(i / 2, j / 2))[i % 2 + (j % 2) * storage->ld(i / 2)] = value;
    }
  writeNpy(folder.path("x.npy"), *storage, type);
  EXPECT_EQ(readAll<T>(folder.path("x.npy"), type), expected);
  EXPECT_EQ(folder.files().size(), 1u) << "a temporary file is left";
}
TEST(Npy, RoundTripsEveryType) {
  roundTrip<float>(ElementType::S);
  roundTrip<double>(ElementType::D);
  roundTrip<std::complex<float>>(ElementType::C);
  roundTrip<std::complex<double>>(ElementType::Z);
}

TEST(Npy, WritesZerosInTheOtherTriangle) {
  TemporaryFolder folder;
  for (const Shape shape : {Shape::Lower, Shape::Upper}) {
    const StorageRef storage(new Storage(3, 3, 2, 2, sizeof(double), shape));
    storage->allocate();
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        if (storage->stores(i, j))
          std::fill_n(static_cast<double *>(storage->tile(i, j)), storage->tileRows(i) * storage->tileCols(j), 7.0);
    writeNpy(folder.path("x.npy"), *storage, ElementType::D);
    const std::vector<double> lower{7, 7, 7, 0, 7, 7, 0, 0, 7}, upper{7, 0, 0, 7, 7, 0, 7, 7, 7};
    EXPECT_EQ(readAll<double>(folder.path("x.npy"), ElementType::D), shape == Shape::Lower ? lower : upper);
  }
}

TEST(Npy, HeaderIsAlignedAndReadable) {
  TemporaryFolder folder;
  const StorageRef storage(new Storage(2, 2, 2, 2, sizeof(double), Shape::General));
  storage->allocate();
  std::fill_n(static_cast<double *>(storage->tile(0, 0)), 4, 0.0);
  writeNpy(folder.path("x.npy"), *storage, ElementType::D);
  const std::string bytes = test::readFile(folder.path("x.npy"));
  const NpyHeader header = parseNpyHeader(bytes, "x.npy");
  EXPECT_EQ(header.dataOffset % 64, 0u);
  EXPECT_EQ(bytes[header.dataOffset - 1], '\n');
  EXPECT_EQ(bytes.size(), header.dataOffset + 32);
}

/// All the forms of a header that NumPy reads, of one matrix.
TEST(Npy, ReadsHeadersAsPythonDoes) {
  TemporaryFolder folder;
  for (const char *descr : {"<f8", "=f8", "f8"})
    for (const char *shape : {"(2, 3)", "(2L, 3L)", "( 2 ,3L , )", "(2,\t3)"})
      for (const char *space : {"", " ", "\t", "\r\n", "\v", "\f"}) {
        const std::string dictionary = std::string("{'descr':") + space + "'" + descr + "'," + space +
                                       "'fortran_order'" + space + ": False, 'shape': " + shape + "," + space + "}" +
                                       space;
        const auto path = folder.write("h.npy", header(dictionary) + bytesOf<double>({1, 2, 3, 4, 5, 6}));
        EXPECT_EQ(readAll<double>(path, ElementType::D), (std::vector<double>{1, 4, 2, 5, 3, 6})) << dictionary;
      }
}

struct BadHeader {
  const char *dictionary, *message;
};
TEST(Npy, NamesWhatIsWrongWithAHeader) {
  const BadHeader cases[] = {
      {"{'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }",
       "byte 20: holds elements of type '<f2'; supported are f4, f8, c8, c16 and integers"},
      {"{'descr': 'x8', 'fortran_order': False, 'shape': (2, 3), }", "byte 20: holds elements of type 'x8'"},
      {"{'descr': '<f8\x1b[2J', 'fortran_order': False, 'shape': (2, 3), }", "of type '<f8\\x1b[2J'; supported"},
      {"{'descr': '<f8', 'fortran_order': False, 'sh\aape': (2, 3), }", "unknown key 'sh\\x07ape'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2LL, 3), }", "expected ')'"},
      {"{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (2,), }", "byte 20: holds records"},
      {"{'fortran_order': False, 'shape': (2, 3), }", "the header has no 'descr'"},
      {"{'descr': '<f8', 'shape': (2, 3), }", "the header has no 'fortran_order'"},
      {"{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }",
       "byte 27: key 'descr' appears twice"},
      {"{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 3), }", "expected True or False"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, -3), }", "expected a size in the shape"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), 'x': 1}", "unknown key 'x'"},
      {"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), } x", "text after the header's dictionary"},
      {"{'descr': '<f8", "a quoted word does not end"},
      {"hello", "byte 10: expected '{'"},
  };
  for (const BadHeader &bad : cases) {
    const std::string message = usageError([&] { parseNpyHeader(header(bad.dictionary), "a.npy"); });
    EXPECT_NE(message.find(bad.message), std::string::npos) << message;
    EXPECT_EQ(message.rfind("a.npy: byte ", 0), 0u) << message;
  }
}

TEST(Npy, EveryTruncationIsAnError) {
  const std::string whole =
      header("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }") + bytesOf<double>({1, 2});
  TemporaryFolder folder;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto path = folder.write("t.npy", whole.substr(0, length));
    EXPECT_NE(usageError([&] { openMatrixFile(path); }), "no error") << length;
  }
  EXPECT_EQ(usageError([&] { openMatrixFile(folder.write("t.npy", whole)); }), "no error");
  EXPECT_NE(usageError([&] {
              openMatrixFile(folder.write("t.npy", whole.substr(0, whole.size() - 1)));
            }).find("the file ends before its 1 x 2 elements of 8 bytes"),
            std::string::npos);
  EXPECT_NE(usageError([&] { openMatrixFile(folder.write("t.npy", whole + "x")); }).find("goes on after"),
            std::string::npos);
}

TEST(Npy, RejectsShapesThatAreNoMatrix) {
  TemporaryFolder folder;
  const auto open = [&](const std::string &shape) {
    const auto path =
        folder.write("s.npy", header("{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }"));
    return usageError([&] { openMatrixFile(path); });
  };
  EXPECT_NE(open("()").find("0-dimensional"), std::string::npos);
  EXPECT_NE(open("(1, 2, 3)").find("3-dimensional"), std::string::npos);
  EXPECT_NE(open("(4294967296, 4294967296)").find("more than 2^31 - 1"), std::string::npos);
  EXPECT_NE(open("(2147483647, 2147483647)").find("ends before"), std::string::npos);
  EXPECT_EQ(open("(0, 5)"), "no error");
}

TEST(Npy, RejectsOtherFiles) {
  TemporaryFolder folder;
  EXPECT_NE(usageError([&] { openMatrixFile(folder.path("none.npy")); }).find("no such file"), std::string::npos);
  EXPECT_NE(usageError([&] { openMatrixFile(folder.path("")); }).find("it is a directory"), std::string::npos);
  EXPECT_NE(usageError([&] { openMatrixFile(folder.write("e.npy", "")); }).find("the file is empty"),
            std::string::npos);
  EXPECT_NE(usageError([&] { openMatrixFile(folder.write("x.npy", "hello")); }).find("neither"), std::string::npos);
  EXPECT_NE(usageError([&] { openMatrixFile(folder.write("x.gz", "\x1f\x8b\x08")); }).find("gunzip"),
            std::string::npos);
  EXPECT_NE(usageError([&] {
              openMatrixFile(folder.write("v.npy", std::string("\x93NUMPY\x04\0\1\1", 10)));
            }).find("format version 4.0"),
            std::string::npos);
}
} // namespace
} // namespace tla::host
