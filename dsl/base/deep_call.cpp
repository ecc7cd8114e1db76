#include "dsl/base/deep_call.hpp"

#include <pthread.h>

namespace tla {

static void *call(void *body) noexcept {
  (*static_cast<const std::function<void()> *>(body))();
  return nullptr;
}

void callWithStack(std::size_t bytes, const std::function<void()> &body) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_t thread{};
  const int error = pthread_create(&thread, &attributes, call, const_cast<std::function<void()> *>(&body));
  pthread_attr_destroy(&attributes);
  if (error == 0)
    pthread_join(thread, nullptr);
  else
    body();
}

} // namespace tla
