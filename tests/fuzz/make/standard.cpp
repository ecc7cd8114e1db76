// Tasks of the standard kernels, which have split rules, on tiles whose sizes fit.
#include "tests/fuzz/make/program_maker.hpp"

namespace fuzz {

using enum Access;

std::vector<const Matrix *> ProgramMaker::shaped(char rows, char cols, bool general, const std::string &element) const {
  std::vector<const Matrix *> found;
  for (const Matrix &matrix : program_.matrices) {
    const bool isGeneral = matrix.kind == MatrixKind::General || matrix.kind == MatrixKind::Workspace;
    if (matrix.element == element && matrix.whole && (isGeneral || !general) && (rows == '*' || matrix.rows == rows) &&
        (cols == '*' || matrix.cols == cols))
      found.push_back(&matrix);
  }
  return found;
}

/// A matrix whose diagonal tiles are square, or null.
const Matrix *ProgramMaker::square(bool triangular, const std::string &element) {
  std::vector<const Matrix *> found;
  for (const Matrix &matrix : program_.matrices)
    if (matrix.element == element && matrix.whole && matrix.rows == matrix.cols &&
        (matrix.kind == MatrixKind::General || (triangular && matrix.kind != MatrixKind::Workspace)))
      found.push_back(&matrix);
  return found.empty() ? nullptr : random_.pick(found);
}

void ProgramMaker::addStandard(Block &block) {
  const std::size_t before = block.size();
  switch (random_.below(8)) {
  case 0:
  case 1:
    addProduct(block);
    break;
  case 2:
    addRankUpdate(block);
    break;
  case 3:
    addSolve(block);
    break;
  case 4:
    addElementwise(block);
    break;
  case 5:
    addReflectors(block);
    break;
  case 6:
    addTriangular(block);
    break;
  default:
    addFactorization(block);
  }
  if (block.size() == before)
    addElementwise(block);
  --budget_;
}

/// C(i, j) += A(i, l) B(l, j) for some i, j and all or some l, of T or of float.
void ProgramMaker::addProduct(Block &block) {
  const std::string element = program_.find("F") && random_.chance(60) ? "float" : "T";
  const auto outputs = shaped('*', '*', true, element);
  const Matrix &C = *random_.pick(outputs);
  const bool transposed = random_.chance(40);
  std::vector<std::pair<const Matrix *, const Matrix *>> pairs;
  for (const Matrix *A : shaped(transposed ? '*' : C.rows, transposed ? C.rows : '*', true, element))
    for (const Matrix *B : shaped(transposed ? A->rows : A->cols, C.cols, true, element))
      if (A != &C && B != &C)
        pairs.emplace_back(A, B);
  if (pairs.empty())
    return;
  const auto [A, B] = random_.pick(pairs);
  const char *const conjugate = random_.one({"ConjTrans", "Trans"});
  block.push_back(loopOver(C.rows, [&](Block &rows) {
    const Expression i = indices_.back().expression;
    rows.push_back(loopOver(C.cols, [&](Block &columns) {
      const Expression j = indices_.back().expression;
      columns.push_back(loopOver(transposed ? A->rows : A->cols, [&](Block &body) {
        const Expression l = indices_.back().expression;
        body.push_back(
            makeTask("gemm", {option(transposed ? conjugate : "NoTrans"), option("NoTrans"), scaled(element, "0.0625"),
                              transposed ? tileArgument(*A, l, i, Read) : tileArgument(*A, i, l, Read),
                              tileArgument(*B, l, j, Read), scaled(element, "0.5"), tileArgument(C, i, j, Update)}));
        addClauses(body.back());
      }));
    }));
  }));
}

/// A diagonal tile, less or plus a product of a tile with itself.
void ProgramMaker::addRankUpdate(Block &block) {
  const Matrix *const C = square(true);
  if (!C)
    return;
  const auto factors = shaped(C->rows, '*', true);
  const Matrix *const G = factors.empty() ? nullptr : random_.pick(factors);
  if (!G || G == C)
    return;
  const char *const uplo = C->kind == MatrixKind::Upper ? "Upper" : "Lower";
  block.push_back(loopOver(C->rows, [&](Block &outer) {
    const Expression i = indices_.back().expression;
    outer.push_back(loopOver(G->cols, [&](Block &body) {
      const Expression l = indices_.back().expression;
      if (random_.chance(60))
        body.push_back(
            makeTask("herk", {option(uplo), option("NoTrans"), valueArgument(unary(Operator::Negate, real("0.0625"))),
                              tileArgument(*G, i, l, Read), valueArgument(number(1)), tileArgument(*C, i, i, Update)}));
      else
        body.push_back(
            makeTask("syrk", {option(uplo), option("NoTrans"), scaled("T", "0.0625"), tileArgument(*G, i, l, Read),
                              scaled("T", "0.5"), tileArgument(*C, i, i, Update)}));
      addClauses(body.back());
    }));
  }));
}

/// The Cholesky factor of a diagonal tile that was made definite, and a solve, or an inverse.
void ProgramMaker::addSolve(Block &block) {
  const std::string element = square(false, "float") && random_.chance(60) ? "float" : "T";
  const Matrix *const S = square(true, element);
  if (!S)
    return;
  const char *const uplo = S->kind == MatrixKind::Upper ? "Upper" : "Lower";
  const auto rights = shaped(S->rows, '*', true, element);
  block.push_back(loopOver(S->rows, [&](Block &body) {
    const Expression k = indices_.back().expression;
    const auto diagonal = [&](Access access) { return tileArgument(*S, k, k, access); };
    body.push_back(makeTask("dominate", {diagonal(Update)}));
    body.push_back(makeTask("potrf", {option(uplo), diagonal(Update)}));
    if (random_.chance(25))
      body.push_back(makeTask("trtri", {option(uplo), option("NonUnit"), diagonal(Update)}));
    else if (random_.chance(25))
      body.push_back(makeTask("lauum", {option(uplo), diagonal(Update)}));
    const Matrix *const B = rights.empty() ? nullptr : random_.pick(rights);
    if (!B || B == S)
      return;
    body.push_back(loopOver(B->cols, [&](Block &columns) {
      const char *const kernel = random_.one({"trsm", "trsm", "trmm"});
      columns.push_back(makeTask(kernel, {option("Left"), option(uplo), option(random_.one({"NoTrans", "ConjTrans"})),
                                          option("NonUnit"), scaled(element, "0.5"), diagonal(Read),
                                          tileArgument(*B, k, indices_.back().expression, Update)}));
      addClauses(columns.back());
    }));
  }));
}

void ProgramMaker::addElementwise(Block &block) {
  const std::string element = program_.find("F") && random_.chance(60) ? "float" : "T";
  const Matrix &C = *random_.pick(shaped('*', '*', true, element));
  std::vector<const Matrix *> alike;
  for (const Matrix *matrix : shaped(C.rows, C.cols, true, element))
    if (matrix != &C)
      alike.push_back(matrix);
  block.push_back(loopOver(C.rows, [&](Block &rows) {
    rows.push_back(loopOver(C.cols, [&](Block &body) {
      const Expression i = indices_[indices_.size() - 2].expression, j = indices_.back().expression;
      if (!alike.empty() && random_.chance(40))
        body.push_back(
            makeTask("omatcopy", {option("NoTrans"), scaled(element, "0.5"),
                                  tileArgument(*random_.pick(alike), i, j, Read), tileArgument(C, i, j, Overwrite)}));
      else if (random_.chance(60))
        body.push_back(makeTask("scal", {scaled(element, "0.5"), tileArgument(C, i, j, Update)}));
      else
        body.push_back(
            makeTask("laset", {scaled(element, "0.25"), scaled(element, "1.0"), tileArgument(C, i, j, Overwrite)}));
      addClauses(body.back());
    }));
  }));
}

/// C = C / 2 + A B / 16 with a diagonal tile A of which one triangle counts.
void ProgramMaker::addTriangular(Block &block) {
  const Matrix *const S = square(true);
  if (!S)
    return;
  const char *const uplo = S->kind == MatrixKind::Upper ? "Upper" : "Lower";
  std::vector<std::pair<const Matrix *, const Matrix *>> pairs;
  for (const Matrix *B : shaped(S->rows, '*', true))
    for (const Matrix *C : shaped(S->rows, B->cols, true))
      if (B != C && B != S && C != S)
        pairs.emplace_back(B, C);
  block.push_back(loopOver(S->rows, [&](Block &body) {
    const Expression k = indices_.back().expression;
    body.push_back(makeTask("lascl", {option(uplo), scaled("T", "0.5"), tileArgument(*S, k, k, Update)}));
    if (pairs.empty())
      return;
    const auto [B, C] = random_.pick(pairs);
    body.push_back(loopOver(B->cols, [&](Block &columns) {
      const Expression j = indices_.back().expression;
      columns.push_back(makeTask(random_.one({"symm", "hemm"}),
                                 {option("Left"), option(uplo), scaled("T", "0.0625"), tileArgument(*S, k, k, Read),
                                  tileArgument(*B, k, j, Read), scaled("T", "0.5"), tileArgument(*C, k, j, Update)}));
    }));
  }));
}

/// The QR factorization of a tile, applied to others of its rows; its factors as a kernel of one's own reads them.
void ProgramMaker::addReflectors(Block &block) {
  const Matrix *const H = program_.find("H");
  if (!H)
    return;
  const Matrix &A = *program_.find("A");
  std::vector<const Matrix *> others;
  for (const Matrix *matrix : shaped('m', '*', true))
    if (matrix != &A)
      others.push_back(matrix);
  block.push_back(loopOver('m', [&](Block &rows) {
    const Expression i = indices_.back().expression;
    rows.push_back(loopOver('n', [&](Block &body) {
      const Expression j = indices_.back().expression;
      body.push_back(makeTask(
          "geqrt", {valueArgument(name("ib")), tileArgument(A, i, j, Update), tileArgument(*H, i, j, Overwrite)}));
      if (random_.chance(30))
        body.push_back(makeTask("pour", {valueArgument(alpha()), tileArgument(*H, i, j, Read),
                                         tileArgument(*program_.find("W"), i, number(0), Update)}));
      if (others.empty() || random_.chance(30))
        return;
      const Matrix &C = *random_.pick(others);
      body.push_back(loopOver(C.cols, [&](Block &columns) {
        columns.push_back(makeTask("unmqr", {option(random_.one({"NoTrans", "ConjTrans"})), valueArgument(name("ib")),
                                             tileArgument(A, i, j, Read), tileArgument(*H, i, j, Read),
                                             tileArgument(C, i, indices_.back().expression, Update)}));
      }));
    }));
  }));
}

/// A standard kernel with tiles of any matrices: their sizes may fit together or not, and one tile may be there twice.
void ProgramMaker::addMisfit(Block &block) {
  std::vector<const Matrix *> matrices;
  for (const Matrix &matrix : program_.matrices)
    if (matrix.element == "T" && (matrix.kind == MatrixKind::General || matrix.filled))
      matrices.push_back(&matrix);
  const Matrix &output = *random_.pick(matrices);
  const bool hidden = random_.chance(50);
  block.push_back(loopOver(output.rows, [&](Block &rows) {
    const Expression i = indices_.back().expression;
    rows.push_back(loopOver(output.cols, [&](Block &body) {
      const Expression j = indices_.back().expression;
      Expression exist = binary(Operator::GreaterEqual, i, number(0));
      const auto tile = [&](Access access) {
        const Matrix &matrix = random_.chance(30) ? output : *random_.pick(matrices);
        const auto clamped = [&](const Expression &v, bool isRow) {
          const Expression count = extentOf(matrix, isRow);
          exist = binary(Operator::And, exist, binary(Operator::Greater, count, number(0)));
          return binary(Operator::Minimum, v, binary(Operator::Subtract, count, number(1)));
        };
        const bool swapped = random_.chance(30);
        return tileArgument(matrix, clamped(swapped ? j : i, true), clamped(swapped ? i : j, false), access);
      };
      const Argument C = tileArgument(output, i, j, Update);
      const auto op = [&] { return option(random_.one({"NoTrans", "Trans", "ConjTrans"})); };
      const auto uplo = option(random_.one({"Lower", "Upper"})), side = option(random_.one({"Left", "Right"}));
      const Argument a = scaled("T", "0.0625"), b = scaled("T", "0.5");
      Statement branch;
      branch.kind = Statement::Kind::If;
      switch (random_.below(6)) {
      case 0:
      case 1:
        branch.body = {makeTask("gemm", {op(), op(), a, tile(Read), tile(Read), b, C})};
        break;
      case 2:
        branch.body = {makeTask("omatcopy", {option("NoTrans"), a, tile(Read), tileArgument(output, i, j, Overwrite)})};
        break;
      case 3:
        branch.body = {makeTask("symm", {side, uplo, a, tile(Read), tile(Read), b, C})};
        break;
      case 4:
        branch.body = {makeTask("trmm", {side, uplo, op(), option("NonUnit"), a, tile(Read), C})};
        break;
      default:
        branch.body = {makeTask("syrk", {uplo, option(random_.one({"NoTrans", "Trans"})), a, tile(Read), b, C})};
      }
      if (hidden) // at sizes at which hetc does not look for misfits when it compiles
        exist = binary(Operator::And, exist, binary(Operator::Greater, name("shift"), number(3)));
      branch.condition = exist;
      body.push_back(std::move(branch));
    }));
  }));
}

} // namespace fuzz
