#include "runtime/core/window/run_state.hpp"

#include "runtime/core/window/tile_table.hpp"

namespace tla::runtime {

/// Whether a failure comes before another in program order. Sequence numbers wrap: right for tasks less than 2^31
/// apart.
static bool precedes(const Failure &a, const Failure &b) {
  return static_cast<std::int32_t>(a.sequence - b.sequence) < 0;
}
static void keepFirst(std::optional<Failure> &kept, Failure &&failure) {
  if (!kept || precedes(failure, *kept))
    kept = std::move(failure);
}

void RunState::begin(bool ordered) {
  ordered_ = ordered;
  firstFailed_.store(nobody, std::memory_order_relaxed);
  first_.reset();
  noted_.reset();
  status_.store(Running, std::memory_order_relaxed);
}

void RunState::end(Outcome &outcome) {
  const int status = status_.exchange(Idle, std::memory_order_relaxed);
  const std::lock_guard guard(mutex_);
  if (!first_ && status == Interrupted) {
    outcome.kind = Outcome::Kind::Interrupted;
    return;
  }
  outcome.wentOn = noted_ && !first_ && status == Running;
  // A fault is said before any info: the results that LAPACK promises beside an info are not there.
  if (noted_ && (!first_ || (first_->kind == Outcome::Kind::Numerical && precedes(*noted_, *first_))))
    first_ = std::move(noted_);
  if (!first_)
    return;
  outcome.kind = first_->kind;
  outcome.info = first_->info;
  outcome.message = first_->message;
  outcome.outside = first_->outside;
  if (first_->taskClass) {
    outcome.kernel = first_->taskClass->kernel;
    outcome.location = first_->taskClass->location;
  }
  outcome.matrix = first_->table ? first_->table->name() : "";
  outcome.row = first_->row;
  outcome.column = first_->table ? first_->table->storage().tileColumn(first_->column) : 0;
  outcome.slice = first_->table ? first_->table->sliceNumber(first_->column) : -1;
}

void RunState::leave(Status next) {
  for (int status : {Running, Failed})
    if (status_.compare_exchange_strong(status, next, std::memory_order_relaxed))
      return;
}

void RunState::interrupt() { leave(Interrupted); }

void RunState::stop() { leave(Stopped); }

void RunState::fail(Failure failure) {
  {
    const std::lock_guard guard(mutex_);
    ordered_ = ordered_ && failure.taskClass;
    keepFirst(first_, std::move(failure));
    firstFailed_.store(ordered_ ? first_->sequence : nobody, std::memory_order_relaxed);
  }
  int running = Running;
  status_.compare_exchange_strong(running, Failed, std::memory_order_release, std::memory_order_relaxed);
}

void RunState::note(Failure failure) {
  const std::lock_guard guard(mutex_);
  keepFirst(noted_, std::move(failure));
}

void RunState::judge(const Task &task, int info) {
  if (info > 0 && task.taskClass->infoContinues)
    note(failureOf(task, info));
  else
    fail(failureOf(task, info));
}

Failure failureOf(const Task &task, Outcome::Kind kind, long info, std::string message) {
  Failure failure{kind, info, std::move(message), task.taskClass, task.sequence(), nullptr, 0, 0};
  if (const Version *version = task.mainOutput()) {
    failure.table = version->table;
    failure.row = version->row;
    failure.column = version->column;
  }
  return failure;
}

Failure failureOf(const Task &task, int info) {
  if (info < 0)
    return failureOf(task, Outcome::Kind::Fault, info,
                     "argument " + std::to_string(-static_cast<long>(info)) + " of " + task.taskClass->kernel +
                         " had an illegal value");
  Failure failure = failureOf(task, Outcome::Kind::Numerical, info, "");
  // The kernel counts from the first column of its tile, LAPACK from the first column of the matrix. Columns of a
  // workspace say nothing about the matrix.
  if (const Version *version = task.matrixOutput()) {
    const Storage &storage = version->table->storage();
    failure.info +=
        static_cast<long>(storage.tileColumn(version->column)) * storage.nb() + storage.sliceOffset(version->column);
  }
  return failure;
}

} // namespace tla::runtime
