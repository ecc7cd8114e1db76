// A function that waits in the middle, and goes on when its owner says so.
#pragma once

#include <tla/storage.hpp>
#include <tla/value.hpp>

#include <boost/context/fiber.hpp>

#include <exception>
#include <functional>

namespace tla::runtime {

/// Has a stack of its own on its owner's thread: of the two one runs at a time, and a change takes some ten
/// nanoseconds. The owner resumes it always on the same thread.
///
/// A thread's own variables are the owner's and the body's in turn, where one of them may pause while it has set them:
/// the period in scope, whether values compare, and the exceptions that are being handled. All others hold what a body
/// must not expect to find again after pause().
class Coroutine {
public:
  explicit Coroutine(std::function<void()> body) : body_(std::move(body)) {}
  Coroutine(const Coroutine &) = delete;
  Coroutine &operator=(const Coroutine &) = delete;
  /// The body has ended, or has not begun.
  ~Coroutine();

  /// The body runs until it pauses or ends; what it throws is thrown here. Returns whether it has ended, which it must
  /// not have before. Throws std::bad_alloc where there is no memory for a stack.
  bool resume();
  /// Pauses the body, which calls it, until the next resume().
  void pause();

private:
  /// The variables that change with the stack: the other side's, while one side runs.
  struct ThreadVariables {
    Period period;
    bool comparesNothing = false;
    void *caught = nullptr;    ///< exceptions that are being handled
    unsigned int uncaught = 0; ///< exceptions that are on their way
    void exchange();
  };
  /// A stack as sanitizers are told of it: which one runs, and where it lies.
  struct Watched {
    const void *bottom = nullptr;
    std::size_t bytes = 0;
    void *frames = nullptr; ///< AddressSanitizer's frames of it while it waits
    void *fiber = nullptr;  ///< ThreadSanitizer's
  };
  boost::context::fiber run(boost::context::fiber &&owner);
  static void leave(Watched &from, const Watched &to, bool forEver = false);
  static void arrive(Watched &here, Watched *before);

  const std::function<void()> body_;
  boost::context::fiber fiber_, owner_; ///< each is the other's while it waits, else empty
  ThreadVariables others_;
  Watched stack_, ownerStack_;
  bool begun_ = false, ended_ = false;
  std::exception_ptr thrown_;
};

} // namespace tla::runtime
