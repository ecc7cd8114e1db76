#include "kernels/recursive/bodies.hpp"
#include "kernels/tuned/products.hpp"

template void tla::kernels::recursive::setBodies(KernelTable<double> &, const char *);
