// A MatrixSource from a function of the position; private to the generators.
#pragma once

#include "runtime/host/files/matrix_source.hpp"

#include <memory>
#include <utility>

namespace tla::host {

/// Formula: template <typename T> auto column(long j) const, which returns a function of the row i giving a T. What
/// depends on the column only is computed once per column.
template <typename Formula> class GeneratedSource final : public MatrixSource {
public:
  GeneratedSource(std::string text, Formula formula) : text_(std::move(text)), formula_(std::move(formula)) {}

  void fill(const Block &block) const override {
    if (block.type == ElementType::I)
      return fillAs<int>(block);
    withNumberType(block.type, [&](auto zero) { fillAs<decltype(zero)>(block); });
  }
  std::string describe() const override { return text_; }

private:
  template <typename T> void fillAs(const Block &block) const {
    for (int j = 0; j < block.n; ++j) {
      const auto element = formula_.template column<T>(block.column + j);
      T *column = static_cast<T *>(block.elements) + static_cast<long>(j) * block.ld;
      for (int i = 0; i < block.m; ++i)
        column[i] = element(block.row + i);
    }
  }

  std::string text_;
  Formula formula_;
};

template <typename Formula> std::unique_ptr<MatrixSource> makeGenerated(std::string text, Formula formula) {
  return std::make_unique<GeneratedSource<Formula>>(std::move(text), std::move(formula));
}

} // namespace tla::host
