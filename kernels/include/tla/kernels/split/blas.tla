// Split rules of blas.hpp. The columns of a result are split by slices; so are the products that lead to them, where what is
// summed over are the columns of an operand: the first slice scales by beta, the others
// add. A slice that is overwritten by parts is zero before.
#pragma once

#include <tla/kernels/kernels.hpp>
#include <tla/names.hpp>
#include <tla/split.hpp>

namespace tla::split {

/// C(:, d) = alpha op(A) op(B)(:, d) + beta C(:, d). An operand that is not transposed is read by slices of the sum, or of C;
/// one that is, by rows of its slices.
#pragma tla split
template <typename T>
void gemm(Op opA, Op opB, T alpha, CutTile<T> A, CutTile<T> B, T beta, CutTile<T> C) {
  for (int d = 0; d < C.slices(); ++d) {
    if (opA == NoTrans && opB == NoTrans) {
      for (int l = 0; l < A.slices(); ++l) {
        #pragma tla task
        gemm(opA, opB, alpha, A.slice(l), B.slice(d).rows(A.sliceBegin(l), A.sliceCols(l)), l == 0 ? beta : T(1), C.slice(d));
      }
    } else if (opA == NoTrans) {
      for (int l = 0; l < A.slices(); ++l) {
        #pragma tla task
        gemm(opA, opB, alpha, A.slice(l), B.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : T(1), C.slice(d));
      }
    } else if (opB == NoTrans) {
      if (C.isOverwritten()) {
        #pragma tla task
        laset(T(0), T(0), C.slice(d));
      }
      for (int i = 0; i < A.slices(); ++i) {
        #pragma tla task
        gemm(opA, opB, alpha, A.slice(i), B.slice(d), beta, C.slice(d).rows(A.sliceBegin(i), A.sliceCols(i)));
      }
    } else {
      if (C.isOverwritten()) {
        #pragma tla task
        laset(T(0), T(0), C.slice(d));
      }
      for (int i = 0; i < A.slices(); ++i) {
        for (int l = 0; l < B.slices(); ++l) {
          #pragma tla task
          gemm(opA, opB, alpha, A.slice(i).rows(B.sliceBegin(l), B.sliceCols(l)),
               B.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : T(1),
               C.slice(d).rows(A.sliceBegin(i), A.sliceCols(i)));
        }
      }
    }
  }
}

/// The diagonal square of slice d, and the rectangle below or above it.
#pragma tla split
template <typename T>
void gemmt(Uplo uplo, Op opA, Op opB, T alpha, CutTile<T> A, CutTile<T> B, T beta, CutTile<T> C) {
  if (opA == NoTrans && opB != NoTrans) {
    for (int d = 0; d < C.slices(); ++d) {
      for (int l = 0; l < A.slices(); ++l) {
        #pragma tla task
        gemmt(uplo, opA, opB, alpha, A.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)),
              B.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : T(1),
              C.slice(d).rows(C.sliceBegin(d), C.sliceCols(d)));
        if (uplo == Lower) {
          #pragma tla task
          gemm(opA, opB, alpha, A.slice(l).below(C.sliceBegin(d) + C.sliceCols(d)),
               B.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : T(1),
               C.slice(d).below(C.sliceBegin(d) + C.sliceCols(d)));
        } else {
          #pragma tla task
          gemm(opA, opB, alpha, A.slice(l).rows(0, C.sliceBegin(d)), B.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)),
               l == 0 ? beta : T(1), C.slice(d).rows(0, C.sliceBegin(d)));
        }
      }
    }
  } else {
    #pragma tla task
    tla::gemmt(uplo, opA, opB, alpha, A, B, beta, C);
  }
}

