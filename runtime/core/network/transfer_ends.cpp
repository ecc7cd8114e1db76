#include "runtime/core/network/transfer_ends.hpp"

#include <utility>

namespace tla::runtime {

void TransferEnds::complete(Task &transfer) {
  if (tasks_.record.log.on()) [[unlikely]]
    tasks_.record.log.end(transfer.sequence(), tasks_.record.now());
  completion_.complete(transfer);
  ++count_;
}

void TransferEnds::complete(const std::vector<Task *> &transfers) {
  for (Task *transfer : transfers)
    complete(*transfer);
}

void TransferEnds::fail(const Task &transfer, const std::string &message) {
  tasks_.state.fail(failureOf(transfer, Outcome::Kind::Fault, 0, message));
}

std::vector<Task *> TransferEnds::takeTransfers() {
  std::vector<Task *> transfers;
  for (Task *task = std::exchange(completion_.transfers, {}).head; task; task = task->link)
    transfers.push_back(task);
  return transfers;
}

} // namespace tla::runtime
