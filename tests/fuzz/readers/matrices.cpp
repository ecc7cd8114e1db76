// .npy and Matrix Market files.
#include "runtime/host/files/matrix_file.hpp"
#include "tests/fuzz/readers/reader.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>

namespace fuzz::readers {

namespace {

using namespace tla::host;

/// Blocks in opposite corners, as each of these types.
void fillCorners(const MatrixFile &file, std::initializer_list<ElementType> types) {
  const FileShape &shape = file.shape();
  const int m = static_cast<int>(std::min(shape.rows, 40L)), n = static_cast<int>(std::min(shape.columns, 40L));
  std::vector<std::complex<double>> data(40 * 40);
  for (const ElementType type : types)
    for (const auto &[row, column] : {std::pair(0L, 0L), std::pair(shape.rows - m, shape.columns - n)})
      file.fill({type, data.data(), row, column, m, n, std::max(1, m)});
}

/// Runs refuse what does not fit into memory before they load it.
constexpr double mostBytes = 64e6;

std::string readMatrix(const std::string &bytes) {
  try {
    const auto file = openMatrixFile(writeScratch("matrix", bytes));
    const FileShape &shape = file->shape();
    require(shape.rows >= 0 && shape.columns >= 0, "sizes are not negative");
    if (shape.loadedBytes > mostBytes)
      return "too large";
    file->load(ElementType::D);
    fillCorners(*file, {ElementType::S, ElementType::Z});
    if (shape.integers) {
      file->load(ElementType::I);
      fillCorners(*file, {ElementType::I});
    }
  } catch (const tla::UsageError &error) {
    return error.what();
  }
  return "";
}

std::string npy(int version, const std::string &dictionary, std::size_t bytes) {
  const std::size_t length = dictionary.size();
  std::string header = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    header += static_cast<char>(length >> 8 * i & 0xFF);
  header += dictionary;
  for (std::size_t i = 0; i < bytes; ++i)
    header += static_cast<char>(i * 37);
  return header;
}

} // namespace

Reader npyFiles() {
  return {.name = "npy",
          .seeds = {npy(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }          \n", 96),
                    npy(1, "{'descr': '<f8', 'fortran_order': True, 'shape': (0, 4), }\n", 0),
                    npy(2, "{'descr': '>c16', 'fortran_order': True, 'shape': (2, 2)}\n", 64),
                    npy(3, "{\"shape\": (5,), 'fortran_order': False, 'descr': '=f4'}\n", 20),
                    npy(1, "{'descr': '<c8', 'fortran_order': False, 'shape': (1, 50), }\n", 400),
                    npy(1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (3, 4), }\n", 96)},
          .tokens = {"'descr'",
                     "'fortran_order'",
                     "'shape'",
                     "True",
                     "False",
                     "(",
                     ")",
                     ",",
                     "'<f8'",
                     "'>c16'",
                     "'=f4'",
                     "'|u1'",
                     "{",
                     "}",
                     "'",
                     "\"",
                     ":",
                     "[",
                     "\x93NUMPY",
                     std::string("\1\0", 2),
                     std::string("\2\0", 2),
                     std::string(4, '\xff'),
                     std::string(8, '\0'),
                     "%%MatrixMarket matrix array real general\n"},
          .read = readMatrix};
}

Reader marketFiles() {
  const std::string banner = "%%MatrixMarket matrix ";
  return {.name = "mtx",
          .seeds = {banner + "coordinate real general\n% a comment\n3 4 3\n1 1 1.5\n3 4 -2e3\n\n3 4 1D+2\n",
                    banner + "coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n",
                    banner + "coordinate complex hermitian\n2 2 2\n1 1 3 0\n2 1 1 -1\n",
                    banner + "coordinate integer skew-symmetric\r\n3 3 1\r\n3 1 7\r\n",
                    banner + "array real general\n2 2\n1\n2\n3\nnan\n", banner + "array real symmetric\n2 2\n1\n2\n3\n",
                    banner + "array complex hermitian\n2 2\n1 0\n2 1\n3 0\n",
                    banner + "array real skew-symmetric\n3 3\n1\n2\n3\n", banner + "array double general\n0 5\n",
                    banner + "coordinate real general\n2147483647 1 0\n"},
          .tokens = {"%%MatrixMarket ",
                     "matrix ",
                     "vector ",
                     "coordinate ",
                     "array ",
                     "real ",
                     "double ",
                     "integer ",
                     "complex ",
                     "pattern ",
                     "general",
                     "symmetric",
                     "hermitian",
                     "skew-symmetric",
                     "\n",
                     "\r\n",
                     "%",
                     " ",
                     "1 1 1\n",
                     "3 3 3\n",
                     "inf",
                     "1d5",
                     "1e400",
                     "+",
                     "-",
                     "\x93NUMPY"},
          .read = readMatrix};
}

} // namespace fuzz::readers
