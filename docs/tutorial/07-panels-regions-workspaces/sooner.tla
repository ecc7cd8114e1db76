#include "columns.hpp"

#pragma tla algorithm shape(A(n, n)) input(A : minij)
template <typename T>
void sooner(tla::Matrix<T> A) {
  tla::Workspace<T> s(A.nt(), 1, A.nb(), 1);
  for (int j = 0; j < A.nt(); ++j) {
    #pragma tla task
    columnNorms(A.panel(0, A.mt(), j), s(j, 0));
    for (int i = 0; i < A.mt() - 1; ++i) {
      #pragma tla task
      divideColumns(s(j, 0), A(i, j));
    }
    #pragma tla task release(s(j, 0))
    divideColumns(s(j, 0), A(A.mt() - 1, j));
  }
}
