#include "dsl/base/classic_locale.hpp"

namespace tla {

/// The locale "C"; null where there is no memory for it, and then uselocale() changes nothing. Never freed, as there is
/// no last use.
static locale_t classic() {
  static const locale_t locale = ::newlocale(LC_ALL_MASK, "C", nullptr);
  return locale;
}

ClassicLocale::ClassicLocale() : before_(::uselocale(classic())) {}
ClassicLocale::~ClassicLocale() { ::uselocale(before_); }

} // namespace tla
