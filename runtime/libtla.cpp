// libtla.so holds the runtime: core, back-ends, kernels, and what hosts call. Everything is in the static libraries
// that it takes in whole; this file only gives the linker something to start from.
