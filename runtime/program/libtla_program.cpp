// libtla_program.so holds the main of programs. Everything is in the static library that it takes in whole; this file
// only gives the linker something to start from.
