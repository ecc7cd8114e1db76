#include "tests/fuzz/shapes.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace fuzz {

namespace {

using Arguments = std::vector<SeenArgument>;

long rows(const SeenArgument &tile, const SeenArgument &op) { return op.option == "NoTrans" ? tile.m : tile.n; }
long columns(const SeenArgument &tile, const SeenArgument &op) { return op.option == "NoTrans" ? tile.n : tile.m; }
bool isSquare(const SeenArgument &tile) { return tile.m == tile.n; }

/// op(A) op(B), added to C: transA, transB, alpha, A, B, beta, C.
bool gemm(const Arguments &a) {
  const SeenArgument &A = a[3], &B = a[4], &C = a[6];
  return rows(A, a[0]) == C.m && columns(B, a[1]) == C.n && columns(A, a[0]) == rows(B, a[1]);
}

/// side, uplo, alpha, A, B, beta, C.
bool symm(const Arguments &a) {
  const SeenArgument &A = a[3], &B = a[4], &C = a[6];
  return isSquare(A) && A.m == (a[0].option == "Left" ? C.m : C.n) && B.m == C.m && B.n == C.n;
}

/// uplo, op, alpha, A, beta, C.
bool rankUpdate(const Arguments &a) { return isSquare(a[5]) && rows(a[3], a[1]) == a[5].n; }

/// side, uplo, op, diag, alpha, A, B: the leading part of A counts.
bool triangular(const Arguments &a) {
  const long order = a[0].option == "Left" ? a[6].m : a[6].n;
  return a[5].m >= order && a[5].n >= order;
}

/// op, alpha, A, B: of A as much as B has.
bool omatcopy(const Arguments &a) { return rows(a[2], a[0]) >= a[3].m && columns(a[2], a[0]) >= a[3].n; }

/// The factor of `count` reflectors in blocks of ib.
bool holdsFactor(const SeenArgument &W, long ib, long count) {
  return ib >= 1 && W.m >= std::min(ib, count) && W.n >= count;
}

/// ib, A, W.
bool geqrt(const Arguments &a) { return holdsFactor(a[2], a[0].value, std::min(a[1].m, a[1].n)); }

/// op, ib, V, W, C.
bool unmqr(const Arguments &a) { return a[4].m == a[2].m && holdsFactor(a[3], a[1].value, std::min(a[2].m, a[2].n)); }

/// ib, R, A, W.
bool tsqrt(const Arguments &a) { return a[1].m >= a[2].n && a[1].n >= a[2].n && holdsFactor(a[3], a[0].value, a[2].n); }

/// op, ib, C1, C2, V, W.
bool tsmqr(const Arguments &a) {
  const SeenArgument &C1 = a[2], &C2 = a[3], &V = a[4];
  return C1.m >= V.n && C1.n == C2.n && C2.m == V.m && holdsFactor(a[5], a[1].value, V.n);
}

const std::map<std::string, std::function<bool(const Arguments &)>> rules = {
    {"gemm", gemm},
    {"symm", symm},
    {"hemm", symm},
    {"herk", rankUpdate},
    {"syrk", rankUpdate},
    {"trsm", triangular},
    {"trmm", triangular},
    {"omatcopy", omatcopy},
    {"potrf", [](const Arguments &a) { return isSquare(a[1]); }},
    {"lauum", [](const Arguments &a) { return isSquare(a[1]); }},
    {"trtri", [](const Arguments &a) { return isSquare(a[2]); }},
    {"lascl", [](const Arguments &a) { return isSquare(a[2]); }},
    {"geqrt", geqrt},
    {"unmqr", unmqr},
    {"tsqrt", tsqrt},
    {"tsmqr", tsmqr},
};

} // namespace

bool fits(const std::string &kernel, const Arguments &arguments) {
  const auto rule = rules.find(kernel);
  return rule == rules.end() || rule->second(arguments);
}

bool maySeeOneTileTwice(const std::string &kernel) {
  static const std::set<std::string> kernels = {"pour",  "fold",      "increase", "raise", "renew",
                                                "place", "swapParts", "cascade",  "gather"};
  return kernels.count(kernel) > 0;
}

} // namespace fuzz
