// MPI's errors as exceptions.
#pragma once

#include <tla/runtime/error.hpp>

// C's interface only.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <string>

namespace tla::runtime {

/// Throws tla::Error with MPI's text: "MPI_Issend failed: MPI_ERR_RANK: invalid rank". For communicators that return
/// their errors.
inline void checkMpi(int code, const char *call) {
  if (code == MPI_SUCCESS)
    return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  const std::string name = call;
  throw Error(name.substr(0, name.find('(')) + " failed: " + std::string(text, length));
}

} // namespace tla::runtime

#define TLA_MPI_CHECK(call) ::tla::runtime::checkMpi((call), #call)
