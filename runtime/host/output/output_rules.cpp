#include "runtime/host/output/output_rules.hpp"

#include "runtime/host/files/output_file.hpp"

#include <tla/runtime/error.hpp>

namespace tla::host {
namespace {

struct Output {
  std::string option, path;
  bool mayReplaceInput = false;
};

/// All outputs; the JSON report, when there is one, comes last.
std::vector<Output> outputsOf(const Settings &settings) {
  std::vector<Output> outputs;
  for (const Assignment &output : settings.outputs)
    outputs.push_back({"--output " + output.name, output.value, true});
  if (!settings.traceFile.empty())
    outputs.push_back({"--trace", settings.traceFile});
  if (settings.json)
    outputs.push_back({"--json", settings.jsonFile});
  return outputs;
}

void requireNotPrecious(const Output &output, const runtime::Algorithm &algorithm, const Settings &settings) {
  const auto refuse = [&](const std::string &path, const std::string &what) {
    if (sameFile(output.path, path))
      throw UsageError(output.option + ": " + output.path + " is " + what + "; choose another file");
  };
  refuse(algorithm.source, "the source of " + std::string(algorithm.name));
  refuse("/proc/self/exe", "this program itself");
  if (!output.mayReplaceInput)
    for (const Assignment &input : settings.inputs)
      refuse(input.value, "the --input file of " + input.name);
}

/// Output number `index` against those before it.
void requireSeparate(const std::vector<Output> &outputs, std::size_t index) {
  const Output &output = outputs[index];
  for (std::size_t earlier = 0; earlier < index; ++earlier)
    if (sameFile(outputs[earlier].path, output.path))
      throw UsageError(outputs[earlier].option + " and " + output.option + " both write " +
                       (output.path == standardOutput ? "standard output" : output.path));
}
} // namespace

void requireSeparateJson(const runtime::Algorithm &algorithm, const Settings &settings) {
  if (!settings.json)
    return;
  const std::vector<Output> outputs = outputsOf(settings);
  requireNotPrecious(outputs.back(), algorithm, settings);
  requireSeparate(outputs, outputs.size() - 1);
}

void requireSeparateOutputs(const runtime::Algorithm &algorithm, const Settings &settings) {
  const std::vector<Output> outputs = outputsOf(settings);
  for (std::size_t index = 0; index < outputs.size(); ++index) {
    requireNotPrecious(outputs[index], algorithm, settings);
    requireSeparate(outputs, index);
  }
}

} // namespace tla::host