/// The part of A beside its diagonal squares is stored once, and is used twice: as it is and transposed. Left: rows of
/// slices of B and C. Right: C(:, e) = alpha sum over l of B(:, l) A(l, e) + beta C(:, e).
#pragma tla split
template <typename T>
void symm(Side side, Uplo uplo, T alpha, CutTile<T> A, CutTile<T> B, T beta, CutTile<T> C) {
  for (int e = 0; e < C.slices(); ++e) {
    if (side == Left) {
      if (C.isOverwritten()) {
        #pragma tla task
        laset(T(0), T(0), C.slice(e));
      }
      for (int d = 0; d < A.slices(); ++d) {
        #pragma tla task
        symm(side, uplo, alpha, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)),
             B.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)), beta, C.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)));
      }
      for (int d = 0; d < A.slices(); ++d) {
        for (int i = 0; i < A.slices(); ++i) {
          if (i != d && (uplo == Lower) == (i > d)) {
            #pragma tla task
            gemm(NoTrans, NoTrans, alpha, A.slice(d).rows(A.sliceBegin(i), A.sliceCols(i)),
                 B.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)), T(1), C.slice(e).rows(A.sliceBegin(i), A.sliceCols(i)));
            #pragma tla task
            gemm(Trans, NoTrans, alpha, A.slice(d).rows(A.sliceBegin(i), A.sliceCols(i)),
                 B.slice(e).rows(A.sliceBegin(i), A.sliceCols(i)), T(1), C.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)));
          }
        }
      }
    } else {
      #pragma tla task
      symm(side, uplo, alpha, A.slice(e).rows(A.sliceBegin(e), A.sliceCols(e)), B.slice(e), beta, C.slice(e));
      for (int l = 0; l < C.slices(); ++l) {
        if (l != e && (uplo == Lower) == (l > e)) {
          #pragma tla task
          gemm(NoTrans, NoTrans, alpha, B.slice(l), A.slice(e).rows(A.sliceBegin(l), A.sliceCols(l)), T(1), C.slice(e));
        } else if (l != e) {
          #pragma tla task
          gemm(NoTrans, Trans, alpha, B.slice(l), A.slice(l).rows(A.sliceBegin(e), A.sliceCols(e)), T(1), C.slice(e));
        }
      }
    }
  }
}

/// Splits as symm does, with the other triangle by the conjugate transpose.
#pragma tla split
template <typename T>
void hemm(Side side, Uplo uplo, T alpha, CutTile<T> A, CutTile<T> B, T beta, CutTile<T> C) {
  for (int e = 0; e < C.slices(); ++e) {
    if (side == Left) {
      if (C.isOverwritten()) {
        #pragma tla task
        laset(T(0), T(0), C.slice(e));
      }
      for (int d = 0; d < A.slices(); ++d) {
        #pragma tla task
        hemm(side, uplo, alpha, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)),
             B.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)), beta, C.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)));
      }
      for (int d = 0; d < A.slices(); ++d) {
        for (int i = 0; i < A.slices(); ++i) {
          if (i != d && (uplo == Lower) == (i > d)) {
            #pragma tla task
            gemm(NoTrans, NoTrans, alpha, A.slice(d).rows(A.sliceBegin(i), A.sliceCols(i)),
                 B.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)), T(1), C.slice(e).rows(A.sliceBegin(i), A.sliceCols(i)));
            #pragma tla task
            gemm(ConjTrans, NoTrans, alpha, A.slice(d).rows(A.sliceBegin(i), A.sliceCols(i)),
                 B.slice(e).rows(A.sliceBegin(i), A.sliceCols(i)), T(1), C.slice(e).rows(A.sliceBegin(d), A.sliceCols(d)));
          }
        }
      }
    } else {
      #pragma tla task
      hemm(side, uplo, alpha, A.slice(e).rows(A.sliceBegin(e), A.sliceCols(e)), B.slice(e), beta, C.slice(e));
      for (int l = 0; l < C.slices(); ++l) {
        if (l != e && (uplo == Lower) == (l > e)) {
          #pragma tla task
          gemm(NoTrans, NoTrans, alpha, B.slice(l), A.slice(e).rows(A.sliceBegin(l), A.sliceCols(l)), T(1), C.slice(e));
        } else if (l != e) {
          #pragma tla task
          gemm(NoTrans, ConjTrans, alpha, B.slice(l), A.slice(l).rows(A.sliceBegin(e), A.sliceCols(e)), T(1), C.slice(e));
        }
      }
    }
  }
}

