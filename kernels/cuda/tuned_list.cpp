#include "kernels/cuda/tuned_list.hpp"

#include "dsl/base/cache_folder.hpp"
#include "dsl/base/file_lock.hpp"
#include "dsl/base/streams.hpp"

#include <algorithm>
#include <filesystem>

namespace tla::kernels::cuda {
namespace {

constexpr char listName[] = "cuda-products";
constexpr int version = 1;

/// By how much a product must be faster than cuBLAS's: less may be chance.
constexpr double worthwhile = 1.01;

bool isOneOf(char letter, const char *letters) { return std::string(letters).find(letter) != std::string::npos; }

/// Reads a line; false also where a launch would need more than any device can do, whoever wrote the line.
bool parse(const std::string &line, TunedProduct &product) {
  TextReader in(line);
  int number = 0;
  std::string type, ops;
  in >> number >> type >> ops >> product.file >> product.hash >> product.threads >> product.sharedBytes >>
      product.blockRows >> product.blockColumns >> product.from >> product.gflops >> product.cublasGflops >>
      product.date >> product.architecture >> std::ws;
  if (!std::getline(in, product.device) || number != version || type.size() != 1 || ops.size() != 2)
    return false;
  product.type = type[0];
  product.opA = ops[0];
  product.opB = ops[1];
  return isOneOf(product.type, "sdcz") && isOneOf(product.opA, "ntc") && isOneOf(product.opB, "ntc") &&
         product.file.find('/') == std::string::npos && product.threads > 0 && product.threads <= 1024 &&
         product.sharedBytes >= 0 && product.blockRows > 0 && product.blockColumns > 0 && product.from >= 0;
}

std::string lineOf(const TunedProduct &product) {
  TextWriter out;
  out << version << " " << product.type << " " << product.ops() << " " << product.file << " " << product.hash << " "
      << product.threads << " " << product.sharedBytes << " " << product.blockRows << " " << product.blockColumns << " "
      << product.from << " " << product.gflops << " " << product.cublasGflops << " " << product.date << " "
      << product.architecture << " " << product.device << "\n";
  return out.str();
}

} // namespace

std::string tunedFolder() { return cacheFolder() / "tuning"; }

std::vector<TunedProduct> readTunedProducts(const std::string &folder) {
  std::vector<TunedProduct> products;
  FileReader in(folder + "/" + listName);
  for (std::string line; std::getline(in, line);)
    if (TunedProduct product; parse(line, product))
      products.push_back(std::move(product));
  return products;
}

std::string writeTunedProducts(const std::string &folder, const std::vector<TunedProduct> &products) {
  const FileLock lock(folder + "/" + listName + ".lock");
  if (!lock.held())
    return "'" + folder + "' cannot be written";
  std::string text;
  std::vector<std::string> kept, replaced;
  FileReader in(folder + "/" + listName);
  for (std::string line; std::getline(in, line);) {
    TunedProduct known;
    const bool isRead = parse(line, known);
    const bool isReplaced = isRead && std::ranges::any_of(products, [&](const TunedProduct &each) {
                              return each.type == known.type && each.device == known.device;
                            });
    if (!isReplaced)
      text += line + "\n";
    if (isRead)
      (isReplaced ? replaced : kept).push_back(known.file);
  }
  for (const TunedProduct &each : products) {
    text += lineOf(each);
    kept.push_back(each.file);
  }
  const std::filesystem::path list = std::filesystem::path(folder) / listName;
  if (const std::error_code error = replaceFile(list, text))
    return "cannot write '" + list.string() + "': " + error.message();
  for (const std::string &file : replaced) {
    std::error_code ignored;
    if (std::ranges::find(kept, file) == kept.end())
      std::filesystem::remove(std::filesystem::path(folder) / file, ignored); // programs that run have read it
  }
  return "";
}

int fasterFrom(const std::vector<RateOfSize> &rates) {
  int from = 0;
  for (auto rate = rates.rbegin(); rate != rates.rend() && rate->gflops > worthwhile * rate->cublas; ++rate)
    from = rate->n;
  return from;
}

} // namespace tla::kernels::cuda
