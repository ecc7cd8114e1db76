// Streams whose numbers look the same everywhere.
#pragma once

#include <fstream>
#include <locale>
#include <sstream>
#include <utility>

namespace tla {

/// A stream of the standard library has the global locale, which the host sets as it likes (std::locale::global): in
/// German 2.5 is written "2,5" and 1600 "1.600", and read so. These have the classic locale.
template <typename Stream> class Classic : public Stream {
public:
  template <typename... Arguments>
  explicit Classic(Arguments &&...arguments) : Stream(std::forward<Arguments>(arguments)...) {
    this->imbue(std::locale::classic());
  }
};

using TextReader = Classic<std::istringstream>;
using TextWriter = Classic<std::ostringstream>;
using FileReader = Classic<std::ifstream>;
using FileWriter = Classic<std::ofstream>;

} // namespace tla
