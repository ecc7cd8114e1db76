// RUN: not %hetc check %s 2>&1 | FileCheck %s
#include <tla/tla.hpp>

// CHECK: link.tla:[[@LINE+3]]:26: error: a library is named without lib, suffix and -l, or by a path with a '/'
// CHECK: link("libz.so.1")
// CHECK: z
#pragma tla kernel link("libz.so.1")
template <typename T> void f(tla::Tile<T> A) {}
// CHECK: link.tla:[[@LINE+1]]:26: error: a library is named without lib, suffix and -l, or by a path with a '/'
#pragma tla kernel link("-lz")
template <typename T> void g(tla::Tile<T> A) {}
// CHECK: link.tla:[[@LINE+1]]:26: error: '-Wl,--all' is an option of the linker, not the name of a library
#pragma tla kernel link("-Wl,--all")
template <typename T> void h(tla::Tile<T> A) {}
// CHECK: link.tla:[[@LINE+1]]:25: error: expected the name of a library in quotes, as in link("lapacke")
#pragma tla kernel link(lapacke)
template <typename T> void k(tla::Tile<T> A) {}

// MEND: Name the library as behind the linker's -l, in quotes, or give its path.
