// Hashes of what candidates are made of, as hexadecimal digits.
#pragma once

#include <string>
#include <vector>

namespace hetc::tuning {

std::string hashOfText(const std::string &text);
/// One hash of the contents of all files, in this order. A file that cannot be read counts as empty.
std::string hashOfFiles(const std::vector<std::string> &files);

} // namespace hetc::tuning
