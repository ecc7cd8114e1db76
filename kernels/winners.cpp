#include "kernels/winners.hpp"

#include "dsl/base/cache_folder.hpp"
#include "dsl/base/hash.hpp"
#include "dsl/base/processor.hpp"
#include "dsl/base/streams.hpp"
#include "kernels/candidate_sources.hpp"
#include "kernels/open_module.hpp"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>
#include <filesystem>
#include <set>

namespace tla::kernels {

namespace {
bool parse(const std::string &line, Winner &winner) {
  TextReader in(line);
  in >> winner.kernel >> winner.type >> winner.file >> winner.hash >> winner.sources >> winner.date >> winner.gflops >>
      winner.gflopsBefore >> winner.nameBefore >> std::ws;
  return std::getline(in, winner.processor) && winner.file.find('/') == std::string::npos;
}

bool isSamePlace(const Winner &a, const Winner &b) {
  return a.kernel == b.kernel && a.type == b.type && a.processor == b.processor;
}

template <typename T> void setBody(KernelTable<T> &table, const std::string &kernel, void *body) {
#define TLA_KERNEL(result, name, traits, parameters, arguments)                                                        \
  if (kernel == #name)                                                                                                 \
    table.name = {reinterpret_cast<decltype(table.name.body)>(body), "hetc tune"};
#include <tla/kernels/kernels.def>
}

/// Whether nobody else can have written there; if one can, says so on standard error.
bool isUsable(const std::string &path) {
  const std::string why = whyNotPrivate(path);
  if (!why.empty())
    std::fprintf(stderr, "hetc: warning: tuned kernels are not used: %s\n", why.c_str());
  return why.empty();
}

void setBody(const Tables &tables, const Winner &winner, void *body) {
  if (winner.type == "s")
    setBody(*tables.s, winner.kernel, body);
  else if (winner.type == "d")
    setBody(*tables.d, winner.kernel, body);
  else if (winner.type == "c")
    setBody(*tables.c, winner.kernel, body);
  else if (winner.type == "z")
    setBody(*tables.z, winner.kernel, body);
}
} // namespace

bool Winner::fits() const { return processor == processorName() && sources == candidateSources(); }

std::string tuningFolder() { return cacheFolder() / "tuning"; }

std::string processorName() {
  const VectorLevel level = vectorLevel();
  return processorModel() + (level >= VectorLevel::Avx2 ? std::string(", ") + nameOf(level) : "");
}

std::string candidateSources() { return candidateSourcesHash; }

std::string contentHash(const std::string &file) {
  FileReader in(file, std::ios::binary);
  if (!in)
    return "";
  TextWriter content;
  content << in.rdbuf();
  return hashOf(content.str());
}

std::vector<Winner> readWinners(const std::string &folder) {
  std::vector<Winner> winners;
  FileReader in(folder + "/winners");
  for (std::string line; std::getline(in, line);) {
    Winner winner;
    if (!parse(line, winner))
      continue;
    std::erase_if(winners, [&](const Winner &each) { return isSamePlace(each, winner); });
    winners.push_back(std::move(winner));
  }
  return winners;
}

bool isTuned() {
  const std::vector<Winner> winners = readWinners();
  return std::any_of(winners.begin(), winners.end(),
                     [](const Winner &each) { return each.processor == processorName(); });
}

std::string lineOf(const Winner &winner) {
  TextWriter out;
  out << winner.kernel << " " << winner.type << " " << winner.file << " " << winner.hash << " " << winner.sources << " "
      << winner.date << " " << winner.gflops << " " << winner.gflopsBefore << " " << winner.nameBefore << " "
      << winner.processor << "\n";
  return out.str();
}

std::string installWinners(const Tables &tables) {
  const std::string folder = tuningFolder();
  std::set<std::string> installed; // in an order that the list's does not change
  std::error_code ignored;
  if (!std::filesystem::exists(folder, ignored) || !isUsable(folder))
    return "";
  for (const Winner &winner : readWinners(folder)) {
    const std::string file = folder + "/" + winner.file;
    if (!winner.isBody() || !winner.fits() || contentHash(file) != winner.hash || !isUsable(file))
      continue;
    if (void *handle = openOwnLibrary(file.c_str()))
      if (void *body = dlsym(handle, candidateSymbol)) {
        setBody(tables, winner, body);
        installed.insert(winner.kernel + " " + winner.type + " " + winner.hash);
      }
  }
  std::string text;
  for (const std::string &each : installed)
    text += (text.empty() ? "" : ", ") + each;
  return text;
}

} // namespace tla::kernels
