// libtla.so holds the whole runtime: core, back-ends, kernels and the program's main. Everything is in the static
// libraries that it takes in whole; this file only gives the linker something to start from.
