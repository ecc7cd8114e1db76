#include "runtime/host/files/matrix_file.hpp"

#include "runtime/host/files/market.hpp"
#include "runtime/host/files/npy.hpp"

namespace tla::host {

void MatrixFile::forEachPosition(const std::function<void(long, long)> &) const {
  throw UsageError(path() + " lists no positions: it is no Matrix Market file in coordinate format");
}

std::unique_ptr<MatrixFile> openMatrixFile(const std::string &path) {
  auto file = std::make_unique<MappedFile>(path);
  const std::string_view bytes = file->bytes();
  if (bytes.starts_with(npyMagic))
    return openNpy(std::move(file));
  if (marketBannerAt(bytes) != std::string_view::npos)
    return openMarket(std::move(file));
  if (bytes.starts_with("\x1f\x8b"))
    throw UsageError(path + " is compressed; run gunzip first");
  throw UsageError(path + " is neither a .npy nor a Matrix Market file: it starts with neither \"\\x93NUMPY\" nor "
                          "\"%%MatrixMarket\"");
}

} // namespace tla::host
