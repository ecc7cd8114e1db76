#include "runtime/host/problem/problem.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/base/random.hpp"
#include "runtime/host/problem/generators/generators.hpp"
#include "runtime/host/problem/generators/hermitian_source.hpp"
#include "runtime/host/problem/layout.hpp"
#include "runtime/host/problem/options.hpp"
#include "runtime/host/problem/scalars.hpp"

#include <algorithm>

namespace tla::host {
namespace {
using runtime::Algorithm;
using runtime::MatrixParameter;

/// The value given for a matrix, or null. Twice is an error.
const std::string *givenFor(const Algorithm &algorithm, const std::vector<Assignment> &list, int matrix,
                            const char *option) {
  const std::string *found = nullptr;
  for (const Assignment &assignment : list) {
    if (findMatrix(algorithm, assignment.name, option) != matrix)
      continue;
    if (found)
      throw UsageError(std::string(option) + ": " + assignment.name + " is given twice");
    found = &assignment.value;
  }
  return found;
}

void refuseWorkspace(const MatrixParameter &parameter, const char *option) {
  if (parameter.workspace)
    throw UsageError(std::string(option) + ": " + parameter.name + " is a workspace; nobody gives it");
}

std::unique_ptr<MatrixFile> openInput(const Algorithm &algorithm, int matrix, const std::string &path) {
  const MatrixParameter &parameter = algorithm.matrices[matrix];
  refuseWorkspace(parameter, "--input");
  auto file = openMatrixFile(path);
  if (parameter.type == ElementType::I && !file->shape().integers)
    throw UsageError(path + " holds no integers, but " + parameter.name +
                     " is a matrix of int; save it as int32, as A.astype(\"int32\") is in NumPy");
  if (file->shape().complexNumbers && !isComplexType(parameter.type)) {
    const char complexType = parameter.type == ElementType::S ? 'c' : 'z';
    throw UsageError(path + " holds complex numbers, but " + parameter.name + " is a matrix of " +
                     typeName(parameter.type) + "; compile with --type=" + complexType);
  }
  return file;
}

/// The generator a matrix has when the algorithm names none: something that every algorithm can take.
GeneratorCall defaultGenerator(const MatrixParameter &parameter) {
  if (parameter.workspace)
    return {"zero", {}};
  if (!parameter.generator || !*parameter.generator)
    return {parameter.type == ElementType::I    ? (parameter.written ? "zero" : "pivots")
            : parameter.shape == Shape::General ? "random"
                                                : "spd",
            {}};
  const double *const arguments = parameter.generatorArguments;
  return {parameter.generator, {arguments, arguments + parameter.generatorArgumentCount}};
}

/// A known generator of the wrong kind; unknown names are makeGenerator's business.
void requireHermitianGenerator(const GeneratorCall &call, const MatrixParameter &parameter) {
  const std::vector<std::string> fitting = hermitianGenerators();
  if (makesTriangle(call.name) || call.name == "random" || call.name == "dominant")
    throw UsageError(std::string(parameter.name) + " stands for a Hermitian matrix, which " + printGenerator(call) +
                     " does not make; choose " + alternatives(fitting));
}

/// Makes elements by the author's own generator.
class AuthorsSource final : public MatrixSource {
public:
  AuthorsSource(const MatrixParameter &parameter, GeneratorCall call, std::uint64_t key)
      : parameter_(parameter), call_(std::move(call)), key_(key) {}

