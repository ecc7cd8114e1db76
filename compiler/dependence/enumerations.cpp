#include "compiler/dependence/enumerations.hpp"

namespace hetc::dependence {

std::vector<std::pair<std::string, std::int64_t>> enumMembers(const std::string &type) {
  // The values are CBLAS's: dsl/include/tla/types.hpp.
  const std::string plain = type.substr(type.rfind(':') + 1);
  if (plain == "Op")
    return {{"NoTrans", 111}, {"Trans", 112}, {"ConjTrans", 113}};
  if (plain == "Uplo")
    return {{"Upper", 121}, {"Lower", 122}};
  if (plain == "Diag")
    return {{"NonUnit", 131}, {"Unit", 132}};
  if (plain == "Side")
    return {{"Left", 141}, {"Right", 142}};
  return {};
}

std::string enumeratorName(std::int64_t value) {
  for (const char *type : {"Op", "Uplo", "Diag", "Side"})
    for (const auto &[name, number] : enumMembers(type))
      if (number == value)
        return name;
  return "";
}

} // namespace hetc::dependence
