#include "tests/fuzz/compiled.hpp"

#include "compiler/driver/compile.hpp"

#include <dlfcn.h>

namespace fuzz {

namespace rt = tla::runtime;

namespace {

/// A remark's text: without place and names, as counts are by.
std::string withoutNames(const std::string &remark) {
  const std::size_t at = remark.find("remark: ");
  std::string text = remark.substr(at == std::string::npos ? 0 : at + 8, 110);
  bool quoted = false;
  std::erase_if(text, [&](char c) {
    quoted ^= c == '\'';
    return quoted || (c >= '0' && c <= '9');
  });
  return text;
}

void count(const rt::Algorithm &algorithm, const hetc::driver::Result &result, Counts &counts) {
  for (const std::string &remark : result.remarks)
    ++counts["remark: " + withoutNames(remark)];
  ++counts["compiled"];
  counts["compiled with loops of nodes"] += algorithm.generateNode != nullptr;
  counts["compiled into slices"] += algorithm.slices() > 1;
  counts["compiled into slices with loops of nodes"] += algorithm.slices() > 1 && algorithm.generateNode;
  counts["compiled for copies of nodes"] += algorithm.copies() > 1;
  for (int i = 0; i < algorithm.matrixCount; ++i)
    counts["matrices at home by rows"] += algorithm.matrices[i].byRows != nullptr;
  counts["compiled for copies of nodes with loops of nodes"] += algorithm.copies() > 1 && algorithm.generateNode;
  counts["compiled without proof of all indices"] += !result.proved;
}

} // namespace

std::optional<Failure> compile(const std::string &file, const std::string &name, const TrialPlan &plan,
                               const Variant &variant, const std::string &library, Counts &counts,
                               const rt::Algorithm *&algorithm) {
  hetc::driver::Request request;
  request.file = file;
  request.algorithm = name;
  request.type = *hetc::ir::elementTypeFromLetter(plan.type);
  request.march = plan.march;
  request.emit = hetc::driver::Emit::SharedLibrary;
  request.emitMain = request.optimize = request.remarks = false;
  request.split = variant.slices;
  request.copies = variant.copies;
  if (!variant.distribution.empty())
    request.distribution = tla::parseDistribution(variant.distribution);
  request.output = library;
  const hetc::driver::Result result = hetc::driver::compile(request);
  if (result.mapRefused) // which hetc finds when it checks what it made
    return Failure{"validation", "updates dealt to copies"};
  if (!result.ok && result.hasNoUpdates) {
    ++counts["programs without updates for copies of nodes"];
    return std::nullopt;
  }
  if (!result.ok)
    return Failure{"rejected", ""};
  for (const std::string &remark : result.remarks)
    if (remark.find("own error") != std::string::npos) // what hetc finds when it checks what it made
      return Failure{"validation", remark};
  void *const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string symbol = "tla_algorithm_" + name + "_" + plan.type;
  algorithm = handle ? static_cast<const rt::Algorithm *>(dlsym(handle, symbol.c_str())) : nullptr;
  if (!algorithm)
    return Failure{"does not load", handle ? symbol : dlerror()};
  count(*algorithm, result, counts);
  return std::nullopt;
}

} // namespace fuzz
