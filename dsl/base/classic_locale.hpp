// Numbers as C writes and reads them, whatever locale the host has set.
#pragma once

#include <locale.h>

namespace tla {

/// While it lives, printf(), strtod() and the like have a decimal point on the calling thread: a host that calls
/// setlocale() for its users would else have 2.5 written "2,5".
class ClassicLocale {
public:
  ClassicLocale();
  ClassicLocale(const ClassicLocale &) = delete;
  ClassicLocale &operator=(const ClassicLocale &) = delete;
  ~ClassicLocale();

private:
  const locale_t before_;
};

} // namespace tla
