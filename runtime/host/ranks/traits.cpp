#include "runtime/host/ranks/traits.hpp"

#include "dsl/base/text.hpp"
#include "runtime/host/ranks/packed_text.hpp"

#include <tla/runtime/error.hpp>

#include <map>

namespace tla::host {
namespace {
/// The first option that differs, with its value where that is a word of its own.
std::string optionsDifference(const std::string &theirs, const std::string &first) {
  const std::vector<std::string> a = partsOf(theirs), b = partsOf(first);
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at])
    ++at;
  const auto shown = [at](const std::vector<std::string> &list) {
    if (at >= list.size())
      return std::string("nothing");
    const bool value = at > 0 && list[at - 1].starts_with("-") && !list[at].starts_with("-");
    return "'" + (value ? list[at - 1] + " " : "") + list[at] + "'";
  };
  return shown(a) + " instead of " + shown(b);
}

std::string valuesOf(const std::vector<Trait> &traits) {
  std::string text;
  for (const Trait &trait : traits)
    appendPart(text, trait.value);
  return text;
}

/// The other way round; `mine` has the names.
std::vector<Trait> traitsWith(const std::vector<Trait> &mine, const std::string &values) {
  std::vector<Trait> traits = mine;
  const std::vector<std::string> parts = partsOf(values);
  for (std::size_t i = 0; i < traits.size(); ++i)
    traits[i].value = i < parts.size() ? parts[i] : "";
  return traits;
}
} // namespace

std::string difference(int rank, const std::vector<Trait> &theirs, const std::vector<Trait> &first, int firstRank) {
  for (std::size_t i = 0; i < first.size(); ++i)
    if (theirs[i].value != first[i].value) {
      const bool options = first[i].name == "options";
      return format("rank %d has %s %s than rank %d: ", rank, options ? "other" : "another", first[i].name.c_str(),
                    firstRank) +
             (options ? optionsDifference(theirs[i].value, first[i].value)
                      : theirs[i].value + " instead of " + first[i].value) +
             (first[i].advice.empty() ? "" : "; " + first[i].advice);
    }
  return {};
}

void requireSameTraits(Ranks &ranks, const std::vector<Trait> &mine, const std::string &kind) {
  std::vector<Trait> told = mine;
  told.push_back({"kind", kind});
  if (ranks.allEqual(valuesOf(told)))
    return;
  const std::vector<std::string> all = ranks.exchange(valuesOf(told));
  std::map<std::string, std::size_t> lowest; // by kind
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::vector<Trait> theirs = traitsWith(told, all[rank]);
    const std::size_t first = lowest.try_emplace(theirs.back().value, rank).first->second;
    const std::string text =
        difference(static_cast<int>(rank), theirs, traitsWith(told, all[first]), static_cast<int>(first));
    if (!text.empty())
      throw UsageError(text);
  }
}

} // namespace tla::host
