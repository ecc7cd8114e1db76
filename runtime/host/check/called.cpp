#include "runtime/host/check/called.hpp"

#include "runtime/host/ranks/parallel.hpp"

namespace tla::host {

StorageRef CalledAlgorithm::make(int rows, int columns, std::size_t elementBytes, Shape shape, const Cut &cut,
                                 const Storage *pattern) const {
  const int nb = problem_.nb;
  StorageRef result(new Storage(rows, columns, nb, nb, elementBytes, shape, cut));
  result->setPeriod(problem_.values.period);
  if (pattern && pattern->hasPattern())
    result->setPattern([pattern](int i, int j) { return pattern->stores(i, j); });
  result->allocate([&](int i, int j) { return problem_.placement.owns(*result, i, j); });
  return result;
}

StorageRef CalledAlgorithm::original(int i) const {
  const ProblemMatrix &matrix = problem_.matrices[static_cast<std::size_t>(i)];
  const Storage &after = **matrix.storage;
  StorageRef before = make(after.m(), after.n(), after.elementBytes(), after.shape(), after.cut(), &after);
  forEachTile(team_.executor, *before, [&](int row, int column) {
    matrix.source->fill({matrix.parameter->type, before->tile(row, column), static_cast<long>(row) * after.mb(),
                         static_cast<long>(column) * after.nb(), after.tileRows(row), after.tileCols(column),
                         before->ld(row)});
  });
  return before;
}

void CalledAlgorithm::run(Storage &own, Op op) const {
  const runtime::CheckCall &call = problem_.algorithm->checkCall;
  std::vector<StorageRef> copies;
  std::vector<Storage *> matrices;
  for (int i = 0; i < call.matrixCount; ++i) {
    const int number = call.matrices[i];
    if (number < -1)
      copies.push_back(original(-2 - number));
    matrices.push_back(number < -1    ? &*copies.back()
                       : number == -1 ? &own
                                      : &**problem_.matrices[static_cast<std::size_t>(number)].storage);
  }
  std::vector<runtime::ScalarValue> scalars;
  for (int i = 0; i < call.scalarCount; ++i) {
    const int number = call.scalars[i];
    scalars.push_back(number < -1    ? call.constants[-2 - number]
                      : number == -1 ? runtime::ScalarValue{static_cast<long>(op), 0, 0}
                                     : problem_.scalars[static_cast<std::size_t>(number)]);
  }
  const runtime::Arguments arguments{matrices.data(), scalars.data()};
  requireFinished(team_.everybody.run([&](runtime::Generator &generator) { call.generate(generator, arguments); }));
}

} // namespace tla::host
