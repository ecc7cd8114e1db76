#include "c/residence.hpp"

#include "c/arguments.hpp"

#include <tla/runtime/error.hpp>

#include <cstdint>
#include <string>

namespace hetc {
namespace {

/// Whether two windows have an element in common. Windows of one array may lie side by side, their columns in turn.
bool overlap(const hetc_matrix &a, std::size_t bytesOfA, const hetc_matrix &b, std::size_t bytesOfB) {
  if (a.rows == 0 || a.columns == 0 || b.rows == 0 || b.columns == 0)
    return false;
  const auto from = [](const hetc_matrix &window) { return reinterpret_cast<std::intptr_t>(window.data); };
  const auto to = [&](const hetc_matrix &window, std::size_t bytes) {
    return from(window) +
           static_cast<std::intptr_t>(((window.columns - 1) * window.leading + window.rows) * static_cast<long>(bytes));
  };
  if (from(a) >= to(b, bytesOfB) || from(b) >= to(a, bytesOfA))
    return false;
  const auto bytes = static_cast<std::intptr_t>(bytesOfA);
  if (bytesOfA != bytesOfB || a.leading != b.leading || (from(b) - from(a)) % bytes != 0)
    return true;
  const std::intptr_t distance = (from(b) - from(a)) / bytes, row = (distance % a.leading + a.leading) % a.leading;
  const std::intptr_t column = (distance - row) / a.leading;
  return row + b.rows > a.leading || (row < a.rows && column < a.columns && column + b.columns > 0);
}

} // namespace

tla::Storage *Residence::find(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter) const {
  for (const Matrix &matrix : matrices_) {
    if (!overlap(window, bytesOf(parameter.type), matrix.window, bytesOf(matrix.type)))
      continue;
    if (window.data == matrix.window.data && window.rows == matrix.window.rows &&
        window.columns == matrix.window.columns && window.leading == matrix.window.leading &&
        parameter.type == matrix.type && parameter.shape == matrix.part)
      return &*matrix.storage;
    throw tla::UsageError(std::string(parameter.name) + " has elements of the matrix that became resident as " +
                          matrix.name +
                          ", but is not all of it, or of another type or part: its content is with the "
                          "devices; give the same window, or end the residence first");
  }
  return nullptr;
}

void Residence::add(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter,
                    const tla::StorageRef &storage) {
  matrices_.push_back({window, parameter.type, parameter.shape, parameter.name, storage});
}

} // namespace hetc
