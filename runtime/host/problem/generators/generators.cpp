#include "runtime/host/problem/generators/generators.hpp"

#include "dsl/annotations/vocabulary.hpp"
#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/base/random.hpp"
#include "runtime/host/problem/generators/conditioned.hpp"
#include "runtime/host/problem/generators/generated_source.hpp"
#include "runtime/host/problem/generators/matern.hpp"

#include <algorithm>
#include <cmath>

namespace tla::host {
namespace {

template <typename T> T realPart(T value) {
  if constexpr (isComplex<T>)
    return value.real();
  else
    return value;
}

struct Random {
  std::uint64_t key;
  template <typename T> auto column(long j) const {
    return [key = key, j](long i) { return randomElement<T>(key, i, j); };
  }
};

/// A(i, j) = conj(A(j, i)): both take the random number of the lower triangle. Real `shift` added on the diagonal.
struct Hermitian {
  std::uint64_t key;
  double shift;
  template <typename T> auto column(long j) const {
    return [*this, j](long i) -> T {
      if (i != j)
        return i > j ? randomElement<T>(key, i, j) : conjugate(randomElement<T>(key, j, i));
      return realPart(randomElement<T>(key, i, i)) + static_cast<T>(shift);
    };
  }
};

struct Dominant {
  std::uint64_t key;
  double scale;
  template <typename T> auto column(long j) const {
    return [*this, j](long i) -> T {
      const T x = static_cast<T>(2 * scale) * randomElement<T>(key, i, j);
      return i == j ? T(1 + std::real(x)) : x; // real, as the diagonal of a Cholesky factor is
    };
  }
};

struct Triangular {
  std::uint64_t key;
  long n;
  bool lower;
  template <typename T> auto column(long j) const {
    return [*this, j](long i) -> T {
      if (i == j)
        return randomElement<T>(key, i, i) + static_cast<T>(static_cast<double>(n));
      return (i > j) == lower ? randomElement<T>(key, i, j) : T(0);
    };
  }
};

struct Hilbert {
  template <typename T> auto column(long j) const {
    return [j](long i) { return static_cast<T>(1.0 / static_cast<double>(i + j + 1)); };
  }
};
struct MinIJ {
  template <typename T> auto column(long j) const {
    return [j](long i) { return static_cast<T>(static_cast<double>(std::min(i, j) + 1)); };
  }
};
/// ratio^|i - j| [Kac, Murdock, Szego 1953]: positive definite where |ratio| < 1.
struct Toeplitz {
  double ratio;
  template <typename T> auto column(long j) const {
    return [*this, j](long i) { return static_cast<T>(std::pow(ratio, static_cast<double>(std::abs(i - j)))); };
  }
};
struct Diagonal {
  double value;
  template <typename T> auto column(long j) const {
    return [j, value = value](long i) { return static_cast<T>(i == j ? value : 0.0); };
  }
};

/// LAPACK's ipiv, in every column: row i is interchanged with a random one from i on.
struct Pivots {
  std::uint64_t key;
  long rows;
  template <typename T> auto column(long j) const {
    return [*this, bits = randomBits(key, static_cast<std::uint64_t>(j))](long i) {
      return static_cast<T>(
          i + 1 +
          static_cast<long>(randomBits(bits, static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(rows - i)));
    };
  }
};

struct Request {
  std::string text;
  const std::vector<double> &arguments;
  ElementType type;
  long rows, columns;
  std::uint64_t key;

