// Descriptions of algorithms without a compiler.
#pragma once

#include <tla/runtime/algorithm.hpp>

#include <complex>

namespace tla::test {

template <typename T> inline constexpr runtime::ElementType typeOf = runtime::ElementType::D;
template <> inline constexpr runtime::ElementType typeOf<float> = runtime::ElementType::S;
template <> inline constexpr runtime::ElementType typeOf<std::complex<float>> = runtime::ElementType::C;
template <> inline constexpr runtime::ElementType typeOf<std::complex<double>> = runtime::ElementType::Z;

/// The description that the lists, all static, make.
template <int matrixCount, int scalarCount, int argumentCount>
runtime::Algorithm describe(const char *name, runtime::ElementType type,
                            const runtime::MatrixParameter (&matrices)[matrixCount],
                            const runtime::ScalarParameter (&scalars)[scalarCount], const char *check,
                            const char *const (&arguments)[argumentCount],
                            void (*generate)(runtime::Generator &, const runtime::Arguments &)) {
  return {name, name,  type,      matrices,      matrixCount, scalars,  scalarCount, "mnk",
          {},   check, arguments, argumentCount, nullptr,     generate, nullptr};
}
template <int matrixCount, int argumentCount>
runtime::Algorithm describe(const char *name, runtime::ElementType type,
                            const runtime::MatrixParameter (&matrices)[matrixCount], const char *check,
                            const char *const (&arguments)[argumentCount],
                            void (*generate)(runtime::Generator &, const runtime::Arguments &)) {
  return {name, name,  type,      matrices,      matrixCount, nullptr,  0,      "mnk",
          {},   check, arguments, argumentCount, nullptr,     generate, nullptr};
}

} // namespace tla::test
