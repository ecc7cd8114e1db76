// NumPy's .npy files, format versions 1.0 to 3.0 (NEP 1).
#pragma once

#include "runtime/host/files/mapped_file.hpp"
#include "runtime/host/files/matrix_file.hpp"

#include <tla/storage.hpp>

#include <vector>

namespace tla::host {

inline constexpr std::string_view npyMagic = "\x93NUMPY";

struct NpyHeader {
  char kind = 'f';      ///< 'f', 'c', 'i' or 'u'
  int itemBytes = 8;    ///< 4, 8 or 16; of integers 1, 2, 4 or 8
  bool swapped = false; ///< stored in the other byte order than this machine's
  bool fortranOrder = false;
  std::vector<long> shape;
  std::size_t dataOffset = 0;
};

/// Strict: every key once, nothing after the dictionary but spaces and a newline. Throws UsageError with a byte offset.
NpyHeader parseNpyHeader(std::string_view bytes, const std::string &path);

/// 2-D arrays; a 1-D array is a column. Throws UsageError.
std::unique_ptr<MatrixFile> openNpy(std::unique_ptr<MappedFile> file);

/// Writes the whole matrix, column-major (fortran_order: True), with zeros where a triangular matrix stores nothing.
/// Throws tla::Error; no file appears then.
void writeNpy(const std::string &path, const Storage &storage, ElementType type);
/// The header of such a file, which stands before the elements.
std::string npyHeader(const Storage &storage, ElementType type);
/// Bytes that writeNpy will write, about.
double npyBytes(double rows, double columns, ElementType type);

} // namespace tla::host
