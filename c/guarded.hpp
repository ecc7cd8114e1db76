// What the functions of the C interface have in common: the executor behind its handle, the thread's message, and how
// exceptions become codes.
#pragma once

#include "c/arguments.hpp"

#include <tla/runtime/error.hpp>
#include <tla/runtime/executor.hpp>
#include <tla/runtime/ranks.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

struct hetc_executor {
  explicit hetc_executor(const tla::runtime::Options &options, std::unique_ptr<tla::host::CallDevices> opened = nullptr)
      : devices(std::move(opened)), alone(std::make_unique<tla::runtime::Executor>(options)), executor(*alone) {}
  explicit hetc_executor(std::unique_ptr<tla::runtime::RankExecutor> one,
                         std::unique_ptr<tla::host::CallDevices> opened = nullptr)
      : devices(std::move(opened)), ranks(std::move(one)), executor(ranks->executor()) {}

  std::unique_ptr<tla::host::CallDevices> devices;   ///< null: there are none
  std::unique_ptr<tla::runtime::Executor> alone;     ///< the executor of a program without ranks; otherwise null
  std::unique_ptr<tla::runtime::RankExecutor> ranks; ///< the executor of one of several ranks; otherwise null
  tla::runtime::Executor &executor;
  hetc::Residence residence;
};

namespace hetc {

/// The error message of the last call on this thread. It has no destructor: calls may come from those of the host's own
/// thread-local and static objects, and from atexit handlers. Longer texts are cut.
class Message {
public:
  void clear() { text_[0] = 0; }
  void operator=(std::string_view text) {
    const std::size_t length = std::min(text.size(), sizeof text_ - 1);
    std::memcpy(text_, text.data(), length);
    text_[length] = 0;
  }
  const char *c_str() const { return text_; }

private:
  char text_[4096];
};
static_assert(std::is_trivially_destructible_v<Message>);

/// The message is the thread's, as errno is: the interface returns a code, and hetc_message() what it means.
extern constinit thread_local Message message;

/// Runs the body of a function of the interface: what it throws becomes a code, and the message.
template <typename Body> hetc_status guarded(Body body) noexcept {
  const auto failed = [](hetc_status status, const char *text) {
    message = text;
    return status;
  };
  try {
    message.clear();
    return body();
  } catch (const tla::UsageError &error) {
    return failed(HETC_USAGE, error.what());
  } catch (const std::bad_alloc &) {
    return failed(HETC_NO_MEMORY, "out of memory");
  } catch (const std::exception &error) {
    return failed(HETC_FAULT, error.what());
  } catch (...) {
    return failed(HETC_FAULT, "an exception that is no std::exception");
  }
}

/// Throws UsageError where the caller gave a null pointer for `name`.
template <typename Value> void require(Value *pointer, const char *name) {
  if (!pointer)
    throw tla::UsageError(std::string(name) + " is null");
}

/// The description behind a handle; throws UsageError when that is null.
inline const tla::runtime::Algorithm &algorithmOf(const hetc_algorithm *handle) {
  if (!handle)
    throw tla::UsageError("the algorithm is null");
  return *reinterpret_cast<const tla::runtime::Algorithm *>(handle);
}

} // namespace hetc
