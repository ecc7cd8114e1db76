// What hetc doctor says of kernels' bodies: which ones are in use, type by type, and why.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hetc::tools {

/// "s d" and "tuned: gemm; openblas: trsm, ...": all four types, those together that have the same bodies. After
/// installKernels().
std::vector<std::pair<std::string, std::string>> describeBodies();

/// {"s": {"gemm": "tuned", ...}, ...}: the same by type and kernel.
std::map<std::string, std::map<std::string, std::string>> bodiesByKernel();

/// For each kernel that can be tuned and each type a line: tuned when, with which rate; or why not.
std::vector<std::string> describeTuning();

} // namespace hetc::tools
