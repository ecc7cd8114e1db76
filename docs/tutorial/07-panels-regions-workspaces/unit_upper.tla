#include "columns.hpp"

/// Clears what is below the diagonal of A, then scales each column to norm 1.
#pragma tla algorithm shape(A(n, n)) input(A : minij)
template <typename T>
void unit_upper(tla::Matrix<T> A) {
  tla::Workspace<T> s(A.nt(), 1, A.nb(), 1);
  for (int j = 0; j < A.nt(); ++j) {
    #pragma tla task
    laset(T(0), T(0), A(j, j).lower());
    for (int i = j + 1; i < A.mt(); ++i) {
      #pragma tla task
      laset(T(0), T(0), A(i, j));
    }
    #pragma tla task
    columnNorms(A.panel(0, A.mt(), j), s(j, 0));
    for (int i = 0; i <= j; ++i) {
      #pragma tla task
      divideColumns(s(j, 0), A(i, j));
    }
  }
}
