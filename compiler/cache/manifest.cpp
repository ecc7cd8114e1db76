#include "compiler/cache/manifest.hpp"

#include "compiler/support/hash.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>

#include <tuple>

#include <sys/stat.h>

namespace hetc::cache {

namespace fs = llvm::sys::fs;

namespace {

bool isThere(llvm::StringRef path) { return fs::exists(path) && !fs::is_directory(path); }

/// By the time of the last change of the file or of its name, which no one can set.
bool changedSince(const std::string &path, timespec begin) {
  struct stat status;
  return ::stat(path.c_str(), &status) != 0 ||
         std::tie(status.st_ctim.tv_sec, status.st_ctim.tv_nsec) >= std::tie(begin.tv_sec, begin.tv_nsec);
}

constexpr const char *noProgram = "program none";

/// "program <size> <hash>", or empty when it cannot be executed.
std::string programLine(const std::string &program) {
  const auto hash = support::hashOfFile(program);
  std::uint64_t size = 0;
  if (!hash || !fs::can_execute(program) || fs::file_size(program, size))
    return "";
  return "program " + std::to_string(size) + " " + *hash;
}

bool holds(llvm::StringRef line, const std::string &program) {
  const auto [kind, rest] = line.split(' ');
  if (kind == "program")
    return line == noProgram || line == programLine(program);
  if (kind == "file")
    return support::hashOfFile(rest.split(' ').second.str()) == rest.split(' ').first.str();
  if (kind == "absent")
    return !isThere(rest);
  return kind == "remark";
}

} // namespace

timespec fileClock() {
  timespec now;
  ::clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return now;
}

std::optional<std::string> manifestOf(const driver::Result &result, const std::string &program, timespec begin) {
  std::string text = program.empty() ? noProgram : programLine(program);
  if (text.empty())
    return std::nullopt;
  text += "\n";
  for (const std::string &file : result.dependencies) {
    const auto hash = support::hashOfFile(file);
    if (!hash || changedSince(file, begin) || file.find('\n') != std::string::npos)
      return std::nullopt;
    text += "file " + *hash + " " + file + "\n";
  }
  for (const std::string &file : result.absent) {
    if (isThere(file) || file.find('\n') != std::string::npos)
      return std::nullopt;
    text += "absent " + file + "\n";
  }
  for (const std::string &remark : result.remarks)
    text += "remark " + remark + "\n";
  return text;
}

std::optional<Manifest> readManifest(const std::string &manifest, const std::string &program) {
  const auto buffer = llvm::MemoryBuffer::getFile(manifest);
  if (!buffer || !(*buffer)->getBuffer().starts_with("program "))
    return std::nullopt;
  Manifest result;
  llvm::SmallVector<llvm::StringRef, 0> lines;
  (*buffer)->getBuffer().split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef line : lines) {
    if (!holds(line, program))
      return std::nullopt;
    if (line == noProgram)
      result.program = false;
    if (line.starts_with("remark "))
      result.remarks.push_back(line.substr(7).str());
  }
  return result;
}

} // namespace hetc::cache
