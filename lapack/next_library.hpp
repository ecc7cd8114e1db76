// The library behind this one: the functions that the caller would have got without us.
#pragma once

#include "lapack/names.hpp"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>

namespace tla::lapack {

/// Where a call came from: an address in the object, program or library, that made it.
using Caller = const void *;

/// A loaded library with LAPACK in it.
struct NextLibrary {
  std::string file;                ///< empty: the main program
  bool plainNamesAreIlp64 = false; ///< dpotrf_ and all others take 64-bit integers
  int (*threads)() = nullptr;      ///< how many its BLAS may use; null where it does not say
  int threadsOfBuild = 0;          ///< for how many its BLAS was built; 0: it does not say
};

/// Where a call came from, and where it goes without us.
struct Origin {
  Caller caller;
  Names names;
  const NextLibrary *library; ///< the library that has the routine; null: none has it
};

struct NextFunction {
  void (*function)() = nullptr; ///< null: there is none
  const NextLibrary *library = nullptr;
};

/// The function `symbol` that a call from `caller` would have reached: the next one in the dynamic linker's order for
/// the whole process; else the one of the caller's own libraries (a Python wheel brings its LAPACK along, seen by its
/// modules alone); else of any library loaded so far, which finds that of callers by pointer; else, for LAPACK's plain
/// names, of the system's LAPACK, which is loaded for it. Never a function of this library. It stays loaded.
NextFunction findNext(const std::string &symbol, Caller caller);

/// The next function of one name, found once for each object that calls it.
class NextOfCallers {
public:
  NextOfCallers(Names names, const std::string &routine)
      : names_(names), symbol_(*new std::string(symbolOf(names, routine))) {}
  Names names() const { return names_; }
  const std::string &symbol() const { return symbol_; }
  /// From then on it takes no lock. An object that takes the place of another one that was unloaded gets that one's.
  const NextFunction &of(Caller caller) const;

private:
  struct Entry {
    const void *object;
    NextFunction next;
    const Entry *others;
  };
  Names names_;
  const std::string &symbol_; ///< never deleted: the process may still be calling when its static objects are gone
  mutable std::atomic<const Entry *> entries_ = nullptr; ///< a few, never removed
};

/// A Fortran subroutine of the library next to one caller. Arguments are as in Fortran's interface; the lengths of
/// CHARACTER arguments, which compilers append, are not among them.
template <typename... Arguments> class NextRoutine {
public:
  NextRoutine(const NextOfCallers &all, Caller caller) : all_(all), caller_(caller), next_(all.of(caller)) {}

  Origin origin() const { return {caller_, all_.names(), next_.library}; }

  /// Ends the process when there is no such function: there is no other way to do what the caller asks for.
  void operator()(Arguments... arguments) const {
    if (!next_.function) {
      std::fprintf(stderr, "hetc: %s is needed, and no other LAPACK is loaded that has it: link or preload one\n",
                   all_.symbol().c_str());
      std::abort();
    }
    call(std::make_index_sequence<characters>(), arguments...);
  }

private:
  static constexpr std::size_t lengthOf(std::size_t) { return 1; }
  static constexpr std::size_t characters = (std::size_t(std::is_same_v<Arguments, const char *>) + ... + 0);

  template <std::size_t... index> void call(std::index_sequence<index...>, Arguments... arguments) const {
    reinterpret_cast<void (*)(Arguments..., decltype(index)...)>(next_.function)(arguments..., lengthOf(index)...);
  }

  const NextOfCallers &all_;
  Caller caller_;
  const NextFunction &next_;
};

/// The routines of one name behind this library.
template <typename... Arguments> class Next : public NextOfCallers {
public:
  using NextOfCallers::NextOfCallers;
  NextRoutine<Arguments...> of(Caller caller) const { return {*this, caller}; }
};

} // namespace tla::lapack
