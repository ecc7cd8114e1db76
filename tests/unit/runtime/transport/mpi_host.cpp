// A host that uses MPI itself: hetc's transport leaves MPI's start and end to it. mpirun -n RANKS mpi_host
#include "runtime/interfaces/launch.hpp"
#include "runtime/transport/mpi/check.hpp"
#include "runtime/transport/transport.hpp"
#include "tests/unit/runtime/transport/port.hpp"

#include <cstdio>

using namespace tla::runtime;

int main() {
  int threads = 0, finalized = 0;
  TLA_MPI_CHECK(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &threads));
  try {
    {
      const std::unique_ptr<Transport> transport = connect(detectLaunch());
      double value = transport->rank();
      // The host's own messages do not reach the transport.
      MPI_Request request;
      const int next = (transport->rank() + 1) % transport->size();
      TLA_MPI_CHECK(MPI_Isend(&threads, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request));
      transport->barrier();
      Announcement message;
      require(!transport->announced(message), "a message of the host was announced");
      int source, received = -1;
      Bytes control;
      require(!transport->receiveControl(source, control), "a message of the host came in as control");
      TLA_MPI_CHECK(MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
      TLA_MPI_CHECK(MPI_Wait(&request, MPI_STATUS_IGNORE));
      transport->max(&value, 1);
      require(value == transport->size() - 1, "a maximum is wrong");
    }
    TLA_MPI_CHECK(MPI_Finalized(&finalized));
    require(!finalized, "the host's MPI was finalized");
    TLA_MPI_CHECK(MPI_Finalize());
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}
