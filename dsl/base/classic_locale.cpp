#include "dsl/base/classic_locale.hpp"

namespace tla {

/// Null where there is no memory for it: then uselocale() changes nothing. Never freed, as there is no last use.
static locale_t classic() {
  static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return locale;
}

ClassicLocale::ClassicLocale() : before_(::uselocale(classic())) {}
ClassicLocale::~ClassicLocale() { ::uselocale(before_); }

} // namespace tla
