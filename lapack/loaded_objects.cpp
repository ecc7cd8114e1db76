#include "lapack/loaded_objects.hpp"

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <link.h>

namespace tla::lapack {
namespace {

const link_map *mapAt(const void *address) {
  dl_find_object found{};
  return _dl_find_object(const_cast<void *>(address), &found) == 0 ? found.dlfo_link_map : nullptr;
}

/// The dynamic section of an object; addresses in it are those of this process, except the kernel's own object.
class DynamicSection {
public:
  explicit DynamicSection(const ElfW(Dyn) * entries, ElfW(Addr) base) : entries_(entries), base_(base) {}

  template <typename T> const T *table(ElfW(Sxword) tag) const {
    for (const ElfW(Dyn) *entry = entries_; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == tag)
        return reinterpret_cast<const T *>(entry->d_un.d_ptr < base_ ? base_ + entry->d_un.d_ptr : entry->d_un.d_ptr);
    return nullptr;
  }
  /// Every value of a tag.
  std::vector<ElfW(Xword)> values(ElfW(Sxword) tag) const {
    std::vector<ElfW(Xword)> all;
    for (const ElfW(Dyn) *entry = entries_; entry->d_tag != DT_NULL; ++entry)
      if (entry->d_tag == tag)
        all.push_back(entry->d_un.d_val);
    return all;
  }
  /// How many symbols there are, which only the hash tables say: ELF's own has as many chains, GNU's ends each chain
  /// of the symbols that are defined, the last ones, by an odd number.
  std::size_t symbolCount() const {
    if (const auto *hash = table<std::uint32_t>(DT_HASH))
      return hash[1];
    const auto *hash = table<std::uint32_t>(DT_GNU_HASH);
    if (!hash)
      return 0;
    const std::uint32_t buckets = hash[0], first = hash[1], words = hash[2];
    const std::uint32_t *const bucket = hash + 4 + words * (sizeof(ElfW(Addr)) / 4), *const chain = bucket + buckets;
    std::uint32_t last = 0;
    for (std::uint32_t b = 0; b < buckets; ++b)
      last = std::max(last, bucket[b]);
    if (last < first)
      return first;
    while (!(chain[last - first] & 1))
      ++last;
    return last + 1;
  }

private:
  const ElfW(Dyn) * entries_;
  ElfW(Addr) base_;
};

using Wanted = bool (*)(const char *);

std::vector<LoadedSymbol> symbolsOf(const dl_phdr_info &info, Wanted wanted) {
  const auto *const header = std::find_if(info.dlpi_phdr, info.dlpi_phdr + info.dlpi_phnum,
                                          [](const auto &h) { return h.p_type == PT_DYNAMIC; });
  if (header == info.dlpi_phdr + info.dlpi_phnum)
    return {};
  const DynamicSection section(reinterpret_cast<const ElfW(Dyn) *>(info.dlpi_addr + header->p_vaddr), info.dlpi_addr);
  const auto *const table = section.table<ElfW(Sym)>(DT_SYMTAB);
  const auto *const names = section.table<char>(DT_STRTAB);
  std::vector<LoadedSymbol> symbols;
  const std::size_t count = table && names ? section.symbolCount() : 0;
  for (std::size_t i = 0; i < count; ++i)
    if (const char *const name = names + table[i].st_name; wanted(name))
      symbols.push_back({name, table[i].st_shndx != SHN_UNDEF});
  return symbols;
}

} // namespace

const void *objectAt(const void *address) { return mapAt(address); }

std::string fileOf(const void *address) {
  const link_map *const map = mapAt(address);
  return map && map->l_name ? map->l_name : "";
}

std::vector<std::string> loadedFiles() {
  std::vector<std::string> files;
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *list) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string> *>(list)->push_back(info->dlpi_name);
        return 0;
      },
      &files);
  return files;
}

std::vector<std::string> librariesNeededBy(const void *address) {
  const link_map *const map = mapAt(address);
  if (!map)
    return {};
  const DynamicSection section(map->l_ld, map->l_addr);
  const auto *const names = section.table<char>(DT_STRTAB);
  std::vector<std::string> needed;
  if (names)
    for (const ElfW(Xword) offset : section.values(DT_NEEDED))
      needed.emplace_back(names + offset);
  return needed;
}

std::vector<LoadedObject> loadedObjects(Wanted wanted) {
  struct Walk {
    Wanted wanted;
    std::vector<LoadedObject> objects;
  } walk{wanted, {}};
  dl_iterate_phdr(
      [](dl_phdr_info *info, std::size_t, void *data) {
        Walk &all = *static_cast<Walk *>(data);
        const link_map *const here = mapAt(reinterpret_cast<const void *>(&loadedFiles));
        all.objects.push_back({info->dlpi_name ? info->dlpi_name : "", here && here->l_addr == info->dlpi_addr,
                               symbolsOf(*info, all.wanted)});
        return 0;
      },
      &walk);
  return std::move(walk.objects);
}

} // namespace tla::lapack
