// The description of a compiled algorithm: emitted by the compiler beside its generator, read by the program's main
// (runtime/bootstrap) and by C++ callers. Plain data, stable.
#pragma once

#include <tla/runtime/generator.hpp>

namespace tla::runtime {

/// LAPACK's letter of an element type; I is int.
enum class ElementType : char { S = 's', D = 'd', C = 'c', Z = 'z', I = 'i' };

/// A scalar argument. `integer` for int and the enumerations (by value), `real` and `imag` for T and real.
struct ScalarValue {
  long integer = 0;
  double real = 0, imag = 0;
};

/// Values of the size symbols and scalar parameters, from which shapes follow.
struct Values {
  long m = 0, n = 0, k = 0;
  const ScalarValue *scalars = nullptr; ///< in the order of Algorithm::scalars
};

struct MatrixParameter {
  const char *name;
  Shape shape;
  ElementType type;
  /// Elements.
  long (*rows)(const Values &);
  long (*cols)(const Values &);
  const char *shapeText; ///< "n x k", for messages
  /// How to fill it when no file is given: "spd", "random", ...; empty when the algorithm does not say.
  const char *generator;
  const double *generatorArguments;
  int generatorArgumentCount;
  bool written; ///< some task writes it: what --output may save
};

struct ScalarParameter {
  const char *name;
  const char *type; ///< "int", "T", "real", "Op", "Uplo", "Diag", "Side"
  bool hasDefault;
  ScalarValue defaultValue;
};

/// Arguments of one call, in the order of the description.
struct Arguments {
  Storage *const *matrices;
  const ScalarValue *scalars;
};

struct Algorithm {
  const char *name;   ///< "cholesky"
  const char *source; ///< "algorithms/cholesky.tla"
  ElementType type;
  const MatrixParameter *matrices;
  int matrixCount;
  const ScalarParameter *scalars;
  int scalarCount;
  /// Size symbols in use ("mn") and the default of each ("m", "n", "k"): 0 when there is none.
  const char *sizes;
  Values sizeDefaults;
  const char *check; ///< "llt", or empty
  const char *const *checkArguments;
  int checkArgumentCount;
  /// Bytes of workspace tiles for these values and this tile size.
  double (*workspaceBytes)(const Values &, long nb);
  /// The sequential program, appending its tasks.
  void (*generate)(Generator &, const Arguments &);
  /// The serial elision: the same source, run by plain C++ on the calling thread.
  void (*serial)(const Arguments &);
};

} // namespace tla::runtime
