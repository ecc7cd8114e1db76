// A line of the list of stages (compile.cpp): a stage, or a place where a request may end.
#pragma once

#include "compiler/driver/compilation.hpp"

namespace hetc::driver {

struct Step {
  /// The name: of a stage as --time-stages, notes and messages have it, of an end as --emit has it; null: it has none.
  const char *name;
  /// Whether the request, or the program, wants it.
  bool (Compilation::*isWanted)() const;
  Said (Compilation::*run)() = nullptr;                         ///< a stage; null: an end
  const ir::Program &(Compilation::*subject)() const = nullptr; ///< the program that the verifier sees behind it
  Emit emit = Emit::Parse;                                      ///< request that ends here
  bool (Compilation::*write)() const = nullptr; ///< writes what a request that ends here wants; null: nothing, or a
                                                ///< stage has done so
};

constexpr Step stage(const char *name, Said (Compilation::*run)(), const ir::Program &(Compilation::*subject)() const,
                     bool (Compilation::*isWanted)() const = &Compilation::always) {
  return {.name = name, .isWanted = isWanted, .run = run, .subject = subject};
}

constexpr Step end(Emit emit, const char *name = nullptr, bool (Compilation::*write)() const = nullptr,
                   bool (Compilation::*isWanted)() const = &Compilation::always) {
  return {.name = name, .isWanted = isWanted, .emit = emit, .write = write};
}

} // namespace hetc::driver
