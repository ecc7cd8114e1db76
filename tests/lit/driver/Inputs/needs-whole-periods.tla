// On several rows of nodes A must have whole periods of tile rows; on one row that is so.
#include <tla/tla.hpp>

#pragma tla algorithm
template <typename T> void clearLastRows(tla::Matrix<T> A) {
  for (int i = 0; i < A.mt(); i += A.p())
    for (int j = 0; j < A.nt(); ++j)
#pragma tla task
      tla::laset(T(0), T(0), A(i + A.p() - 1, j));
}
