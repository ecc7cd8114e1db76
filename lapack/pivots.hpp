// IPIV, which the algorithms have in 32 bits whatever the caller's INTEGER is.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

namespace tla::lapack {

/// Memory for pivots that an algorithm writes; the caller's IPIV has them when this ends. Throws std::bad_alloc at
/// first, when nothing has been computed yet.
template <typename Int> class PivotsOut {
public:
  PivotsOut(Int *ipiv, long count) : ipiv_(ipiv), copy_(isCopy ? count : 0) {}
  PivotsOut(const PivotsOut &) = delete;
  PivotsOut &operator=(const PivotsOut &) = delete;
  ~PivotsOut() {
    if constexpr (isCopy)
      std::copy(copy_.begin(), copy_.end(), ipiv_);
  }
  int *data() {
    if constexpr (isCopy)
      return copy_.data();
    else
      return ipiv_;
  }

private:
  static constexpr bool isCopy = !std::is_same_v<Int, int>;
  Int *ipiv_;
  std::vector<int> copy_;
};

/// The caller's pivots, to be read.
template <typename Int> class PivotsIn {
public:
  PivotsIn(const Int *ipiv, long count) : ipiv_(ipiv) {
    if constexpr (isCopy)
      copy_.assign(ipiv, ipiv + count);
  }
  const int *data() const {
    if constexpr (isCopy)
      return copy_.data();
    else
      return ipiv_;
  }

private:
  static constexpr bool isCopy = !std::is_same_v<Int, int>;
  const Int *ipiv_;
  std::vector<int> copy_;
};

} // namespace tla::lapack
