#include "runtime/predict/clock/coroutine.hpp"

#include "dsl/base/thread.hpp"

#include <boost/context/protected_fixedsize_stack.hpp>

#include <cstring>
#include <cxxabi.h>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace tla::runtime {

void Coroutine::ThreadVariables::exchange() {
  std::swap(period, detail::periodInScope);
  std::swap(comparesNothing, detail::comparesNothing);
  struct { // __cxa_eh_globals of the Itanium C++ ABI, 2.2.2
    void *caught;
    unsigned int uncaught;
  } now;
  void *const globals = abi::__cxa_get_globals();
  std::memcpy(&now, globals, sizeof now);
  std::swap(now.caught, caught);
  std::swap(now.uncaught, uncaught);
  std::memcpy(globals, &now, sizeof now);
}

/// The stack `from`, which runs, is about to give way to `to`.
void Coroutine::leave([[maybe_unused]] Watched &from, [[maybe_unused]] const Watched &to,
                      [[maybe_unused]] bool forEver) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(forEver ? nullptr : &from.frames, to.bottom, to.bytes);
#endif
#if defined(__SANITIZE_THREAD__)
  from.fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
}

/// The stack `here` runs again, or for the first time; `before`: filled with where the one that gave way lies.
void Coroutine::arrive([[maybe_unused]] Watched &here, [[maybe_unused]] Watched *before) {
#if defined(__SANITIZE_ADDRESS__)
  const void *bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(here.frames, &bottom, &bytes);
  if (before) {
    before->bottom = bottom;
    before->bytes = bytes;
  }
#endif
}

Coroutine::~Coroutine() {
#if defined(__SANITIZE_THREAD__)
  if (stack_.fiber)
    __tsan_destroy_fiber(stack_.fiber);
#endif
}

bool Coroutine::resume() {
  if (!std::exchange(begun_, true)) {
    boost::context::protected_fixedsize_stack memory(Thread::leastStack);
    boost::context::stack_context stack = memory.allocate();
    stack_.bottom = static_cast<char *>(stack.sp) - stack.size;
    stack_.bytes = stack.size;
#if defined(__SANITIZE_THREAD__)
    stack_.fiber = __tsan_create_fiber(0);
#endif
    fiber_ = boost::context::fiber(std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
                                   std::move(memory),
                                   [this](boost::context::fiber &&owner) { return run(std::move(owner)); });
  }
  others_.exchange();
  leave(ownerStack_, stack_);
  fiber_ = std::move(fiber_).resume();
  arrive(ownerStack_, nullptr);
  others_.exchange();
  if (thrown_)
    std::rethrow_exception(std::exchange(thrown_, nullptr));
  return ended_;
}

void Coroutine::pause() {
  leave(stack_, ownerStack_);
  owner_ = std::move(owner_).resume();
  arrive(stack_, &ownerStack_);
}

boost::context::fiber Coroutine::run(boost::context::fiber &&owner) {
  arrive(stack_, &ownerStack_);
  owner_ = std::move(owner);
  try {
    body_();
  } catch (const boost::context::detail::forced_unwind &) { // the stack is to go: Boost's own end of a fiber
    throw;
  } catch (...) {
    thrown_ = std::current_exception();
  }
  ended_ = true;
  leave(stack_, ownerStack_, /*forEver=*/true);
  return std::move(owner_);
}

} // namespace tla::runtime
