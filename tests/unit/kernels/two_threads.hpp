// A crew for tests of kernels that can be helped with.
#pragma once

#include "kernels/recursive/parts.hpp"

#include <thread>

namespace tla::test {

/// Two threads that do what a kernel lets them, the last parts first. Of all kernels, until it leaves.
class TwoThreads final : public kernels::Crew {
public:
  TwoThreads() {
    inUse = this;
    kernels::recursive::crewOfThread = [] { return inUse; };
  }
  ~TwoThreads() { leave(); }
  void leave() { kernels::recursive::crewOfThread = nullptr; }

  bool open() override { return true; }
  void close() override { ++kernels; }
  bool hasHelpers() const override { return true; }
  void run(int count, Part part, void *context) override {
    ++rounds;
    std::thread other([&] {
      for (int i = count - 1; i >= count / 2; --i)
        part(context, i);
    });
    for (int i = count / 2 - 1; i >= 0; --i)
      part(context, i);
    other.join();
  }
  int kernels = 0, rounds = 0;

private:
  static inline kernels::Crew *inUse = nullptr;
};

} // namespace tla::test
