#include "tests/fuzz/call.hpp"

#include "runtime/host/problem/slices.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>

namespace fuzz {

namespace rt = tla::runtime;
using tla::Storage;

std::string patternFile(const std::string &file, const std::string &matrix, const Sizes &sizes) {
  std::string name = file.substr(0, file.rfind('.')) + "." + matrix;
  for (const long number : {sizes.m, sizes.n, sizes.k, long{sizes.nb}, sizes.shift, sizes.ib, long{sizes.sparse}})
    name += "-" + std::to_string(number);
  return name + ".mtx";
}

tla::host::Settings settingsOf(const rt::Algorithm &algorithm, const Case &one) {
  tla::host::Settings settings;
  const std::string sizes = algorithm.sizes;
  for (const auto &[letter, target, value] :
       {std::tuple{'m', &settings.m, one.sizes.m}, {'n', &settings.n, one.sizes.n}, {'k', &settings.k, one.sizes.k}})
    if (sizes.find(letter) != std::string::npos)
      *target = value;
  settings.nb = one.sizes.nb;
  settings.slice = one.slice;
  settings.seed = one.seed;
  if (algorithm.asksPeriod)
    settings.period = tla::Period{one.sizes.p, one.sizes.q};
  for (int i = 0; i < algorithm.matrixCount && one.sizes.sparse; ++i)
    if (const std::string matrix = algorithm.matrices[i].name; !algorithm.matrices[i].workspace)
      settings.patterns.push_back({matrix, patternFile(one.file, matrix, one.sizes)});
  for (int s = 0; s < algorithm.scalarCount; ++s) {
    const std::string name = algorithm.scalars[s].name;
    if (name == "shift" || name == "ib")
      settings.scalars.push_back({name, std::to_string(name == "ib" ? one.sizes.ib : one.sizes.shift)});
  }
  return settings;
}

Call::Call(const rt::Algorithm &algorithm, const tla::host::Settings &settings, const tla::Distribution &distribution,
           tla::host::Ranks &ranks)
    : problem_(tla::host::describeProblem(algorithm, settings)) {
  problem_->nb = *settings.nb;
  problem_->cut = chooseCut(algorithm, settings, problem_->nb, 2);
  problem_->placement = {distribution, ranks.rank()};
  makeSources(*problem_, settings);
  allocateMatrices(*problem_);
  rt::Executor local({.threads = 1, .pin = false});
  fillMatrices(*problem_, {local, ranks, local});
  for (const tla::host::ProblemMatrix &matrix : problem_->matrices)
    storages_.push_back(&**matrix.storage);
}

namespace {

/// visit(column of a tile of `mine`, the same of `other`, rows) for what both have, until it returns false.
template <typename Visit> bool forEachColumn(const Storage &mine, const Storage &other, const Visit &visit) {
  const auto column = [](const Storage &storage, int i, int j, int c) {
    return static_cast<const char *>(storage.tile(i, j)) +
           static_cast<std::size_t>(c) * storage.ld(i) * storage.elementBytes();
  };
  for (int j = 0; j < mine.nt(); ++j)
    for (int i = 0; i < mine.mt(); ++i)
      for (int c = 0; mine.tile(i, j) && other.tile(i, j) && c < mine.tileCols(j); ++c)
        if (!visit(column(mine, i, j, c), column(other, i, j, c), mine.tileRows(i)))
          return false;
  return true;
}

/// How far they are apart, if that is more than rounding explains; else 0.
template <typename Real> double strayOf(const Storage &mine, const Storage &other, int reals) {
  double largest = 0, difference = 0;
  bool tame = true;
  forEachColumn(mine, other, [&](const char *a, const char *b, int rows) {
    for (int e = 0; e < rows * reals; ++e) {
      const double x = reinterpret_cast<const Real *>(a)[e], y = reinterpret_cast<const Real *>(b)[e];
      tame &= std::isfinite(y) && std::abs(y) < 1e4;
      largest = std::max(largest, std::abs(y));
      difference = std::isfinite(x) ? std::max(difference, std::abs(x - y)) : INFINITY;
    }
    return true;
  });
  const double tolerance = sizeof(Real) == sizeof(float) ? 2e-2 : 1e-7;
  return !tame || difference <= tolerance * std::max(1.0, largest) ? 0 : difference;
}

double strayOf(rt::ElementType type, const Storage &mine, const Storage &other) {
  switch (type) {
  case rt::ElementType::S:
    return strayOf<float>(mine, other, 1);
  case rt::ElementType::C:
    return strayOf<float>(mine, other, 2);
  case rt::ElementType::D:
    return strayOf<double>(mine, other, 1);
  case rt::ElementType::Z:
    return strayOf<double>(mine, other, 2);
  case rt::ElementType::I:
    break;
  }
  return 0;
}

} // namespace

std::string Call::differs(const Call &other) const {
  for (std::size_t m = 0; m < storages_.size(); ++m) {
    const std::size_t bytes = storages_[m]->elementBytes();
    if (!forEachColumn(*storages_[m], *other.storages_[m],
                       [&](const char *a, const char *b, int rows) { return std::memcmp(a, b, rows * bytes) == 0; }))
      return problem_->matrices[m].parameter->name;
  }
  return "";
}

std::map<std::string, double> Call::strays(const Call &other) const {
  std::map<std::string, double> found;
  for (std::size_t m = 0; m < storages_.size(); ++m) {
    const rt::MatrixParameter &parameter = *problem_->matrices[m].parameter;
    const double stray = parameter.workspace ? 0 : strayOf(parameter.type, *storages_[m], *other.storages_[m]);
    if (stray > 0)
      found[parameter.name] = stray;
  }
  return found;
}

} // namespace fuzz