  void fill(const Block &block) const override { parameter_.fill(block, key_, call_.arguments.data()); }
  std::string describe() const override { return printGenerator(call_); }

private:
  const MatrixParameter &parameter_;
  GeneratorCall call_;
  std::uint64_t key_;
};

std::unique_ptr<MatrixSource> generatedSource(const Problem &problem, const Settings &settings, int matrix) {
  const Algorithm &algorithm = *problem.algorithm;
  const Extent &extent = problem.matrices[matrix].extent;
  const MatrixParameter &parameter = algorithm.matrices[matrix];
  const std::string *const given = givenFor(algorithm, settings.generators, matrix, "--generate");
  if (given)
    refuseWorkspace(parameter, "--generate");
  const GeneratorCall call = given ? parseGenerator(*given) : defaultGenerator(parameter);
  if (parameter.fill && call.name == parameter.generator) {
    if (static_cast<int>(call.arguments.size()) != parameter.generatorArgumentCount)
      throw UsageError(printGenerator(call) + ": " + algorithm.name + " makes " + parameter.name + " by " +
                       printGenerator(defaultGenerator(parameter)) + ", with as many arguments");
    return std::make_unique<AuthorsSource>(parameter, call, streamKey(settings.seed, parameter.name));
  }
  if (problem.matrices[matrix].hermitian)
    requireHermitianGenerator(call, parameter);
  return makeGenerator(call, parameter.type, parameter.name, extent.rows, extent.columns, settings.seed);
}

/// Names in options that no matrix has.
void requireKnownNames(const Algorithm &algorithm, const Settings &settings) {
  for (const Assignment &assignment : settings.inputs)
    findMatrix(algorithm, assignment.name, "--input");
  for (const Assignment &assignment : settings.generators)
    findMatrix(algorithm, assignment.name, "--generate");
  for (const Assignment &assignment : settings.patterns)
    findMatrix(algorithm, assignment.name, "--pattern");
}
} // namespace

const ProblemMatrix *Problem::find(const std::string &name) const {
  for (const ProblemMatrix &matrix : matrices)
    if (name == matrix.parameter->name)
      return &matrix;
  return nullptr;
}

runtime::ScalarValue Problem::scalar(const std::string &name) const {
  const int index = findScalar(*algorithm, name);
  return index < 0 ? constantScalar(name) : scalars[index];
}

std::complex<double> Problem::number(const std::string &name) const {
  const runtime::ScalarValue value = scalar(name);
  return {value.real, value.imag};
}

std::unique_ptr<Problem> makeProblem(const Algorithm &algorithm, std::vector<runtime::ScalarValue> scalars,
                                     const runtime::Values &values) {
  auto problem = std::make_unique<Problem>();
  problem->algorithm = &algorithm;
  problem->scalars = std::move(scalars);
  problem->values = values;
  problem->values.scalars = problem->scalars.data();
  const std::vector<Extent> extents = matrixExtents(algorithm, problem->values);
  for (int i = 0; i < algorithm.matrixCount; ++i) {
    const MatrixParameter &parameter = algorithm.matrices[i];
    ProblemMatrix matrix{&parameter, extents[i], nullptr, nullptr, false, std::nullopt, &problem->placement};
    matrix.hermitian = parameter.shape != Shape::General && !makesTriangle(defaultGenerator(parameter).name);
    problem->matrices.push_back(std::move(matrix));
  }
  return problem;
}

std::unique_ptr<Problem> describeProblem(const Algorithm &algorithm, const Settings &settings) {
  requireKnownNames(algorithm, settings);
  std::vector<runtime::ScalarValue> scalars = resolveScalars(algorithm, settings.scalars);
  std::vector<std::unique_ptr<MatrixFile>> files(static_cast<std::size_t>(algorithm.matrixCount));
  std::vector<GivenShape> shapes;
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (const std::string *const path = givenFor(algorithm, settings.inputs, i, "--input")) {
      files[i] = openInput(algorithm, i, *path);
      shapes.push_back({i, files[i]->shape().rows, files[i]->shape().columns, *path});
    }
  auto patterns = std::make_shared<Patterns>();
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (const std::string *const text = givenFor(algorithm, settings.patterns, i, "--pattern")) {
      refuseWorkspace(algorithm.matrices[i], "--pattern");
      shapes.push_back(patterns->add(algorithm.matrices[i], i, *text));
    }
  const runtime::Values values = resolveSizes(algorithm, settings, shapes, scalars);
  auto problem = makeProblem(algorithm, std::move(scalars), values);
  problem->seed = settings.seed;
  if (settings.period && !algorithm.asksPeriod)
    throw UsageError(std::string("--period: ") + algorithm.name + " does not ask how tiles repeat over nodes");
  problem->period = settings.period;
  problem->values = onDistribution(*problem, problem->values, Distribution());
  if (!patterns->empty()) {
    problem->values.patterns = patterns.get();
    problem->patterns = std::move(patterns);
  }
  for (int i = 0; i < algorithm.matrixCount; ++i)
    if (ProblemMatrix &matrix = problem->matrices[i]; files[i]) {
      matrix.file = files[i].get();
      if (matrix.hermitian)
        matrix.source = std::make_unique<HermitianSource>(std::move(files[i]), matrix.parameter->shape);
      else
        matrix.source = std::move(files[i]);
    }
  return problem;
}

runtime::Values onDistribution(const Problem &problem, runtime::Values values, const Distribution &distribution) {
  values.period = problem.period.value_or(distribution.period());
  return values;
}

std::unique_ptr<Problem> onTiles(const Problem &problem, int nb, Cut cut) {
  auto other = makeProblem(*problem.algorithm, problem.scalars, problem.values);
  other->nb = nb;
  other->cut = cut;
  other->seed = problem.seed;
  other->period = problem.period;
  other->patterns = problem.patterns;
  other->placement = problem.placement;
  for (std::size_t i = 0; i < other->matrices.size(); ++i)
    other->matrices[i].file = problem.matrices[i].file;
  return other;
}

void makeSources(Problem &problem, const Settings &settings) {
  for (std::size_t i = 0; i < problem.matrices.size(); ++i) {
    ProblemMatrix &matrix = problem.matrices[i];
    if (!matrix.source)
      matrix.source = generatedSource(problem, settings, static_cast<int>(i));
    else if (matrix.file)
      matrix.file->load(matrix.parameter->type);
  }
}

runtime::Options memoryOptions(const Settings &settings) {
  constexpr double renamed = 1.0 / 16, forwarded = 1.0 / 8; // parts of all
  runtime::Options options;
  if (settings.memory) {
    options.renameBytes = std::min(options.renameBytes, static_cast<std::size_t>(*settings.memory * renamed));
    options.forwardBytes = std::min(options.forwardBytes, static_cast<std::size_t>(*settings.memory * forwarded));
  }
  return options;
}

double workspaceBytes(const Problem &problem) {
  return problem.algorithm->workspaceBytes
             ? problem.algorithm->workspaceBytes(problem.values, problem.nb) / problem.placement.distribution.nodes()
             : 0;
}

double problemBytes(const Problem &problem, const Settings &settings, int threads) {
  constexpr double taskBytes = 512;
  double matrices = 0, files = 0;
  for (const ProblemMatrix &matrix : problem.matrices) {
    matrices += storageBytes(*matrix.parameter, problem.values, problem.nb, problem.placement, problem.cut);
    files += matrix.file ? matrix.file->shape().loadedBytes : 0;
  }
  const double checkTiles =
      settings.check == CheckMode::None ? 0 : 3.0 * threads * problem.nb * problem.nb * sizeof(double);
  return matrices + files + settings.window * taskBytes + std::min(checkTiles, matrices);
}

double acceleratorBytes(const Problem &problem, const std::vector<runtime::AcceleratorProperties> &accelerators) {
  double tiles = workspaceBytes(problem), sum = 0;
  for (const ProblemMatrix &matrix : problem.matrices)
    tiles += storageBytes(*matrix.parameter, problem.values, problem.nb, problem.placement, problem.cut);
  for (const runtime::AcceleratorProperties &accelerator : accelerators)
    if (accelerator.usesHost)
      sum += std::min(tiles, static_cast<double>(accelerator.memoryBytes));
  return sum;
}

void allocateMatrices(Problem &problem) {
  for (ProblemMatrix &matrix : problem.matrices) {
    matrix.storage.emplace(describeStorage(*matrix.parameter, problem.values, problem.nb, problem.cut));
    allocateStorage(**matrix.storage, problem.placement);
  }
}

} // namespace tla::host
