#include "c/residence.hpp"

#include "c/arguments.hpp"

#include <tla/runtime/error.hpp>

#include <algorithm>
#include <cstdint>
#include <mutex>
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

bool isSame(const hetc_matrix &a, const hetc_matrix &b) {
  return a.data == b.data && a.rows == b.rows && a.columns == b.columns && a.leading == b.leading;
}

/// Guards the list of all residences, and their matrices.
std::mutex mutex;
std::vector<const Residence *> &all() {
  static auto &list = *new std::vector<const Residence *>; // executors may end with the process
  return list;
}

} // namespace

Residence::Residence() {
  const std::lock_guard lock(mutex);
  all().push_back(this);
}

Residence::~Residence() {
  const std::lock_guard lock(mutex);
  std::erase(all(), this);
}

tla::Storage *Residence::find(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter) const {
  const std::lock_guard lock(mutex);
  for (const Residence *residence : all())
    for (const Matrix &matrix : residence->matrices_) {
      if (!overlap(window, elementBytes(parameter.type), matrix.window, elementBytes(matrix.type)))
        continue;
      const std::string what =
          std::string(parameter.name) + " has elements of the matrix that became resident as " + matrix.name;
      if (residence != this)
        throw tla::UsageError(what + ", with another executor: its content is with the devices of that one; end the "
                                     "residence first");
      if (isSame(window, matrix.window) && parameter.type == matrix.type && parameter.shape == matrix.part)
        return &*matrix.storage;
      throw tla::UsageError(what + ", but is not all of it, or of another type or part: its content is with the "
                                   "devices; give the same window to an algorithm that takes the same part of it, or "
                                   "end the residence first");
    }
  return nullptr;
}

std::vector<const tla::Storage *> Residence::storagesOf(const hetc_matrix *windows, int count) const {
  const std::lock_guard lock(mutex);
  std::vector<const tla::Storage *> storages;
  for (int i = 0; i < count; ++i)
    for (const Matrix &matrix : matrices_)
      if (isSame(windows[i], matrix.window))
        storages.push_back(&*matrix.storage);
  return storages;
}

std::vector<const tla::Storage *> Residence::storages() const {
  const std::lock_guard lock(mutex);
  std::vector<const tla::Storage *> storages;
  for (const Matrix &matrix : matrices_)
    storages.push_back(&*matrix.storage);
  return storages;
}

int Residence::tile() const {
  const std::lock_guard lock(mutex);
  return matrices_.empty() ? 0 : matrices_.front().storage->nb();
}

void Residence::add(const hetc_matrix &window, const tla::runtime::MatrixParameter &parameter,
                    const tla::StorageRef &storage) {
  const std::lock_guard lock(mutex);
  matrices_.push_back({window, parameter.type, parameter.shape, parameter.name, storage});
}

void Residence::remove(const std::vector<const tla::Storage *> &storages) {
  const std::lock_guard lock(mutex);
  std::erase_if(matrices_, [&](const Matrix &matrix) {
    return std::find(storages.begin(), storages.end(), &*matrix.storage) != storages.end();
  });
}

} // namespace hetc
