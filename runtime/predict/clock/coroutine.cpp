#include "runtime/predict/clock/coroutine.hpp"

#include <utility>

namespace tla::runtime {

Coroutine::~Coroutine() {
  if (thread_.joinable())
    thread_.join();
}

bool Coroutine::resume() {
  if (!thread_.joinable())
    thread_ = Thread([this] { run(); });
  mayRun_.release();
  hasPaused_.acquire();
  if (thrown_)
    std::rethrow_exception(std::exchange(thrown_, nullptr));
  return ended_;
}

void Coroutine::pause() {
  hasPaused_.release();
  mayRun_.acquire();
}

void Coroutine::run() {
  mayRun_.acquire();
  try {
    body_();
  } catch (...) {
    thrown_ = std::current_exception();
  }
  ended_ = true;
  hasPaused_.release();
}

} // namespace tla::runtime
