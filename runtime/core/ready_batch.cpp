#include "runtime/core/ready_batch.hpp"

#include "runtime/core/accelerator_lanes.hpp"
#include "runtime/core/courier.hpp"

#include <utility>

namespace tla::runtime {

void ReadyBatch::flush() {
  appended_ = 0;
  passToAccelerators(engine_, std::exchange(accelerated_, {}));
  submitToHost();
  if (transfers_.head) // last: it may take some time
    engine_.courier->submit(transfers_);
}

void ReadyBatch::submitToHost() {
  if (!host_.head)
    return;
  // The chain is a stack, submit() is fastest with the oldest first.
  Chain<Task> inOrder;
  for (Task *task = host_.head; host_.count > 0; --host_.count) {
    Task *next = task->link;
    inOrder.push(*task);
    task = next;
  }
  host_ = {};
  engine_.device().submit(inOrder.head, inOrder.count);
}

} // namespace tla::runtime