/// The diagonal square of slice d, and the rectangle below or above it.
#pragma tla split
template <typename T> void syrk(Uplo uplo, Op op, T alpha, CutTile<T> A, T beta, CutTile<T> C) {
  for (int d = 0; d < C.slices(); ++d) {
    if (op == NoTrans) {
      for (int l = 0; l < A.slices(); ++l) {
        #pragma tla task
        syrk(uplo, op, alpha, A.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : T(1),
             C.slice(d).rows(C.sliceBegin(d), C.sliceCols(d)));
        if (uplo == Lower) {
          #pragma tla task
          gemm(NoTrans, Trans, alpha, A.slice(l).below(C.sliceBegin(d) + C.sliceCols(d)),
               A.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : T(1),
               C.slice(d).below(C.sliceBegin(d) + C.sliceCols(d)));
        } else {
          #pragma tla task
          gemm(NoTrans, Trans, alpha, A.slice(l).rows(0, C.sliceBegin(d)),
               A.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : T(1),
               C.slice(d).rows(0, C.sliceBegin(d)));
        }
      }
    } else {
      #pragma tla task
      syrk(uplo, op, alpha, A.slice(d), beta, C.slice(d).rows(C.sliceBegin(d), C.sliceCols(d)));
      for (int i = 0; i < C.slices(); ++i) {
        if (i != d && (uplo == Lower) == (i > d)) {
          #pragma tla task
          gemm(op, NoTrans, alpha, A.slice(i), A.slice(d), beta, C.slice(d).rows(C.sliceBegin(i), C.sliceCols(i)));
        }
      }
    }
  }
}

/// Splits as syrk does, with the conjugate transpose.
#pragma tla split
template <typename T>
void herk(Uplo uplo, Op op, RealType<T> alpha, CutTile<T> A, RealType<T> beta, CutTile<T> C) {
  for (int d = 0; d < C.slices(); ++d) {
    if (op == NoTrans) {
      for (int l = 0; l < A.slices(); ++l) {
        #pragma tla task
        herk(uplo, op, alpha, A.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? beta : RealType<T>(1),
             C.slice(d).rows(C.sliceBegin(d), C.sliceCols(d)));
        if (uplo == Lower) {
          #pragma tla task
          gemm(NoTrans, ConjTrans, T(alpha), A.slice(l).below(C.sliceBegin(d) + C.sliceCols(d)),
               A.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? T(beta) : T(1),
               C.slice(d).below(C.sliceBegin(d) + C.sliceCols(d)));
        } else {
          #pragma tla task
          gemm(NoTrans, ConjTrans, T(alpha), A.slice(l).rows(0, C.sliceBegin(d)),
               A.slice(l).rows(C.sliceBegin(d), C.sliceCols(d)), l == 0 ? T(beta) : T(1),
               C.slice(d).rows(0, C.sliceBegin(d)));
        }
      }
    } else {
      #pragma tla task
      herk(uplo, op, alpha, A.slice(d), beta, C.slice(d).rows(C.sliceBegin(d), C.sliceCols(d)));
      for (int i = 0; i < C.slices(); ++i) {
        if (i != d && (uplo == Lower) == (i > d)) {
          #pragma tla task
          gemm(op, NoTrans, T(alpha), A.slice(i), A.slice(d), T(beta), C.slice(d).rows(C.sliceBegin(i), C.sliceCols(i)));
        }
      }
    }
  }
}

