#include "runtime/program/shared_npy.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/files/npy.hpp"
#include "runtime/host/files/output_file.hpp"

#include <algorithm>
#include <fcntl.h>
#include <optional>
#include <unistd.h>

namespace tla::host {
namespace {

/// A part of a file that is there.
class FilePart {
public:
  explicit FilePart(const std::string &path) : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (descriptor_ < 0)
      fail();
  }
  ~FilePart() {
    if (descriptor_ >= 0)
      ::close(descriptor_);
  }
  FilePart(const FilePart &) = delete;
  FilePart &operator=(const FilePart &) = delete;

  void write(const char *data, std::size_t size, std::size_t offset) const {
    while (size > 0) {
      const ssize_t written = ::pwrite(descriptor_, data, size, static_cast<off_t>(offset));
      if (written <= 0)
        fail();
      data += written;
      offset += static_cast<std::size_t>(written);
      size -= static_cast<std::size_t>(written);
    }
  }
  /// Network file systems tell here what they could not store.
  void close() {
    if (::close(std::exchange(descriptor_, -1)) != 0)
      fail();
  }

private:
  [[noreturn]] void fail() const { throw Error("cannot write " + path_ + ": " + systemMessage()); }
  std::string path_;
  int descriptor_;
};

/// Rows first .. last - 1 of a column of tile (i, j) are stored: of a diagonal tile the triangle only.
struct Rows {
  int first, last;
};
Rows storedRows(const Storage &storage, int i, int j, int column) {
  const int rows = storage.tileRows(i);
  if (i != j || storage.shape() == Shape::General)
    return {0, rows};
  return storage.shape() == Shape::Lower ? Rows{std::min(column, rows), rows} : Rows{0, std::min(column + 1, rows)};
}

void writeTile(const FilePart &file, std::size_t begin, const Storage &storage, int i, int j) {
  const std::size_t size = storage.elementBytes();
  for (int c = 0; c < storage.tileCols(j); ++c) {
    pollInterruption();
    const Rows rows = storedRows(storage, i, j, c);
    const std::size_t row = static_cast<std::size_t>(i) * storage.mb() + rows.first,
                      column = static_cast<std::size_t>(j) * storage.nb() + c;
    file.write(static_cast<const char *>(storage.tile(i, j)) +
                   (static_cast<std::size_t>(c) * storage.ld(i) + rows.first) * size,
               (rows.last - rows.first) * size, begin + (row + column * storage.m()) * size);
  }
}
} // namespace

void writeNpyTogether(const std::string &path, const ProblemMatrix &matrix, Ranks &ranks) {
  const Storage &storage = **matrix.storage;
  const std::string header = npyHeader(storage, matrix.parameter->type);
  std::optional<OutputFile> whole;
  if (ranks.first()) {
    whole.emplace(path);
    whole->write(header);
    whole->extend(header.size() + static_cast<std::size_t>(storage.m()) * storage.n() * storage.elementBytes());
  }
  FilePart file(ranks.broadcast(whole ? whole->temporaryPath() : ""));
  for (int j = 0; j < storage.nt(); ++j)
    for (int i = 0; i < storage.mt(); ++i)
      if (storage.tile(i, j))
        writeTile(file, header.size(), storage, i, j);
  file.close();
  ranks.agree();
  if (whole)
    whole->commit();
}

} // namespace tla::host
