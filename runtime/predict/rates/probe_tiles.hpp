// Tiles of probes, on the host and where an accelerator has them.
#pragma once

#include "runtime/device/accelerator.hpp"
#include "runtime/host/base/element_type.hpp"

#include <tla/storage.hpp>

#include <memory>
#include <new>
#include <utility>

namespace tla::host {

/// A tile of a storage that consists of one. content(i, j, columns): its element (i, j), real or complex.
class HostTile {
public:
  template <typename Content>
  HostTile(ElementType type, const Storage &shape, Content &&content)
      : bytes_(shape.bytes()), data_(::operator new(bytes_, alignment)) {
    withNumberType(type, [&](auto zero) {
      using T = decltype(zero);
      for (int j = 0; j < shape.n(); ++j)
        for (int i = 0; i < shape.m(); ++i)
          static_cast<T *>(data_.get())[i + static_cast<std::size_t>(j) * shape.m()] =
              fromComplex<T>(content(i, j, shape.n()));
    });
  }
  void *data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }

private:
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(void *memory) const { ::operator delete(memory, alignment); }
  };
  std::size_t bytes_;
  std::unique_ptr<void, Free> data_;
};

/// Memory of an accelerator for as long as it lives; null: there is none left.
class AcceleratorTile {
public:
  AcceleratorTile(runtime::Accelerator &accelerator, std::size_t bytes)
      : accelerator_(&accelerator), bytes_(bytes), data_(accelerator.allocate(bytes)) {}
  AcceleratorTile(AcceleratorTile &&other) noexcept
      : accelerator_(other.accelerator_), bytes_(other.bytes_), data_(std::exchange(other.data_, nullptr)) {}
  AcceleratorTile &operator=(AcceleratorTile &&) = delete;
  ~AcceleratorTile() {
    if (data_)
      accelerator_->release(data_, bytes_);
  }
  void *data() const { return data_; }

private:
  runtime::Accelerator *accelerator_;
  std::size_t bytes_;
  void *data_;
};

/// The one tile of a storage, from here to there.
inline runtime::TileCopy wholeTile(void *from, void *to, const Storage &storage) {
  return {from, storage.m(), to, storage.m(), storage.m(), storage.n(), storage.elementBytes(), Region::Full};
}

/// The ends of several operations.
struct Ends {
  double seconds = 0;     ///< time that they took the accelerator in all
  std::string error = {}; ///< error of one that failed; empty: none did
};

/// Waits for so many.
inline Ends finishAll(runtime::Accelerator &accelerator, int count) {
  Ends ends;
  while (count > 0) {
    constexpr int room = 16;
    runtime::Finished list[room];
    const int got = accelerator.finished(list, room);
    for (int i = 0; i < got; ++i) {
      ends.seconds += list[i].seconds;
      if (!list[i].error.empty())
        ends.error = list[i].error;
    }
    count -= got;
    if (!got)
      accelerator.wait(100'000'000);
  }
  return ends;
}

} // namespace tla::host
