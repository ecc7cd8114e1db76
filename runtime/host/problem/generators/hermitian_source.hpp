// The Hermitian matrix of which a file is asked for one triangle.
#pragma once

#include "runtime/host/files/matrix_file.hpp"

#include <tla/storage.hpp>

namespace tla::host {

/// The triangle that a parameter stores, and its conjugate mirror image: the file's other triangle is not looked at, as
/// LAPACK does not; it may hold anything.
class HermitianSource final : public MatrixSource {
public:
  /// `shape` is Lower or Upper.
  HermitianSource(std::unique_ptr<MatrixFile> file, Shape shape) : file_(std::move(file)), shape_(shape) {}

  void fill(const Block &block) const override;
  std::string describe() const override { return file_->describe(); }

private:
  std::unique_ptr<MatrixFile> file_;
  Shape shape_;
};

} // namespace tla::host