/// Right: slices of B in the order in which op(A) lets them be known, each after what the earlier ones contribute to it. Left:
/// each slice of B by rows in such an order, right-looking where A is not transposed, as its slices are columns. Of a larger
/// A its leading square counts: `order` columns of slice d, on the diagonal in its rows from `begin` to `end`.
#pragma tla split
template <typename T>
void trsm(Side side, Uplo uplo, Op op, Diag diag, T alpha, CutTile<T> A, CutTile<T> B) {
  if (side == Right && op == NoTrans) {
    for (int s = 0; s < B.slices(); ++s) {
      const int d = uplo == Upper ? s : B.slices() - 1 - s;
      for (int t = 0; t < s; ++t) {
        const int l = uplo == Upper ? t : B.slices() - 1 - t;
        #pragma tla task
        gemm(NoTrans, NoTrans, T(-1), B.slice(l), A.slice(d).cols(0, B.sliceCols(d)).rows(B.sliceBegin(l), B.sliceCols(l)),
             t == 0 ? alpha : T(1), B.slice(d));
      }
      #pragma tla task
      trsm(side, uplo, op, diag, s == 0 ? alpha : T(1), A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)), B.slice(d));
    }
  } else if (side == Right) {
    for (int s = 0; s < B.slices(); ++s) {
      const int d = uplo == Lower ? s : B.slices() - 1 - s;
      for (int t = 0; t < s; ++t) {
        const int l = uplo == Lower ? t : B.slices() - 1 - t;
        #pragma tla task
        gemm(NoTrans, op, T(-1), B.slice(l), A.slice(l).cols(0, B.sliceCols(l)).rows(B.sliceBegin(d), B.sliceCols(d)),
             t == 0 ? alpha : T(1), B.slice(d));
      }
      #pragma tla task
      trsm(side, uplo, op, diag, s == 0 ? alpha : T(1), A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)), B.slice(d));
    }
  } else {
    for (int e = 0; e < B.slices(); ++e)
      for (int s = 0; s < A.slices(); ++s) {
        const int d = (uplo == Lower) == (op == NoTrans) ? s : A.slices() - 1 - s;
        const int begin = min(A.sliceBegin(d), B.m());
        const int order = min(A.sliceCols(d), B.m() - begin);
        const int end = begin + order;
        if (op != NoTrans && uplo == Upper && s > 0) {
          #pragma tla task
          gemm(op, NoTrans, T(-1), A.slice(d).cols(0, order).rows(0, begin), B.slice(e).rows(0, begin), alpha,
               B.slice(e).rows(begin, order));
        } else if (op != NoTrans && s > 0) {
          #pragma tla task
          gemm(op, NoTrans, T(-1), A.slice(d).cols(0, order).rows(end, B.m() - end), B.slice(e).rows(end, B.m() - end), alpha,
               B.slice(e).rows(begin, order));
        }
        #pragma tla task
        trsm(side, uplo, op, diag, s == 0 ? alpha : T(1), A.slice(d).rows(begin, order), B.slice(e).rows(begin, order));
        if (op == NoTrans && uplo == Upper && s + 1 < A.slices()) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(-1), A.slice(d).cols(0, order).rows(0, begin), B.slice(e).rows(begin, order),
               s == 0 ? alpha : T(1), B.slice(e).rows(0, begin));
        } else if (op == NoTrans && s + 1 < A.slices()) {
          #pragma tla task
          gemm(NoTrans, NoTrans, T(-1), A.slice(d).cols(0, order).rows(end, B.m() - end), B.slice(e).rows(begin, order),
               s == 0 ? alpha : T(1), B.slice(e).rows(end, B.m() - end));
        }
      }
  }
}

