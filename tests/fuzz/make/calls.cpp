// Algorithms that others call.
#include "tests/fuzz/make/program_maker.hpp"

namespace fuzz {

/// Algorithms to be inlined, whose parameters convert what they are given; one calls the other.
void ProgramMaker::declareCallees() {
  const Matrix M{"M", MatrixKind::General, "T", 'm', 'n', {}, false, false, true, false};
  const auto task = [&](Expression scale) {
    return makeTask("stir", {valueArgument(std::move(scale)), tileArgument(M, name("i"), name("j"), Access::Update)});
  };
  Statement half;
  half.kind = Statement::Kind::Local;
  half.type = "double";
  half.variable = "half";
  half.first = binary(Operator::Divide, name("c"), real("16.0"));
  Statement branch;
  branch.kind = Statement::Kind::If;
  branch.condition = binary(Operator::Equal, name("flag"), number(1));
  branch.body.push_back(task(
      binary(Operator::Multiply, convert("T", binary(Operator::Remainder, name("c"), number(3))), name("factor"))));
  const std::string inner = program_.name + "_inner", outer = program_.name + "_outer";
  program_.callees.push_back(
      {inner,
       {{"tla::Matrix<T>", "M"},
        {"int", "i"},
        {"int", "j"},
        {"double", "w"},
        {"int", "c"},
        {"bool", "flag"},
        {"T", "factor"}},
       {half, task(convert("T", binary(Operator::Add, binary(Operator::Divide, name("w"), number(16)), name("half")))),
        branch}});
  Statement call;
  call.kind = Statement::Kind::Call;
  call.callee = inner;
  Argument matrix;
  matrix.kind = Argument::Kind::Matrix;
  matrix.matrix = "M";
  const Expression q = name("q");
  call.arguments = {matrix,
                    valueArgument(q),
                    valueArgument(name("j")),
                    valueArgument(binary(Operator::Multiply, q, real("0.5"))),
                    valueArgument(q),
                    valueArgument(binary(Operator::Remainder, q, number(2))),
                    valueArgument(name("factor"))};
  Statement loop;
  loop.kind = Statement::Kind::Loop;
  loop.variable = "q";
  loop.first = name("i");
  loop.condition = binary(Operator::GreaterEqual, q, number(0));
  loop.stepSign = "-=";
  loop.step = number(2);
  loop.body.push_back(call);
  program_.callees.push_back({outer, {{"tla::Matrix<T>", "M"}, {"int", "i"}, {"int", "j"}, {"T", "factor"}}, {loop}});
}

void ProgramMaker::addCall(Block &block) {
  const auto candidates = indexable(true);
  if (candidates.empty() || integers_.empty())
    return addTask(block);
  const Matrix &target = *random_.pick(candidates);
  if (recursive_ && random_.chance(60))
    return addRecursion(block, target);
  const Expression v = name(random_.pick(integers_));
  Statement call;
  call.kind = Statement::Kind::Call;
  Argument matrix;
  matrix.kind = Argument::Kind::Matrix;
  matrix.matrix = target.name;
  matrix.transposed = transposes_ && random_.chance(40);
  const char rows = matrix.transposed ? target.cols : target.rows, cols = matrix.transposed ? target.rows : target.cols;
  if (parts_ && random_.chance(60))
    addPart(target, matrix, call);
  else
    call.arguments = {matrix, valueArgument(index(rows)), valueArgument(index(cols))};
  const bool outer = random_.chance(40);
  call.callee = program_.callees[outer].name;
  if (!outer)
    for (const Expression &value : {v, binary(Operator::Multiply, v, real("0.75")), v})
      call.arguments.push_back(valueArgument(value));
  call.arguments.push_back(valueArgument(name("factor")));
  block.push_back(std::move(call));
  --budget_;
}

} // namespace fuzz
