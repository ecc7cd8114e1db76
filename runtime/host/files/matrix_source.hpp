// Where the elements of a matrix come from: a generator or a file.
#pragma once

#include "runtime/host/base/element_type.hpp"

#include <string>

namespace tla::host {

using runtime::Block;

/// A whole rows x columns matrix that can be made block by block, in any order and any number of times. An element
/// depends on its position only, never on tiles or threads, so that a check can make the original again instead of
/// keeping a copy.
class MatrixSource {
public:
  virtual ~MatrixSource() = default;
  /// Writes the matrix's elements to the block, which lies inside it. Any thread calls this, several at a time.
  virtual void fill(const Block &block) const = 0;
  /// "spd", "a.npy": for reports.
  virtual std::string describe() const = 0;
};

} // namespace tla::host
