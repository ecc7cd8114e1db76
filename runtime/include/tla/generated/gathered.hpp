// Tiles of kernels that know nothing of slices: for the length of a kernel call the slices of a tile are one tile
// again. Where they lie side by side, as at home, it is a window on them; else a copy, which goes back to the slices in
// the end if the task writes it. Only generated code includes this header; for the host's memory.
#pragma once

#include <tla/runtime/task.hpp>
#include <tla/split.hpp>

namespace tla::runtime {

/// A copy that the running task has of gathered slices. When the task names a tile twice, as kernels may allow
/// (`alias(A, C)`), both arguments share one copy: the second argument must see what the first one's elements become.
struct GatheredCopy {
  const void *slices; ///< the address of the first one
  void *elements;
  bool filled, written; ///< filled: copied from the slices; written: changed by the kernel
  GatheredCopy *next;
};
/// The copies of the calling thread's task, for the length of its kernel call. Of the thread, as the call's arguments
/// are made one by one and look for each other here.
inline thread_local GatheredCopy *gatheredCopies = nullptr;

/// The tile whose slices are the accesses first .. first + slices - 1 of a running task.
template <typename T> class GatheredTile : public Tile<T> {
public:
  GatheredTile(const TaskView &task, int first, int slices, Access access)
      : Tile<T>(window(task, first, slices)), task_(task), first_(first), slices_(slices) {
    if (isWindow())
      return;
    GatheredCopy *copy = known();
    if (!copy)
      copy = takeCopy();
    if (access != Access::Write && !copy->filled) {
      transfer(*copy, [](T *slice, T *tile) { *tile = *slice; });
      copy->filled = true;
    }
    copy->written = copy->written || access != Access::Read;
    this->data_ = static_cast<T *>(copy->elements);
    this->ld_ = this->m_ > 0 ? this->m_ : 1;
  }
  GatheredTile(const GatheredTile &) = delete;
  GatheredTile &operator=(const GatheredTile &) = delete;
  ~GatheredTile() {
    if (!own_.elements)
      return;
    if (own_.written)
      transfer(own_, [](T *slice, T *tile) { *slice = *tile; });
    GatheredCopy **link = &gatheredCopies;
    while (*link != &own_)
      link = &(*link)->next;
    *link = own_.next;
    ::operator delete(own_.elements);
  }

private:
  /// The columns of all slices, from the first on.
  static Tile<T> window(const TaskView &task, int first, int slices) {
    const Tile<T> begin = task.tile<T>(first);
    int columns = 0;
    for (int d = 0; d < slices; ++d)
      columns += task.tile<T>(first + d).n();
    return {begin.data(), begin.m(), columns, begin.ld()};
  }
  bool isWindow() const {
    const T *next = this->data_;
    for (int d = 0; d < slices_; ++d) {
      const Tile<T> slice = task_.tile<T>(first_ + d);
      if (slice.data() != next || slice.ld() != this->ld_)
        return false;
      next += static_cast<long>(slice.n()) * slice.ld();
    }
    return true;
  }
  /// The copy of the same slices for an earlier argument, or null.
  GatheredCopy *known() const {
    GatheredCopy *copy = gatheredCopies;
    while (copy && copy->slices != this->data_)
      copy = copy->next;
    return copy;
  }
  GatheredCopy *takeCopy() {
    void *const elements = ::operator new(sizeof(T) * (static_cast<std::size_t>(this->m_) * this->n_ + 1));
    own_ = {this->data_, elements, false, false, gatheredCopies};
    return gatheredCopies = &own_;
  }
  /// Calls move(element of a slice, the same of the copy) for all.
  template <typename Move> void transfer(const GatheredCopy &copy, Move move) {
    T *tile = static_cast<T *>(copy.elements);
    for (int d = 0; d < slices_; ++d) {
      const Tile<T> slice = task_.tile<T>(first_ + d);
      for (int j = 0; j < slice.n(); ++j)
        for (int i = 0; i < slice.m(); ++i)
          move(&slice(i, j), tile++);
    }
  }

  const TaskView &task_;
  const int first_, slices_;
  GatheredCopy own_{}; ///< holds no elements where the tile is a window, or another argument has the copy
};

/// The panel of `count` such tiles, one behind the other.
template <typename T> class GatheredPanel : public Panel<T> {
public:
  GatheredPanel(const TaskView &task, int first, int count, int slices, Access access)
      : Panel<T>(nullptr, count),
        tiles_(static_cast<GatheredTile<T> *>(::operator new(sizeof(GatheredTile<T>) * (count + 1)))),
        list_(static_cast<Tile<T> *>(::operator new(sizeof(Tile<T>) * (count + 1)))) {
    for (int r = 0; r < count; ++r)
      new (list_ + r) Tile<T>(*new (tiles_ + r) GatheredTile<T>(task, first + r * slices, slices, access));
    Panel<T>::tiles_ = list_;
  }
  GatheredPanel(const GatheredPanel &) = delete;
  GatheredPanel &operator=(const GatheredPanel &) = delete;
  ~GatheredPanel() {
    for (int r = 0; r < this->mt_; ++r)
      tiles_[r].~GatheredTile();
    ::operator delete(tiles_);
    ::operator delete(list_);
  }

private:
  GatheredTile<T> *tiles_;
  Tile<T> *list_;
};

} // namespace tla::runtime
