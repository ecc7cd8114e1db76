#include "compiler/codegen/processors.hpp"

#include "compiler/backend/compile.hpp"
#include "compiler/support/hash.hpp"

namespace hetc::codegen {

namespace {

#if defined(__x86_64__)
const std::vector<std::string> levels = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
#else
const std::vector<std::string> levels;
#endif

/// A hash of the contents of the files.
std::string hashOfAll(const std::vector<std::string> &files, const std::vector<std::string> &more) {
  std::string hashes;
  for (const auto *list : {&files, &more})
    for (const std::string &file : *list)
      hashes += support::hashOfFile(file).value_or("") + " ";
  return support::hashOf(hashes);
}

} // namespace

Processors chooseProcessors(const KernelPlaces &places) {
  if (places.march.empty() || places.march == "base" || !places.hasOwn)
    return {};
  Processors processors;
  if (places.march == "native" && places.isForHere) {
    processors.march = places.hasBodies ? "native" : "";
    processors.kernelMarch = "native";
    processors.native = backend::nativeProcessor();
    processors.sources = hashOfAll(places.read, places.files);
    return processors;
  }
  if (!places.hasBodies && places.files.empty()) // all bodies are elsewhere
    return processors;
  processors.versions = places.march == "all" ? levels : std::vector<std::string>{places.march};
  processors.files = places.files;
  processors.kernelMarch = places.march == "all" ? "" : places.march;
  return processors;
}

std::vector<std::string> knownMarches() {
  std::vector<std::string> marches = {"all", "base", "native"};
  marches.insert(marches.end(), levels.begin(), levels.end());
  return marches;
}

std::string featuresOf(const std::string &march) {
  if (march != "native")
    return march;
  const std::string processor = backend::nativeProcessor(); // "znver4 adx,avx2"
  return processor.substr(processor.find(' ') + 1);
}

} // namespace hetc::codegen