  double n() const { return static_cast<double>(rows); }
  double argument(std::size_t index, double otherwise) const {
    return index < arguments.size() ? arguments[index] : otherwise;
  }
};
using Source = std::unique_ptr<MatrixSource>;

Source makeMaternFrom(const Request &request) {
  MaternParameters parameters;
  double *const targets[] = {&parameters.range, &parameters.smoothness, &parameters.nugget};
  for (std::size_t a = 0; a < request.arguments.size(); ++a)
    *targets[a] = request.arguments[a];
  if (!(parameters.range > 0))
    throw UsageError(request.text + ": the range must be positive");
  if (parameters.smoothness != 0.5 && parameters.smoothness != 1.5 && parameters.smoothness != 2.5)
    throw UsageError(request.text + ": the smoothness must be 0.5, 1.5 or 2.5");
  if (!(parameters.nugget >= 0))
    throw UsageError(request.text + ": the nugget must not be negative");
  return makeMatern(request.text, parameters, request.rows, request.key);
}

/// The formula, or, where a condition number is given, a matrix that has it.
template <Spectrum spectrum, typename Formula> Source makeConditionedOr(const Request &request, Formula &&formula) {
  if (request.arguments.empty())
    return makeGenerated(request.text, formula);
  const double condition = request.arguments[0];
  if (!(condition >= 1 && std::isfinite(condition)))
    throw UsageError(request.text + ": the condition number must be finite and at least 1");
  return makeConditioned(request.text, spectrum, condition, request.type, request.rows, request.columns, request.key);
}

Source makeToeplitz(const Request &request) {
  const double ratio = request.argument(0, 0.5);
  if (!std::isfinite(ratio))
    throw UsageError(request.text + ": the ratio must be finite");
  return makeGenerated(request.text, Toeplitz{ratio});
}

/// The function of each generator, in the order of generatorNames.
struct Maker {
  std::string_view name;
  Source (*make)(const Request &);
};
constexpr Maker makers[] = {
    {"random", [](const Request &r) { return makeConditionedOr<Spectrum::Singular>(r, Random{r.key}); }},
    {"spd",
     [](const Request &r) {
       return makeConditionedOr<Spectrum::Positive>(r, Hermitian{r.key, r.n()});
     }},
    {"hermitian",
     [](const Request &r) {
       return makeConditionedOr<Spectrum::Alternating>(r, Hermitian{r.key, 0});
     }},
    {"dominant",
     [](const Request &r) {
       return makeGenerated(r.text, Dominant{r.key, 1.0 / static_cast<double>(std::max({r.rows, r.columns, 1L}))});
     }},
    {"lower",
     [](const Request &r) {
       return makeGenerated(r.text, Triangular{r.key, r.rows, true});
     }},
    {"upper",
     [](const Request &r) {
       return makeGenerated(r.text, Triangular{r.key, r.rows, false});
     }},
    {"matern", makeMaternFrom},
    {"toeplitz", makeToeplitz},
    {"hilbert", [](const Request &r) { return makeGenerated(r.text, Hilbert{}); }},
    {"minij", [](const Request &r) { return makeGenerated(r.text, MinIJ{}); }},
    {"identity", [](const Request &r) { return makeGenerated(r.text, Diagonal{1}); }},
    {"zero", [](const Request &r) { return makeGenerated(r.text, Diagonal{0}); }},
};
static_assert(std::ranges::equal(makers, generatorNames, {}, &Maker::name, &GeneratorName::name));

Source makeIntegers(const GeneratorCall &call, const std::string &matrix, long rows, std::uint64_t key) {
  if (call.name == "zero")
    return makeGenerated("zero", Diagonal{0});
  if (call.name == "pivots")
    return makeGenerated("pivots", Pivots{key, rows});
  throw UsageError(matrix + " is a matrix of integers, which " + printGenerator(call) + " does not make; choose " +
                   alternatives(namesIn(integerGeneratorNames)));
}
} // namespace

GeneratorCall parseGenerator(std::string_view text) {
  const UsageError malformed(
      format("'%.*s' is not a generator: write NAME or NAME(NUMBER, ...)", static_cast<int>(text.size()), text.data()));
  GeneratorCall call;
  const auto open = text.find('(');
  call.name = std::string(trim(text.substr(0, open)));
  if (call.name.empty() || call.name.find_first_of(" ,)") != std::string::npos)
    throw malformed;
  if (open == std::string_view::npos)
    return call;
  std::string_view rest = trim(text.substr(open + 1));
  if (rest.empty() || rest.back() != ')')
    throw malformed;
  rest.remove_suffix(1);
  if (trim(rest).empty())
    return call;
  for (;;) {
    const auto comma = rest.find(',');
    const auto value = parseReal(rest.substr(0, comma));
    if (!value)
      throw malformed;
    call.arguments.push_back(*value);
    if (comma == std::string_view::npos)
      return call;
    rest.remove_prefix(comma + 1);
  }
}

std::string printGenerator(const GeneratorCall &call) {
  std::string text = call.name;
  for (std::size_t a = 0; a < call.arguments.size(); ++a)
    text += (a ? ", " : "(") + formatNumber(call.arguments[a]);
  return text + (call.arguments.empty() ? "" : ")");
}

Source makeGenerator(const GeneratorCall &call, ElementType type, const std::string &matrix, long rows, long columns,
                     std::uint64_t seed) {
  const std::string text = printGenerator(call);
  if (type == ElementType::I)
    return makeIntegers(call, matrix, rows, streamKey(seed, matrix));
  const GeneratorName *const known = findName(generatorNames, call.name);
  if (!known) {
    const std::vector<std::string> names = namesIn(generatorNames);
    throw UsageError("unknown generator '" + call.name + "' for " + matrix + "; known are " + alternatives(names) +
                     suggestion(call.name, names));
  }
  if (call.arguments.size() > known->maxArguments)
    throw UsageError(text + ": " + takesArguments(*known));
  if (known->square && rows != columns)
    throw UsageError("the generator " + text + " makes square matrices, but " + matrix + " is " + std::to_string(rows) +
                     " x " + std::to_string(columns));
  return makers[known - generatorNames.data()].make(
      {text, call.arguments, type, rows, columns, streamKey(seed, matrix)});
}

std::string generatorHelp() {
  std::string text;
  for (const GeneratorName &known : generatorNames)
    text += (text.empty() ? "" : ", ") + std::string(known.name) + std::string(known.parameters);
  return text;
}

std::vector<std::string> hermitianGenerators() {
  std::vector<std::string> names;
  for (const GeneratorName &known : generatorNames)
    if (known.hermitian)
      names.emplace_back(known.name);
  return names;
}

bool makesTriangle(std::string_view generator) { return generator == "lower" || generator == "upper"; }

} // namespace tla::host
