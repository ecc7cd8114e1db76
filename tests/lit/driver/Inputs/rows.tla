#include <tla/tla.hpp>
#pragma tla algorithm shape(x(m, 1)) requires(m >= 1)
template <typename T> void rows(tla::Matrix<T> x) {
  #pragma tla task
  scal(T(2), x(0, 0));
}
