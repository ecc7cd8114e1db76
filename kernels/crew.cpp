#include "kernels/crew.hpp"

#include <utility>

namespace tla::kernels {

// Of the thread, as a kernel is called by its own name and parameters, from generated code and from other kernels.
[[gnu::tls_model("initial-exec")]] static constinit thread_local Crew *crewOfThread = nullptr;

Crew *setThreadCrew(Crew *crew) { return std::exchange(crewOfThread, crew); }
Crew *threadCrew() { return crewOfThread; }

} // namespace tla::kernels
