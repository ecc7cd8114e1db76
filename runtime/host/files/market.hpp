// Matrix Market exchange files [Boisvert, Pozo, Remington: The Matrix Market Exchange Formats, NISTIR 5935, 1996].
#pragma once

#include "runtime/host/files/mapped_file.hpp"
#include "runtime/host/files/matrix_file.hpp"

namespace tla::host {

inline constexpr std::string_view marketBanner = "%%matrixmarket";

enum class MarketFormat { Coordinate, Array };
enum class MarketField { Real, Integer, Complex, Pattern };
enum class MarketSymmetry { General, Symmetric, Hermitian, SkewSymmetric };

/// The banner and the line of sizes.
struct MarketHeader {
  MarketFormat format = MarketFormat::Coordinate;
  MarketField field = MarketField::Real;
  MarketSymmetry symmetry = MarketSymmetry::General;
  long rows = 0, columns = 0;
  long entries = 0;       ///< lines of elements that follow
  std::size_t offset = 0; ///< offset of the first byte after the line of sizes
  long line = 0;          ///< number of that line, 1-based
};

/// Where the banner begins: at the first byte, or behind a byte order mark and blanks, as editors leave them. npos:
/// nowhere.
std::size_t marketBannerAt(std::string_view bytes);

/// Throws UsageError: "a.mtx:2: ...". A hermitian matrix of real numbers is a symmetric one.
MarketHeader parseMarketHeader(std::string_view bytes, const std::string &path);

/// Coordinate files become compressed columns (duplicates summed), array files a dense array; symmetric ones are
/// stored whole. Pattern entries are 1. Throws UsageError with the line.
std::unique_ptr<MatrixFile> openMarket(std::unique_ptr<MappedFile> file);

} // namespace tla::host
