// The serial elision on its own: plain g++, the reference kernels, no hetc and no runtime.
//
//   serial_elision IN.npy N NB OUT
//
// Factorizes the N x N matrix in IN.npy (float64, symmetric) with tiles of NB and writes the N x N factor to OUT as raw
// column-major doubles, zeros above the diagonal.
#include "algorithms/cholesky.tla"

#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  const int n = std::atoi(argv[2]), nb = std::atoi(argv[3]);
  std::vector<double> a(static_cast<std::size_t>(n) * n);
  std::FILE *in = std::fopen(argv[1], "rb");
  if (!in || std::fseek(in, -static_cast<long>(a.size() * sizeof(double)), SEEK_END) != 0 ||
      std::fread(a.data(), sizeof(double), a.size(), in) != a.size())
    return 2;
  std::fclose(in);

  tla::LowerMatrix<double> A(a.data(), n, n, nb);
  cholesky(A);

  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i)
      a[i + static_cast<std::size_t>(j) * n] = 0;
  std::FILE *out = std::fopen(argv[4], "wb");
  const bool written = out && std::fwrite(a.data(), sizeof(double), a.size(), out) == a.size();
  return written && std::fclose(out) == 0 ? 0 : 2;
}
