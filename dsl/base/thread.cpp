#include "dsl/base/thread.hpp"

#include <algorithm>
#include <system_error>

namespace tla {

namespace {
/// The system's attributes of new threads, with a stack that suffices.
class Attributes {
public:
  Attributes() {
    pthread_attr_init(&attributes_);
    std::size_t stack = 0;
    pthread_attr_getstacksize(&attributes_, &stack);
    pthread_attr_setstacksize(&attributes_, std::max(stack, Thread::leastStack));
  }
  Attributes(const Attributes &) = delete;
  Attributes &operator=(const Attributes &) = delete;
  ~Attributes() { pthread_attr_destroy(&attributes_); }
  const pthread_attr_t *get() const { return &attributes_; }

private:
  pthread_attr_t attributes_;
};
} // namespace

void *Thread::run(void *work) noexcept {
  std::unique_ptr<Work>(static_cast<Work *>(work))->run();
  return nullptr;
}

void Thread::start(std::unique_ptr<Work> work) {
  const Attributes attributes;
  if (const int error = pthread_create(&thread_, attributes.get(), &run, work.get()))
    throw std::system_error(error, std::generic_category(), "cannot start a thread");
  work.release(); // the thread's
  joinable_ = true;
}

void Thread::join() {
  pthread_join(thread_, nullptr);
  joinable_ = false;
}

} // namespace tla
