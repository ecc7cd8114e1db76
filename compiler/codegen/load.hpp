// C++ made into code of this process: for what hetc generates and runs itself.
#pragma once

#include <string>

namespace hetc::codegen {

/// Code that stays loaded as long as this lives.
class LoadedCode {
public:
  /// Compiles C++ text, which diagnostics call `name`, with hetc's headers, optimized, and loads it. Empty after an
  /// error was shown.
  static LoadedCode compile(const std::string &text, const std::string &name);

  LoadedCode(LoadedCode &&other) noexcept;
  LoadedCode &operator=(LoadedCode &&) = delete;
  ~LoadedCode();

  explicit operator bool() const { return handle_ != nullptr; }
  /// The extern "C" function of this name and type; null when there is none.
  template <typename Function> Function *find(const char *name) const {
    return reinterpret_cast<Function *>(address(name));
  }

private:
  explicit LoadedCode(void *handle) : handle_(handle) {}
  void *address(const char *name) const;

  void *handle_ = nullptr;
};

} // namespace hetc::codegen
