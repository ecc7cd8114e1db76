#include "columns.hpp"

#pragma tla algorithm shape(A(n, n)) input(A : minij)
template <typename T>
void early(tla::Matrix<T> A) {
  tla::Workspace<T> s(A.nt(), 1, A.nb(), 1);
  for (int j = 0; j < A.nt(); ++j)
    for (int i = 0; i < A.mt(); ++i) {
      #pragma tla task
      divideColumns(s(j, 0), A(i, j));
    }
}
