#include "compiler/support/nearest.hpp"
#include "kernels/tuning/tuner/cpu_gemm.hpp"

#include <algorithm>
#include <map>

namespace hetc::tuning {

namespace {
using Made = std::variant<std::unique_ptr<Family>, std::string>;
using Maker = std::unique_ptr<Family> (*)(const FamilyRequest &);

struct Target {
  std::map<std::string, Maker> kernels;
  std::string absent; ///< why there are none
};

const std::map<std::string, Target> targets = {
    {"cpu", {{{"gemm", makeCpuGemm}}, ""}},
    {"cuda", {{}, "candidates for CUDA devices cannot be measured by this build of hetc; use --target cpu"}}};

template <typename Value> std::vector<std::string> namesOf(const std::map<std::string, Value> &map) {
  std::vector<std::string> names;
  for (const auto &[name, value] : map)
    names.push_back(name);
  return names;
}

std::string unknown(const std::string &what, const std::string &word, const std::vector<std::string> &known) {
  std::string list;
  for (const std::string &each : known)
    list += (list.empty() ? "" : ", ") + each;
  const std::string near = support::nearest(word, known, 2);
  return "unknown " + what + " '" + word + "'; " + (near.empty() ? "known: " + list : "did you mean '" + near + "'?");
}
} // namespace

Made makeFamily(const FamilyRequest &request) {
  const std::vector<std::string> types = {"s", "d", "c", "z"};
  if (std::ranges::find(types, request.type) == types.end())
    return unknown("type", request.type, types);
  const std::size_t colon = request.target.find(':');
  const std::string kind = request.target.substr(0, colon);
  const auto target = targets.find(kind);
  if (target == targets.end() || (kind == "cpu" && colon != std::string::npos))
    return unknown("target", request.target, namesOf(targets));
  if (!target->second.absent.empty())
    return target->second.absent;
  const auto maker = target->second.kernels.find(request.kernel);
  if (maker == target->second.kernels.end()) {
    std::string list;
    for (const std::string &each : namesOf(target->second.kernels))
      list += (list.empty() ? "" : ", ") + each;
    return "there are no candidates of '" + request.kernel + "' for " + kind + ", only of " + list;
  }
  return maker->second(request);
}

} // namespace hetc::tuning
