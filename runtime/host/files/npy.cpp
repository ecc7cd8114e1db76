#include "runtime/host/files/npy.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/base/interruption.hpp"
#include "runtime/host/files/output_file.hpp"

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace tla::host {
namespace {

template <typename Number> Number loadNumber(const char *from, bool swapped) {
  char bytes[sizeof(Number)];
  std::memcpy(bytes, from, sizeof bytes);
  if (swapped)
    std::reverse(bytes, bytes + sizeof bytes);
  Number value;
  std::memcpy(&value, bytes, sizeof bytes);
  return value;
}

/// Calls visit(From()) for the type of the file's integers.
template <typename Visit> void withIntegerType(const NpyHeader &header, Visit &&visit) {
  const bool isSigned = header.kind == 'i';
  switch (header.itemBytes) {
  case 1:
    return isSigned ? visit(std::int8_t()) : visit(std::uint8_t());
  case 2:
    return isSigned ? visit(std::int16_t()) : visit(std::uint16_t());
  case 4:
    return isSigned ? visit(std::int32_t()) : visit(std::uint32_t());
  default:
    return isSigned ? visit(std::int64_t()) : visit(std::uint64_t());
  }
}

/// One stored element as T; From is its real type, or that of integers, in the file.
template <typename From, bool complexFile, typename T> T loadElement(const char *from, bool swapped) {
  const From real = loadNumber<From>(from, swapped);
  if constexpr (std::is_same_v<T, int>)
    return static_cast<int>(real);
  else if constexpr (complexFile && isComplex<T>)
    return T(static_cast<RealType<T>>(real), static_cast<RealType<T>>(loadNumber<From>(from + sizeof(From), swapped)));
  else
    return T(static_cast<RealType<T>>(real));
}

class NpyFile final : public MatrixFile {
public:
  NpyFile(std::unique_ptr<MappedFile> file, const NpyHeader &header, const FileShape &shape)
      : MatrixFile(file->path(), shape), file_(std::move(file)), header_(header) {
    const long item = header.itemBytes;
    rowStride_ = header.fortranOrder ? item : item * shape.columns;
    columnStride_ = header.fortranOrder ? item * shape.rows : item;
  }

  /// A matrix of int takes what an int holds.
  void load(ElementType type) override {
    if (type != ElementType::I || !shape_.integers)
      return;
    withIntegerType(header_, [&](auto zero) {
      using From = decltype(zero);
      if constexpr (sizeof(From) > 4 || (sizeof(From) == 4 && std::is_unsigned_v<From>))
        requireInts<From>();
    });
  }

  void fill(const Block &block) const override {
    if (block.type == ElementType::I)
      return withIntegerType(header_, [&](auto from) { copy<decltype(from), false, int>(block); });
    withNumberType(block.type, [&](auto zero) {
      using T = decltype(zero);
      if (shape_.integers)
        return withIntegerType(header_, [&](auto from) { copy<decltype(from), false, T>(block); });
      const bool single = shape_.singlePrecision;
      if (shape_.complexNumbers)
        single ? copy<float, true, T>(block) : copy<double, true, T>(block);
      else
        single ? copy<float, false, T>(block) : copy<double, false, T>(block);
    });
  }

private:
  /// The inner loop runs along the file's memory.
  template <typename From, bool complexFile, typename T> void copy(const Block &block) const {
    const char *const first =
        file_->bytes().data() + header_.dataOffset + block.row * rowStride_ + block.column * columnStride_;
    T *const out = static_cast<T *>(block.elements);
    const auto move = [&](int i, int j) {
      out[i + static_cast<long>(j) * block.ld] =
          loadElement<From, complexFile, T>(first + i * rowStride_ + j * columnStride_, header_.swapped);
    };
    if (header_.fortranOrder) {
      for (int j = 0; j < block.n; ++j)
        for (int i = 0; i < block.m; ++i)
          move(i, j);
    } else {
      for (int i = 0; i < block.m; ++i)
        for (int j = 0; j < block.n; ++j)
          move(i, j);
    }
  }

  template <typename From> void requireInts() const {
    for (long j = 0; j < shape_.columns; ++j) {
      pollInterruption();
      for (long i = 0; i < shape_.rows; ++i) {
        const From value = loadNumber<From>(
            file_->bytes().data() + header_.dataOffset + i * rowStride_ + j * columnStride_, header_.swapped);
        if (!std::in_range<int>(value))
          throw UsageError(path() + ": element (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) + ") is " +
                           std::to_string(value) + ", more than an int holds");
      }
    }
  }

  std::unique_ptr<MappedFile> file_;
  NpyHeader header_;
  long rowStride_, columnStride_;
};

FileShape npyShape(const NpyHeader &header, const std::string &path) {
  if (header.shape.empty() || header.shape.size() > 2)
    throw UsageError(path + " holds a " + std::to_string(header.shape.size()) + "-dimensional array, not a matrix");
  FileShape shape;
  shape.rows = header.shape[0];
  shape.columns = header.shape.size() == 2 ? header.shape[1] : 1;
  if (shape.rows > INT_MAX || shape.columns > INT_MAX)
    throw UsageError(path + " is " + std::to_string(shape.rows) + " x " + std::to_string(shape.columns) +
                     ", more than 2^31 - 1 rows or columns");
  shape.complexNumbers = header.kind == 'c';
  shape.integers = header.kind == 'i' || header.kind == 'u';
  shape.singlePrecision = !shape.integers && header.itemBytes == (shape.complexNumbers ? 8 : 4);
  return shape;
}

/// The file must hold exactly the elements its header announces.
void requireSize(const MappedFile &file, const NpyHeader &header, const FileShape &shape) {
  const auto expected = static_cast<unsigned __int128>(shape.rows) * static_cast<unsigned __int128>(shape.columns) *
                        static_cast<unsigned>(header.itemBytes);
  const std::size_t found = file.bytes().size() - header.dataOffset;
  if (expected == found)
    return;
  const std::string size = std::to_string(shape.rows) + " x " + std::to_string(shape.columns) + " elements of " +
                           std::to_string(header.itemBytes) + " bytes";
  if (expected > found)
    throw UsageError(file.path() + ": byte " + std::to_string(file.bytes().size()) + ": the file ends before its " +
                     size);
  throw UsageError(file.path() + ": byte " + std::to_string(header.dataOffset + static_cast<std::size_t>(expected)) +
                   ": the file goes on after its " + size);
}

std::string_view npyDescr(ElementType type) {
  constexpr bool little = std::endian::native == std::endian::little;
  switch (type) {
  case ElementType::S:
    return little ? "<f4" : ">f4";
  case ElementType::D:
    return little ? "<f8" : ">f8";
  case ElementType::C:
    return little ? "<c8" : ">c8";
  case ElementType::Z:
    return little ? "<c16" : ">c16";
  case ElementType::I:
    break;
  }
  return little ? "<i4" : ">i4";
}

/// Column j of the matrix; elements outside a stored triangle are zero.
void gatherColumn(const Storage &storage, int j, std::vector<char> &column) {
  const std::size_t size = storage.elementBytes();
  const int tileColumn = j / storage.nb();
  for (int i = 0; i < storage.mt(); ++i) {
    char *const target = column.data() + static_cast<std::size_t>(i) * storage.mb() * size;
    const std::size_t bytes = static_cast<std::size_t>(storage.tileRows(i)) * size;
    if (!storage.stores(i, tileColumn)) {
      std::memset(target, 0, bytes);
      continue;
    }
    const std::size_t offset = static_cast<std::size_t>(j % storage.nb()) * storage.ld(i) * size;
    std::memcpy(target, static_cast<const char *>(storage.tile(i, tileColumn)) + offset, bytes);
  }
  if (storage.shape() == Shape::Lower)
    std::memset(column.data(), 0, std::min<std::size_t>(j, storage.m()) * size);
  else if (storage.shape() == Shape::Upper && j + 1 < storage.m())
    std::memset(column.data() + (j + 1) * size, 0, (storage.m() - j - 1) * size);
}
} // namespace

