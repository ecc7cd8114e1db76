#include "kernels/openblas/products.hpp"
#include "kernels/recursive/bodies.hpp"

template void tla::kernels::recursive::setBodies(KernelTable<std::complex<float>> &, const char *);
