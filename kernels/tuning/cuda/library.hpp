// CUDA's libraries, found when they are wanted: hetc is built without the toolkit, and runs without it.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace hetc::tuning::cuda {

/// A library is missing or too old, or one of its calls failed; the message says which, and what to do.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A shared library for the life of the process.
class Library {
public:
  enum class Origin { Driver, Toolkit };
  /// The first of `names` that there is. The driver's are where the dynamic linker looks; the toolkit's in the lib64 of
  /// CUDA_HOME or CUDA_PATH if one is set, else in that of /usr/local/cuda, or where the linker looks. Throws Error,
  /// which ends with `advice`.
  Library(Origin origin, const std::vector<std::string> &names, const std::string &advice);

  /// Puts the function `name` into `function`. Throws Error.
  template <typename Function> void find(Function *&function, const char *name) const {
    function = reinterpret_cast<Function *>(address(name));
  }

private:
  void *address(const char *name) const;
  std::string name_;
  void *handle_ = nullptr;
};

} // namespace hetc::tuning::cuda