std::unique_ptr<MatrixFile> openNpy(std::unique_ptr<MappedFile> file) {
  const NpyHeader header = parseNpyHeader(file->bytes(), file->path());
  const FileShape shape = npyShape(header, file->path());
  requireSize(*file, header, shape);
  return std::make_unique<NpyFile>(std::move(file), header, shape);
}

/// Version 1.0; the header is padded so that the data starts at a multiple of 64 bytes.
std::string npyHeader(const Storage &storage, ElementType type) {
  std::string header = format("{'descr': '%s', 'fortran_order': True, 'shape': (%d, %d), }",
                              std::string(npyDescr(type)).c_str(), storage.m(), storage.n());
  const std::size_t prefix = npyMagic.size() + 4;
  header.append(64 - (prefix + header.size() + 1) % 64, ' ');
  header += '\n';
  return std::string(npyMagic) + '\1' + '\0' + static_cast<char>(header.size() & 0xFF) +
         static_cast<char>(header.size() >> 8) + header;
}

void writeNpy(const std::string &path, const Storage &storage, ElementType type) {
  OutputFile file(path);
  file.write(npyHeader(storage, type));
  std::vector<char> column(static_cast<std::size_t>(storage.m()) * storage.elementBytes());
  for (int j = 0; j < storage.n(); ++j) {
    pollInterruption();
    gatherColumn(storage, j, column);
    file.write(column.data(), column.size());
  }
  file.commit();
}

double npyBytes(double rows, double columns, ElementType type) {
  return 128 + rows * columns * static_cast<double>(elementBytes(type));
}

} // namespace tla::host
