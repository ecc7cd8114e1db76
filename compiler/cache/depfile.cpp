#include "compiler/cache/depfile.hpp"

#include "compiler/process/files.hpp"

namespace hetc::cache {

namespace {

/// GNU make's own escapes, which ninja reads as well.
std::string escaped(const std::string &path) {
  std::string text;
  for (const char c : path) {
    if (c == ' ' || c == '#')
      text += '\\';
    if (c == '$')
      text += '$';
    text += c;
  }
  return text;
}

} // namespace

bool writeDepfile(const std::string &path, const std::string &target, const std::set<std::string> &files) {
  std::string text = escaped(target) + ":";
  for (const std::string &file : files)
    text += " \\\n  " + escaped(file);
  return process::writeFile(path, text + "\n");
}

} // namespace hetc::cache
