#include "compiler/support/temporary_file.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

#include <cerrno>
#include <random>

#include <fcntl.h>
#include <unistd.h>

namespace hetc::support {

std::string temporaryFolder() {
  llvm::SmallString<256> folder;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, folder);
  return folder.str().str();
}

std::string temporaryPurpose(const std::string &folder) {
  return "a temporary file in '" + folder + "' (TMPDIR says where)";
}

std::error_code createUniqueFile(const std::string &prefix, const std::string &suffix, std::string &path) {
  static constexpr char characters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  constexpr int attempts = 100, length = 10;
  std::random_device random;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    path = prefix;
    for (int i = 0; i < length; ++i)
      path += characters[random() % (sizeof characters - 1)];
    path += suffix;
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
      ::close(file);
      return {};
    }
    if (errno != EEXIST)
      break;
  }
  const int error = errno;
  path.clear();
  return {error, std::generic_category()};
}

} // namespace hetc::support
