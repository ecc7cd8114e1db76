// The algorithms of the library and of files, and what they say of their parameters.
#include "c/guarded.hpp"

#include <cstring>
#include <dlfcn.h>
#include <iterator>
#include <string>

#define HETC_ALGORITHM(name)                                                                                           \
  extern "C" const tla::runtime::Algorithm tla_algorithm_##name##_s, tla_algorithm_##name##_d,                         \
      tla_algorithm_##name##_c, tla_algorithm_##name##_z;
#include <algorithms.def>
#undef HETC_ALGORITHM

namespace {

using tla::UsageError;
using tla::runtime::Algorithm;

struct Entry {
  const char *name;
  const Algorithm *types[4]; ///< one description for each element type, in the order of `letters`
};

constexpr char letters[] = "sdcz";
constexpr Entry entries[] = {
#define HETC_ALGORITHM(name)                                                                                           \
  {#name, {&tla_algorithm_##name##_s, &tla_algorithm_##name##_d, &tla_algorithm_##name##_c, &tla_algorithm_##name##_z}},
#include <algorithms.def>
#undef HETC_ALGORITHM
};

const hetc_algorithm *handleOf(const Algorithm *algorithm) {
  return reinterpret_cast<const hetc_algorithm *>(algorithm);
}

int indexOf(char type) {
  const char *const letter = type ? std::strchr(letters, type) : nullptr;
  if (!letter)
    throw UsageError(std::string("no element type '") + type + "'; it is s, d, c or z");
  return static_cast<int>(letter - letters);
}

const Algorithm *findAlgorithm(const std::string &name, char type) {
  const int index = indexOf(type);
  for (const Entry &entry : entries)
    if (name == entry.name) {
      if (!entry.types[index])
        throw UsageError("this library has '" + name + "' for type d only; hetc_load() takes it for others from files");
      return entry.types[index];
    }
  throw UsageError("no algorithm '" + name + "' in this library; hetc_name() lists them, hetc_load() takes others");
}

const Algorithm *loadAlgorithm(const char *file, const std::string &name, char type) {
  indexOf(type);
  void *const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    throw UsageError(dlerror());
  const std::string symbol = "tla_algorithm_" + name + "_" + type;
  const void *const found = dlsym(library, symbol.c_str());
  if (!found) {
    dlclose(library);
    throw UsageError(std::string(file) + " has no algorithm '" + name + "' for type " + type +
                     "; make it so: hetc --shared --algorithm " + name + " --type " + type);
  }
  return static_cast<const Algorithm *>(found);
}

int requireNumber(int i, int count, const char *what) {
  if (i < 0 || i >= count)
    throw UsageError("no " + std::string(what) + " " + std::to_string(i) + "; there are " + std::to_string(count));
  return i;
}

} // namespace

using hetc::algorithmOf, hetc::guarded, hetc::require;

const char *hetc_name(int i) { return i >= 0 && i < static_cast<int>(std::size(entries)) ? entries[i].name : nullptr; }

hetc_status hetc_find(const char *name, char type, const hetc_algorithm **algorithm) {
  return guarded([&] {
    require(name, "name");
    require(algorithm, "algorithm");
    *algorithm = handleOf(findAlgorithm(name, type));
    return HETC_OK;
  });
}

hetc_status hetc_load(const char *file, const char *name, char type, const hetc_algorithm **algorithm) {
  return guarded([&] {
    require(file, "file");
    require(name, "name");
    require(algorithm, "algorithm");
    *algorithm = handleOf(loadAlgorithm(file, name, type));
    return HETC_OK;
  });
}

const char *hetc_algorithm_name(const hetc_algorithm *algorithm) {
  return algorithm ? algorithmOf(algorithm).name : nullptr;
}
int hetc_matrix_count(const hetc_algorithm *algorithm) { return algorithm ? algorithmOf(algorithm).matrixCount : 0; }
int hetc_scalar_count(const hetc_algorithm *algorithm) { return algorithm ? algorithmOf(algorithm).scalarCount : 0; }

hetc_status hetc_matrix_at(const hetc_algorithm *algorithm, int i, hetc_matrix_parameter *parameter) {
  return guarded([&] {
    require(parameter, "parameter");
    const Algorithm &described = algorithmOf(algorithm);
    const tla::runtime::MatrixParameter &matrix = described.matrices[requireNumber(i, described.matrixCount, "matrix")];
    const char part = matrix.shape == tla::Shape::General ? 'G' : matrix.shape == tla::Shape::Lower ? 'L' : 'U';
    *parameter = {matrix.name, matrix.shapeText, static_cast<char>(matrix.type),
                  part,        matrix.written,   matrix.workspace != nullptr};
    return HETC_OK;
  });
}

hetc_status hetc_scalar_at(const hetc_algorithm *algorithm, int i, hetc_scalar_parameter *parameter) {
  return guarded([&] {
    require(parameter, "parameter");
    const Algorithm &described = algorithmOf(algorithm);
    const tla::runtime::ScalarParameter &scalar = described.scalars[requireNumber(i, described.scalarCount, "scalar")];
    const bool tuned = !scalar.hasDefault && scalar.candidateCount > 0;
    const hetc_scalar value{tuned ? scalar.candidates[0] : scalar.defaultValue.integer, scalar.defaultValue.real,
                            scalar.defaultValue.imag};
    *parameter = {scalar.name, scalar.type, scalar.hasDefault || tuned, value};
    return HETC_OK;
  });
}
