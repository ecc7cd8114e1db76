#include "runtime/host/problem/generators.hpp"

#include "dsl/base/nearest.hpp"
#include "dsl/base/text.hpp"
#include "runtime/host/base/random.hpp"
#include "runtime/host/problem/generated_source.hpp"
#include "runtime/host/problem/matern.hpp"

#include <algorithm>

namespace tla::host {
namespace {

/// One random number per position; two for a complex one.
struct RandomColumn {
  std::uint64_t key;
  template <typename T> T at(long i) const {
    if constexpr (isComplex<T>) {
      using Real = RealType<T>;
      return {static_cast<Real>(uniformHalf(randomBits(key, 2 * static_cast<std::uint64_t>(i)))),
              static_cast<Real>(uniformHalf(randomBits(key, 2 * static_cast<std::uint64_t>(i) + 1)))};
    } else {
      return static_cast<T>(uniformHalf(randomBits(key, static_cast<std::uint64_t>(i))));
    }
  }
};
RandomColumn randomColumn(std::uint64_t key, long j) { return {randomBits(key, static_cast<std::uint64_t>(j))}; }

template <typename T> T realPart(T value) {
  if constexpr (isComplex<T>)
    return value.real();
  else
    return value;
}

struct Random {
  std::uint64_t key;
  template <typename T> auto column(long j) const {
    return [random = randomColumn(key, j)](long i) { return random.template at<T>(i); };
  }
};

/// A(i, j) = conj(A(j, i)): both take the random number of the lower triangle.
struct Spd {
  std::uint64_t key;
  long n;
  template <typename T> auto column(long j) const {
    return [*this, j, random = randomColumn(key, j)](long i) -> T {
      if (i > j)
        return random.template at<T>(i);
      if (i < j)
        return conjugate(randomColumn(key, i).template at<T>(j));
      return realPart(random.template at<T>(i)) + static_cast<T>(static_cast<double>(n));
    };
  }
};

struct Dominant {
  std::uint64_t key;
  double scale;
  template <typename T> auto column(long j) const {
    return [j, scale = static_cast<T>(2 * scale), random = randomColumn(key, j)](long i) -> T {
      const T x = scale * random.template at<T>(i);
      return i == j ? T(1 + std::real(x)) : x; // real, as the diagonal of a Cholesky factor is
    };
  }
};

struct Triangular {
  std::uint64_t key;
  long n;
  bool lower;
  template <typename T> auto column(long j) const {
    return [*this, j, random = randomColumn(key, j)](long i) -> T {
      if (i == j)
        return random.template at<T>(i) + static_cast<T>(static_cast<double>(n));
      return (i > j) == lower ? random.template at<T>(i) : T(0);
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
  long n, columns;
  std::uint64_t key;
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
  return makeMatern(request.text, parameters, request.n, request.key);
}

struct Known {
  const char *name;
  const char *parameters;
  std::size_t maxArguments;
  bool square, hermitian;
  Source (*make)(const Request &);
};
constexpr Known generators[] = {
    {"random", "", 0, false, false, [](const Request &r) { return makeGenerated(r.text, Random{r.key}); }},
    {"spd", "", 0, true, true,
     [](const Request &r) {
       return makeGenerated(r.text, Spd{r.key, r.n});
     }},
    {"dominant", "", 0, false, false,
     [](const Request &r) {
       return makeGenerated(r.text, Dominant{r.key, 1.0 / static_cast<double>(std::max({r.n, r.columns, 1L}))});
     }},
    {"lower", "", 0, true, false,
     [](const Request &r) {
       return makeGenerated(r.text, Triangular{r.key, r.n, true});
     }},
    {"upper", "", 0, true, false,
     [](const Request &r) {
       return makeGenerated(r.text, Triangular{r.key, r.n, false});
     }},
    {"matern", "(range, smoothness, nugget)", 3, true, true, makeMaternFrom},
    {"hilbert", "", 0, false, true, [](const Request &r) { return makeGenerated(r.text, Hilbert{}); }},
    {"minij", "", 0, false, true, [](const Request &r) { return makeGenerated(r.text, MinIJ{}); }},
    {"identity", "", 0, false, true, [](const Request &r) { return makeGenerated(r.text, Diagonal{1}); }},
    {"zero", "", 0, false, true, [](const Request &r) { return makeGenerated(r.text, Diagonal{0}); }},
};

Source makeIntegers(const GeneratorCall &call, const std::string &matrix, long rows, std::uint64_t key) {
  if (call.name == "zero")
    return makeGenerated("zero", Diagonal{0});
  if (call.name == "pivots")
    return makeGenerated("pivots", Pivots{key, rows});
  throw UsageError(matrix + " is a matrix of integers, which " + printGenerator(call) +
                   " does not make; choose zero or pivots");
}

const Known &findGenerator(const std::string &name, const std::string &matrix) {
  std::vector<std::string> names;
  for (const Known &known : generators) {
    if (name == known.name)
      return known;
    names.push_back(known.name);
  }
  throw UsageError("unknown generator '" + name + "' for " + matrix + "; known are " + alternatives(names) +
                   suggestion(name, names));
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
  const Known &known = findGenerator(call.name, matrix);
  if (call.arguments.size() > known.maxArguments)
    throw UsageError(text + ": " + known.name + " takes " +
                     (known.maxArguments ? "at most " + std::to_string(known.maxArguments) : "no") + " arguments" +
                     (known.maxArguments ? " " : "") + known.parameters);
  if (known.square && rows != columns)
    throw UsageError("the generator " + text + " makes square matrices, but " + matrix + " is " + std::to_string(rows) +
                     " x " + std::to_string(columns));
  return known.make({text, call.arguments, rows, columns, streamKey(seed, matrix)});
}

std::string generatorHelp() {
  std::string text;
  for (const Known &known : generators)
    text += (text.empty() ? "" : ", ") + std::string(known.name) + known.parameters;
  return text;
}

std::vector<std::string> hermitianGenerators() {
  std::vector<std::string> names;
  for (const Known &known : generators)
    if (known.hermitian)
      names.push_back(known.name);
  return names;
}

bool makesTriangle(std::string_view generator) { return generator == "lower" || generator == "upper"; }

} // namespace tla::host
