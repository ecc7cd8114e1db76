// Small factorizations by the standard kernels, and by kernels of the program's own.
#include "tests/fuzz/make/program_maker.hpp"

namespace fuzz {

using enum Access;

/// Up to which tile an update goes that begins behind `from`: mostly the last, else a few, or half of them.
Expression ProgramMaker::trailingBound(char size, const Expression &from) {
  switch (random_.below(6)) {
  case 0:
    return binary(Operator::Minimum, tiles(size), binary(Operator::Add, from, number(random_.between(2, 4))));
  case 1:
    return highBound(size, 1);
  default:
    return tiles(size);
  }
}

void ProgramMaker::addFactorization(Block &block) {
  const Matrix *const L = program_.find("L"), *const X = program_.find("X");
  switch (random_.below(4)) {
  case 0:
    return L ? addCholesky(block, *L) : X ? addLu(block, *X) : void();
  case 1:
    return X ? addLu(block, *X) : L ? addCholesky(block, *L) : void();
  case 2:
    return addQr(block);
  default:
    return X ? addOwnFactorization(block, *X) : void();
  }
}

void ProgramMaker::addCholesky(Block &block, const Matrix &L) {
  const auto tile = [&](const Expression &i, const Expression &j, Access access) {
    return tileArgument(L, i, j, access);
  };
  block.push_back(loopBetween('n', number(0), highBound('n', 1), [&](Block &body, const Expression &k) {
    const Expression behind = binary(Operator::Add, k, number(1));
    body.push_back(makeTask("dominate", {tile(k, k, Update)}));
    body.push_back(makeTask("potrf", {option("Lower"), tile(k, k, Update)}));
    body.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &below, const Expression &i) {
      below.push_back(makeTask("trsm", {option("Right"), option("Lower"), option("ConjTrans"), option("NonUnit"),
                                        scaled("T", "0.5"), tile(k, k, Read), tile(i, k, Update)}));
    }));
    body.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &columns, const Expression &j) {
      columns.push_back(
          makeTask("herk", {option("Lower"), option("NoTrans"), valueArgument(unary(Operator::Negate, real("0.0625"))),
                            tile(j, k, Read), valueArgument(number(1)), tile(j, j, Update)}));
      columns.push_back(loopBetween(
          'n', binary(Operator::Add, j, number(1)), trailingBound('n', j), [&](Block &rows, const Expression &i) {
            rows.push_back(
                makeTask("gemm", {option("NoTrans"), option("ConjTrans"), scaled("T", "-0.0625"), tile(i, k, Read),
                                  tile(j, k, Read), scaled("T", "0.5"), tile(i, j, Update)}));
            addClauses(rows.back());
          }));
    }));
  }));
}

void ProgramMaker::addLu(Block &block, const Matrix &X) {
  const auto tile = [&](const Expression &i, const Expression &j, Access access) {
    return tileArgument(X, i, j, access);
  };
  block.push_back(loopBetween('n', number(0), highBound('n', 1), [&](Block &body, const Expression &k) {
    const Expression behind = binary(Operator::Add, k, number(1));
    body.push_back(makeTask("dominate", {tile(k, k, Update)}));
    body.push_back(makeTask("getrf_nopiv", {tile(k, k, Update)}));
    body.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &below, const Expression &i) {
      below.push_back(makeTask("trsm", {option("Right"), option("Upper"), option("NoTrans"), option("NonUnit"),
                                        scaled("T", "0.5"), tile(k, k, Read), tile(i, k, Update)}));
    }));
    body.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &columns, const Expression &j) {
      columns.push_back(makeTask("trsm", {option("Left"), option("Lower"), option("NoTrans"), option("Unit"),
                                          scaled("T", "0.5"), tile(k, k, Read), tile(k, j, Update)}));
      columns.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &rows, const Expression &i) {
        rows.push_back(makeTask("gemm", {option("NoTrans"), option("NoTrans"), scaled("T", "-0.0625"), tile(i, k, Read),
                                         tile(k, j, Read), scaled("T", "0.5"), tile(i, j, Update)}));
        addClauses(rows.back());
      }));
    }));
  }));
}

/// As algorithms/qr.tla has it.
void ProgramMaker::addQr(Block &block) {
  const Matrix *const H = program_.find("H");
  if (!H)
    return;
  const Matrix &A = *program_.find("A");
  const Expression ib = name("ib"), last = binary(Operator::Minimum, tiles('m'), tiles('n'));
  const auto tile = [&](const Expression &i, const Expression &j, Access access, const char *half = "") {
    return tileArgument(A, i, j, access, half);
  };
  block.push_back(loopBetween('m', number(0), last, [&](Block &body, const Expression &k) {
    indices_.push_back({k, 'n'});
    const Expression behind = binary(Operator::Add, k, number(1));
    body.push_back(makeTask("geqrt", {valueArgument(ib), tile(k, k, Update), tileArgument(*H, k, k, Overwrite)}));
    body.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &columns, const Expression &j) {
      columns.push_back(makeTask("unmqr", {option("ConjTrans"), valueArgument(ib), tile(k, k, Read, "lower"),
                                           tileArgument(*H, k, k, Read), tile(k, j, Update)}));
    }));
    body.push_back(loopBetween('m', behind, trailingBound('m', k), [&](Block &rows, const Expression &i) {
      rows.push_back(makeTask("tsqrt", {valueArgument(ib), tile(k, k, Update, "upper"), tile(i, k, Update),
                                        tileArgument(*H, i, k, Overwrite)}));
      rows.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &columns, const Expression &j) {
        columns.push_back(makeTask("tsmqr", {option("ConjTrans"), valueArgument(ib), tile(k, j, Update),
                                             tile(i, j, Update), tile(i, k, Read), tileArgument(*H, i, k, Read)}));
        if (random_.chance(60))
          columns.back().at = 3;
      }));
    }));
  }));
}

/// The loops of a factorization over kernels without split rules.
void ProgramMaker::addOwnFactorization(Block &block, const Matrix &X) {
  const auto tile = [&](const Expression &i, const Expression &j, Access access) {
    return tileArgument(X, i, j, access);
  };
  block.push_back(loopBetween('n', number(0), highBound('n', 1), [&](Block &body, const Expression &k) {
    const Expression behind = binary(Operator::Add, k, number(1));
    body.push_back(makeTask("stir", {valueArgument(alpha()), tile(k, k, Update)}));
    body.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &below, const Expression &i) {
      below.push_back(makeTask("pour", {valueArgument(alpha()), tile(k, k, Read), tile(i, k, Update)}));
    }));
    body.push_back(loopBetween('n', behind, trailingBound('n', k), [&](Block &columns, const Expression &j) {
      columns.push_back(loopBetween('n', k, trailingBound('n', k), [&](Block &rows, const Expression &i) {
        rows.push_back(
            makeTask("fold", {valueArgument(alpha()), tile(i, k, Read), tile(k, k, Read), tile(i, j, Update)}));
        addClauses(rows.back());
      }));
    }));
  }));
}

} // namespace fuzz
