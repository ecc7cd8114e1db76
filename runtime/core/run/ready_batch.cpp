#include "runtime/core/run/ready_batch.hpp"

namespace tla::runtime {

void ReadyBatch::flush() {
  appended_ = 0;
  tasks_.units.passAccelerated(accelerated_);
  submitToHost();
  tasks_.units.passTransfers(transfers_); // last: it may take some time
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
  tasks_.units.host().submit(inOrder.head, inOrder.count);
}

} // namespace tla::runtime
