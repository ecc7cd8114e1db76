// Tiles as arguments of a kernel: as they lie in memory, or conjugate-transposed for the length of the call.
#pragma once

#include <tla/tile.hpp>

#include <cstddef>
#include <new>

namespace tla {

namespace detail {
/// The conjugate transpose of a tile that the running kernel call has. When the call names a tile twice, as kernels may
/// allow (`alias(A, C)`), both arguments share one copy: the second argument must see what the first one's elements
/// become.
struct TransposedCopy {
  const void *tile; ///< the address of its first element
  int m, n, ld;     ///< rows, columns and leading dimension of the tile
  void *elements;
  bool filled, written; ///< filled: copied from the tile; written: changed by the kernel
  TransposedCopy *next;
};
/// The copies of the calling thread's kernel call. Of the thread, as the author's call makes its arguments one by one,
/// which look for each other here.
inline thread_local TransposedCopy *transposedCopies = nullptr;

template <typename T> constexpr T conj(const T &value) {
  if constexpr (isComplex<T>)
    return T(value.real(), -value.imag());
  else
    return value;
}
} // namespace detail

/// The argument that a kernel gets for A(i, j) or conjTrans(A(i, j)): a Tile<T>. For a transposed tile the kernel sees
/// a copy, n x m where the tile is m x n, which goes back when the call ends. It is only for arguments of a call:
/// neither it nor a view copied from it lives longer.
template <typename T> class ArgumentTile : public Tile<T> {
public:
  constexpr ArgumentTile(const Tile<T> &tile) : Tile<T>(tile), stored_(tile) {}
  /// The conjugate transpose, for a kernel that reads the tile's elements, writes them (all, if it reads none), or does
  /// both. Throws std::bad_alloc.
  ArgumentTile(const Tile<T> &tile, bool reads, bool writes)
      : Tile<T>(nullptr, tile.n(), tile.m(), tile.n() > 0 ? tile.n() : 1), stored_(tile) {
    detail::TransposedCopy *copy = known();
    if (!copy)
      copy = takeCopy();
    if (reads && !copy->filled) {
      transfer(*copy, [](T &element, T &transposed) { transposed = detail::conj(element); });
      copy->filled = true;
    }
    copy->written = copy->written || writes;
    this->data_ = static_cast<T *>(copy->elements);
  }
  ArgumentTile(const ArgumentTile &other) : Tile<T>(other), stored_(other.stored_) {}
  ArgumentTile &operator=(const ArgumentTile &other) {
    if (this == &other)
      return *this;
    giveBack();
    Tile<T>::operator=(other);
    stored_ = other.stored_;
    return *this;
  }
  ~ArgumentTile() { giveBack(); }

  /// The tile as it lies in memory.
  const Tile<T> &stored() const { return stored_; }

private:
  /// The copy of the same tile for another argument, or null.
  detail::TransposedCopy *known() const {
    detail::TransposedCopy *copy = detail::transposedCopies;
    const auto isOther = [&](const detail::TransposedCopy &each) {
      return each.tile != stored_.data() || each.m != stored_.m() || each.n != stored_.n() || each.ld != stored_.ld();
    };
    while (copy && isOther(*copy))
      copy = copy->next;
    return copy;
  }
  detail::TransposedCopy *takeCopy() {
    void *const elements = ::operator new(sizeof(T) * (static_cast<std::size_t>(this->m_) * this->n_ + 1));
    own_ = {stored_.data(), stored_.m(), stored_.n(), stored_.ld(), elements, false, false, detail::transposedCopies};
    return detail::transposedCopies = &own_;
  }
  /// Copies the transpose back to the tile, if the kernel writes it, and forgets the copy.
  void giveBack() {
    if (!own_.elements)
      return;
    if (own_.written)
      transfer(own_, [](T &element, T &transposed) { element = detail::conj(transposed); });
    detail::TransposedCopy **link = &detail::transposedCopies;
    while (*link != &own_)
      link = &(*link)->next;
    *link = own_.next;
    ::operator delete(own_.elements);
    own_ = {};
  }
  /// Calls move(element of the tile, the same of its transpose) for all, in blocks that caches hold.
  template <typename Move> void transfer(const detail::TransposedCopy &copy, Move move) {
    constexpr int block = 16;
    T *const elements = static_cast<T *>(copy.elements);
    for (int j0 = 0; j0 < stored_.n(); j0 += block)
      for (int i0 = 0; i0 < stored_.m(); i0 += block)
        for (int j = j0; j < min(j0 + block, stored_.n()); ++j)
          for (int i = i0; i < min(i0 + block, stored_.m()); ++i)
            move(stored_(i, j), elements[j + static_cast<long>(i) * this->ld_]);
  }

  Tile<T> stored_;
  detail::TransposedCopy own_{}; ///< holds no elements where nothing is transposed or another argument has the copy
};

/// The conjugate transpose of a tile as the argument of a kernel: conjTrans(A(i, j)), of which upper(), lower(), rows()
/// and cols() are parts. Real numbers are their own conjugates.
template <typename T> ArgumentTile<T> conjTrans(const Tile<T> &tile) { return {tile, true, true}; }

} // namespace tla
