// libtla_predict.so holds what predicts runs. Everything is in the static libraries that it takes in whole; this file
// only gives the linker something to start from.
