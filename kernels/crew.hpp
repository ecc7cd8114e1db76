// Threads that may help with one kernel: a panel is one task, and the longest of its step.
#pragma once

namespace tla::kernels {

/// Threads that help a kernel with its work; the runtime has one (runtime/core/schedule/crew.hpp). It serves one kernel
/// of one thread at a time.
class Crew {
public:
  /// One part of the work, by its number. Must not throw.
  using Part = void (*)(void *context, int number);

  /// From now on others may come; one that is not matched by close() is an error. False: nobody can, and there is
  /// nothing to close.
  virtual bool open() = 0;
  /// Nobody is there any more when it returns.
  virtual void close() = 0;
  /// Whether anybody has come. A hint: they come and go.
  virtual bool hasHelpers() const = 0;
  /// part(context, 0), ..., part(context, count - 1), each once, by this thread and those that help; 0 <= count < 2^20.
  /// What this thread has done before is seen by all, and what they do by this thread afterwards.
  virtual void run(int count, Part part, void *context) = 0;

protected:
  ~Crew() = default;
};

/// The crew of the calling thread from now on; null: none. Returns what it was before.
Crew *setThreadCrew(Crew *crew);
Crew *threadCrew();

} // namespace tla::kernels
