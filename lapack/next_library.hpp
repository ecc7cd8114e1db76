// The library behind this one: the functions that the caller would have got without us.
#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>

namespace tla::lapack {

/// The function `symbol` of the next library in the dynamic linker's order; else of any library loaded so far, which
/// finds those that were opened for themselves, as Python's extension modules and their LAPACK are; else of the
/// system's LAPACK, which is loaded for it. Null when there is none. Never a function of this library.
void *nextFunction(const char *symbol);

/// A Fortran subroutine of the next library, looked up once. Arguments are as in Fortran's interface; the lengths of
/// CHARACTER arguments, which compilers append, are not among them.
template <typename... Arguments> class Next {
public:
  explicit Next(std::string symbol)
      : symbol_(std::move(symbol)), function_(reinterpret_cast<void (*)()>(nextFunction(symbol_.c_str()))) {}

  /// Ends the process when there is no such function: there is no other way to do what the caller asks for.
  void operator()(Arguments... arguments) const {
    if (!function_) {
      std::fprintf(stderr, "hetc: %s is needed, and no other LAPACK is loaded that has it: link or preload one\n",
                   symbol_.c_str());
      std::abort();
    }
    call(std::make_index_sequence<characters>(), arguments...);
  }

private:
  static constexpr std::size_t lengthOf(std::size_t) { return 1; }
  static constexpr std::size_t characters = (std::size_t(std::is_same_v<Arguments, const char *>) + ... + 0);

  template <std::size_t... index> void call(std::index_sequence<index...>, Arguments... arguments) const {
    reinterpret_cast<void (*)(Arguments..., decltype(index)...)>(function_)(arguments..., lengthOf(index)...);
  }

  std::string symbol_;
  void (*function_)();
};

} // namespace tla::lapack
