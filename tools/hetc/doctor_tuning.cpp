#include "tools/hetc/doctor_tuning.hpp"

#include "dsl/base/text.hpp"
#include "kernels/winners.hpp"

#include <algorithm>
#include <complex>
#include <map>
#include <optional>

namespace hetc::tools {

namespace {
using tla::format;
using tla::kernels::Winner;

template <typename T> std::string bodiesOf() {
  std::map<std::string, std::string> kernels;
  tla::kernels::visitKernels(tla::kernels::kernelTable<T>(), [&](const char *kernel, const char *body) {
    std::string &list = kernels[body];
    list += (list.empty() ? "" : ", ") + std::string(kernel);
  });
  std::string text;
  for (const auto &[body, list] : kernels)
    text += (text.empty() ? "" : "; ") + body + ": " + list;
  return text;
}

/// This machine's, from this or another build of hetc.
std::optional<Winner> findWinner(const std::string &kernel, const std::string &type) {
  for (const Winner &each : tla::kernels::readWinners())
    if (each.kernel == kernel && each.type == type && each.processor == tla::kernels::processorName())
      return each;
  return std::nullopt;
}

std::string describe(const std::string &kernel, const std::string &type) {
  const std::string again = "'hetc tune " + kernel + " --type " + type + "' ";
  const std::optional<Winner> winner = findWinner(kernel, type);
  if (!winner)
    return "not tuned, the shipped body is used; " + again + "looks for a faster one";
  const std::string when = "tuned on " + winner->date;
  if (!winner->fits())
    return when + " by another version of hetc, so the shipped body is used; " + again + "tunes it again";
  if (!winner->isBody())
    return when + format(": the shipped body (%s) is the fastest, %.1f Gflop/s", winner->nameBefore.c_str(),
                         winner->gflopsBefore);
  if (tla::kernels::contentHash(tla::kernels::tuningFolder() + "/" + winner->file) != winner->hash)
    return when + ", but " + winner->file + " is missing or damaged, so the shipped body is used; " + again +
           "tunes it again";
  return when + format(": %.1f Gflop/s, %.2fx %s", winner->gflops, winner->gflops / winner->gflopsBefore,
                       winner->nameBefore.c_str());
}
} // namespace

std::vector<std::pair<std::string, std::string>> describeBodies() {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const auto &[type, bodies] :
       {std::pair{"s", bodiesOf<float>()}, std::pair{"d", bodiesOf<double>()},
        std::pair{"c", bodiesOf<std::complex<float>>()}, std::pair{"z", bodiesOf<std::complex<double>>()}}) {
    const auto same = std::ranges::find(lines, bodies, &std::pair<std::string, std::string>::second);
    if (same == lines.end())
      lines.emplace_back(type, bodies);
    else
      same->first += std::string(" ") + type;
  }
  return lines;
}

std::map<std::string, std::map<std::string, std::string>> bodiesByKernel() {
  std::map<std::string, std::map<std::string, std::string>> bodies;
  const auto add = [&](const std::string &type, const auto &table) {
    tla::kernels::visitKernels(table, [&](const char *kernel, const char *body) { bodies[type][kernel] = body; });
  };
  add("s", tla::kernels::kernelTable<float>());
  add("d", tla::kernels::kernelTable<double>());
  add("c", tla::kernels::kernelTable<std::complex<float>>());
  add("z", tla::kernels::kernelTable<std::complex<double>>());
  return bodies;
}

std::vector<std::string> describeTuning() {
  std::vector<std::string> lines;
  for (const std::string kernel : {"gemm"})
    for (const std::string type : {"s", "d", "c", "z"})
      lines.push_back(kernel + " " + type + ": " + describe(kernel, type));
  return lines;
}

} // namespace hetc::tools
