// Messages of JSON-RPC 2.0 over two descriptors, framed as the Language Server Protocol has it (3.17, "Base Protocol"):
// "Content-Length: N", an empty line, N bytes.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace hetc::tools {

class JsonRpc {
public:
  using Json = nlohmann::json;

  JsonRpc(int input, int output) : input_(input), output_(output) {}

  /// The next message; discarded (is_discarded()) where the bytes are no JSON; empty at the end of the input, or where
  /// the framing is lost.
  std::optional<Json> read();
  /// Whether read() would not wait.
  bool hasMore() const;
  /// False when the other side is gone.
  bool write(const Json &message);

private:
  bool fill();
  std::optional<std::size_t> readHeader();

  const int input_, output_;
  std::string buffer_;
};

} // namespace hetc::tools
