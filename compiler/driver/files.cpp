#include "compiler/driver/files.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/raw_ostream.h>

namespace hetc::driver {

namespace fs = llvm::sys::fs;

namespace {
bool fail(const std::string &message) {
  llvm::errs() << "hetc: " << message << "\n";
  return false;
}
} // namespace

bool checkFile(const std::string &file) {
  if (fs::is_directory(file))
    return fail("'" + file + "' is a directory; give a .tla file");
  if (!fs::exists(file))
    return fail("no such file: '" + file + "'");
  if (llvm::sys::path::extension(file) != ".tla")
    return fail("'" + file + "' is not a .tla file");
  if (const auto error = fs::access(file, fs::AccessMode::Exist); error || !llvm::MemoryBuffer::getFile(file))
    return fail("cannot read '" + file + "'");
  return true;
}

bool checkWritable(const std::string &path) {
  if (fs::is_directory(path))
    return fail("cannot write '" + path + "': it is a directory");
  const std::string probe = path + ".probe";
  int descriptor = 0;
  if (const std::error_code error = fs::openFileForWrite(probe, descriptor))
    return fail("cannot write '" + path + "': " + error.message());
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true).close();
  fs::remove(probe);
  return true;
}

bool writeText(const std::string &path, const std::string &text) {
  if (path.empty() || path == "-") {
    llvm::outs() << text;
    llvm::outs().flush();
    return true;
  }
  const std::string partial = path + ".partial";
  std::error_code error;
  {
    llvm::raw_fd_ostream out(partial, error);
    if (!error)
      out << text;
    out.close();
    if (!error)
      error = out.error();
    out.clear_error();
  }
  if (!error)
    error = fs::rename(partial, path);
  if (!error)
    return true;
  fs::remove(partial);
  return fail("cannot write '" + path + "': " + error.message());
}

std::string absolutePath(const std::string &path) {
  llvm::SmallString<256> absolute(path);
  fs::make_absolute(absolute);
  llvm::sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

TemporaryFile::TemporaryFile(const std::string &prefix, const std::string &suffix) {
  llvm::SmallString<256> path;
  if (const std::error_code error = fs::createTemporaryFile(prefix, suffix, path))
    fail("cannot create a temporary file: " + error.message());
  path_ = path.str().str();
}

TemporaryFile::~TemporaryFile() {
  if (!path_.empty())
    fs::remove(path_);
}

} // namespace hetc::driver