/// Right: B(:, d) = alpha sum over l of B(:, l) op(A)(l, d), each slice after those that it contributes to. Left: the same by
/// rows of each slice. Of a larger A its leading square counts, as in trsm.
#pragma tla split
template <typename T>
void trmm(Side side, Uplo uplo, Op op, Diag diag, T alpha, CutTile<T> A, CutTile<T> B) {
  if (side == Right && op == NoTrans) {
    for (int s = 0; s < B.slices(); ++s) {
      const int d = uplo == Lower ? s : B.slices() - 1 - s;
      #pragma tla task
      trmm(side, uplo, op, diag, alpha, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)), B.slice(d));
      for (int t = s + 1; t < B.slices(); ++t) {
        const int l = uplo == Lower ? t : B.slices() - 1 - t;
        #pragma tla task
        gemm(NoTrans, NoTrans, alpha, B.slice(l), A.slice(d).cols(0, B.sliceCols(d)).rows(B.sliceBegin(l), B.sliceCols(l)),
             T(1), B.slice(d));
      }
    }
  } else if (side == Right) {
    for (int s = 0; s < B.slices(); ++s) {
      const int d = uplo == Upper ? s : B.slices() - 1 - s;
      #pragma tla task
      trmm(side, uplo, op, diag, alpha, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)), B.slice(d));
      for (int t = s + 1; t < B.slices(); ++t) {
        const int l = uplo == Upper ? t : B.slices() - 1 - t;
        #pragma tla task
        gemm(NoTrans, op, alpha, B.slice(l), A.slice(l).cols(0, B.sliceCols(l)).rows(B.sliceBegin(d), B.sliceCols(d)), T(1),
             B.slice(d));
      }
    }
  } else {
    for (int e = 0; e < B.slices(); ++e)
      for (int s = 0; s < A.slices(); ++s) {
        const int d = (uplo == Upper) == (op == NoTrans) ? s : A.slices() - 1 - s;
        const int begin = min(A.sliceBegin(d), B.m());
        const int order = min(A.sliceCols(d), B.m() - begin);
        const int end = begin + order;
        if (op == NoTrans && uplo == Upper) {
          #pragma tla task
          gemm(NoTrans, NoTrans, alpha, A.slice(d).cols(0, order).rows(0, begin), B.slice(e).rows(begin, order), T(1),
               B.slice(e).rows(0, begin));
        } else if (op == NoTrans) {
          #pragma tla task
          gemm(NoTrans, NoTrans, alpha, A.slice(d).cols(0, order).rows(end, B.m() - end), B.slice(e).rows(begin, order),
               T(1), B.slice(e).rows(end, B.m() - end));
        }
        #pragma tla task
        trmm(side, uplo, op, diag, alpha, A.slice(d).rows(begin, order), B.slice(e).rows(begin, order));
        if (op != NoTrans && uplo == Upper) {
          #pragma tla task
          gemm(op, NoTrans, alpha, A.slice(d).cols(0, order).rows(0, begin), B.slice(e).rows(0, begin), T(1),
               B.slice(e).rows(begin, order));
        } else if (op != NoTrans) {
          #pragma tla task
          gemm(op, NoTrans, alpha, A.slice(d).cols(0, order).rows(end, B.m() - end), B.slice(e).rows(end, B.m() - end), T(1),
               B.slice(e).rows(begin, order));
        }
      }
  }
}

#pragma tla split
template <typename T> void scal(T alpha, CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    scal(alpha, A.slice(d));
  }
}

#pragma tla split
template <typename T> void lascl(Uplo uplo, T alpha, CutTile<T> A) {
  for (int d = 0; d < A.slices(); ++d) {
    #pragma tla task
    lascl(uplo, alpha, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)));
    if (uplo == Lower) {
      #pragma tla task
      scal(alpha, A.slice(d).below(A.sliceBegin(d) + A.sliceCols(d)));
    } else {
      #pragma tla task
      scal(alpha, A.slice(d).rows(0, A.sliceBegin(d)));
    }
  }
}

/// A slice of B is a slice of A, or rows of all of A.
#pragma tla split
template <typename T> void omatcopy(Op op, T alpha, CutTile<T> A, CutTile<T> B) {
  for (int d = 0; d < B.slices(); ++d) {
    if (op == NoTrans) {
      #pragma tla task
      omatcopy(op, alpha, A.slice(d), B.slice(d));
    } else {
      #pragma tla task
      omatcopy(op, alpha, A.rows(B.sliceBegin(d), B.sliceCols(d)), B.slice(d));
    }
  }
}

#pragma tla split
template <typename T> void geadd(T alpha, CutTile<T> A, T beta, CutTile<T> B) {
  for (int d = 0; d < B.slices(); ++d) {
    #pragma tla task
    geadd(alpha, A.slice(d), beta, B.slice(d));
  }
}

/// The elements of the diagonal come last: the whole slice is written before.
#pragma tla split
template <typename T> void laset(T offDiagonal, T diagonal, CutTile<T> A) {
  if (A.isWhole()) {
    for (int d = 0; d < A.slices(); ++d) {
      #pragma tla task
      laset(offDiagonal, offDiagonal, A.slice(d));
      #pragma tla task
      laset(offDiagonal, diagonal, A.slice(d).rows(A.sliceBegin(d), A.sliceCols(d)));
    }
  } else {
    #pragma tla task
    tla::laset(offDiagonal, diagonal, A);
  }
}

} // namespace tla::split
