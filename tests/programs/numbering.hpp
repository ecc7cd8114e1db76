// Kernels on tiles of int.
#pragma once

#include <tla/tla.hpp>
#include <utility>

#pragma tla kernel bound(memory)
inline void number(int first, tla::OutTile<int> place) {
  for (int i = 0; i < place.m(); ++i)
    place(i, 0) = first + i;
}

#pragma tla kernel bound(memory)
inline void interchange(int row, tla::ConstTile<int> ipiv, tla::Panel<int> place) {
  const auto at = [&](int i) -> int & {
    int r = 0;
    for (; i >= place(r).m(); ++r)
      i -= place(r).m();
    return place(r)(i, 0);
  };
  for (int i = 0; i < ipiv.m(); ++i)
    std::swap(at(i), at(ipiv(i, 0) - 1 - row));
}
