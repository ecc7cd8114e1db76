#include "compiler/support/paths.hpp"
#include "dsl/base/nearest.hpp"
#include "tools/tuner/cpu_gemm.hpp"
#include "tools/tuner/cuda_gemm.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace hetc::tuning {

namespace {
/// Candidates of one kernel on one kind of device.
struct Row {
  std::unique_ptr<Family> (*make)(const FamilyRequest &); ///< throws std::runtime_error
  std::map<std::string, std::string> spaces;              ///< spaces by type; "": that of the other types
  std::vector<int> sizes;                                 ///< sizes of the problem, where none are given
};

/// The families by target and kernel.
const std::map<std::string, std::map<std::string, Row>> families = {
    {"cpu", {{"gemm", {makeCpuGemm, {{"", "cpu_gemm"}}, {256, 1000}}}}},
    {"cuda",
     {{"gemm",
       {makeCudaGemm, {{"d", "cuda_dgemm_mma"}, {"z", "cuda_dgemm_mma"}, {"", "cuda_gemm_simt"}}, {512, 8192}}}}}};

/// "cuda" of "cuda:0".
std::string kindOf(const std::string &target) { return target.substr(0, target.find(':')); }

template <typename Value> std::vector<std::string> namesOf(const std::map<std::string, Value> &map) {
  std::vector<std::string> names;
  for (const auto &[name, value] : map)
    names.push_back(name);
  return names;
}

std::string listOf(const std::vector<std::string> &words) {
  std::string list;
  for (const std::string &each : words)
    list += (list.empty() ? "" : ", ") + each;
  return list;
}

std::string unknown(const std::string &what, const std::string &word, const std::vector<std::string> &known) {
  const std::string near = tla::nearest(word, known);
  return "unknown " + what + " '" + word + "'; " +
         (near.empty() ? "known: " + listOf(known) : "did you mean '" + near + "'?");
}

/// "cpu" and "cuda" by name, "cuda:N" by number.
bool isTarget(const std::string &target) {
  const std::size_t colon = target.find(':');
  if (!families.contains(kindOf(target)) || colon == std::string::npos)
    return families.contains(target);
  const std::string number = target.substr(colon + 1);
  return target.starts_with("cuda:") && !number.empty() && number.size() < 4 &&
         number.find_first_not_of("0123456789") == std::string::npos;
}

/// A request of known names; null: there is none.
const Row *find(const FamilyRequest &request) {
  const auto &kernels = families.at(kindOf(request.target));
  const auto row = kernels.find(request.kernel);
  return row == kernels.end() ? nullptr : &row->second;
}
} // namespace

std::string checkNames(const FamilyRequest &request) {
  const std::vector<std::string> types = {"s", "d", "c", "z"};
  if (std::ranges::find(types, request.type) == types.end())
    return unknown("type", request.type, types);
  return isTarget(request.target) ? "" : unknown("target", request.target, namesOf(families));
}

std::string usualSpace(const FamilyRequest &request) {
  const Row *row = find(request);
  if (!row)
    return "";
  const auto space = row->spaces.find(request.type);
  return support::spacesDir() + "/" + (space == row->spaces.end() ? row->spaces.at("") : space->second) + ".space";
}

std::variant<std::unique_ptr<Family>, std::string> makeFamily(FamilyRequest request) {
  const Row *row = find(request);
  if (!row)
    return "there are no candidates of '" + request.kernel + "' for " + request.target + ", only of " +
           listOf(namesOf(families.at(kindOf(request.target))));
  if (request.sizes.empty())
    request.sizes = row->sizes;
  try {
    return row->make(request);
  } catch (const std::runtime_error &error) {
    return error.what();
  }
}

} // namespace hetc::tuning
