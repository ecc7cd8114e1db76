// Matrices read from files: .npy and Matrix Market, told apart by their first bytes.
#pragma once

#include "runtime/host/files/matrix_source.hpp"

#include <functional>
#include <memory>

namespace tla::host {

/// The properties of a file that are known before its elements are read.
struct FileShape {
  long rows = 0, columns = 0;
  bool complexNumbers = false;
  bool integers = false; ///< whether the file has integers, which matrices of int need, and others take
  /// The meaning of the triangle above the diagonal in the file's format.
  enum class Mirror { Nothing, Conjugate, Equal, Negative } mirror = Mirror::Nothing;
  bool singlePrecision = false; ///< elements carry 24 bits
  double loadedBytes = 0;       ///< memory that load() takes
};

class MatrixFile : public MatrixSource {
public:
  const FileShape &shape() const { return shape_; }
  const std::string &path() const { return path_; }
  std::string describe() const override { return path_; }
  /// Reads the elements, for a matrix of that type; before that, fill() may not be called. Throws UsageError with line,
  /// byte offset or position.
  virtual void load(ElementType) {}
  /// Calls visit(row, column), 0-based, for each element that a coordinate file lists, whatever its value; of a
  /// symmetric one for those on the other side of the diagonal as well. Throws UsageError, also for other files.
  virtual void forEachPosition(const std::function<void(long, long)> &visit) const;

protected:
  MatrixFile(std::string path, const FileShape &shape) : shape_(shape), path_(std::move(path)) {}
  FileShape shape_;

private:
  std::string path_;
};

/// Opens the file and reads its header, fast. Throws UsageError.
std::unique_ptr<MatrixFile> openMatrixFile(const std::string &path);

} // namespace tla::host
