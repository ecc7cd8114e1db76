#include "tools/hetc/json_rpc.hpp"

#include <cerrno>
#include <charconv>
#include <poll.h>
#include <strings.h>
#include <unistd.h>

namespace hetc::tools {

namespace {

constexpr std::size_t largestMessage = 64u << 20;

/// The value of the line "Content-Length: N", if it is one.
std::optional<std::size_t> contentLength(const std::string &line) {
  constexpr char name[] = "content-length:";
  constexpr std::size_t nameLength = sizeof name - 1;
  if (strncasecmp(line.c_str(), name, nameLength) != 0)
    return std::nullopt;
  const std::size_t digits = line.find_first_not_of(' ', nameLength);
  std::size_t length = 0;
  if (digits == std::string::npos ||
      std::from_chars(line.data() + digits, line.data() + line.size(), length).ec != std::errc())
    return std::nullopt;
  return length;
}

} // namespace

bool JsonRpc::fill() {
  char bytes[4096];
  ssize_t count = 0;
  while ((count = ::read(input_, bytes, sizeof bytes)) < 0 && errno == EINTR)
    ;
  if (count > 0)
    buffer_.append(bytes, static_cast<std::size_t>(count));
  return count > 0;
}

std::optional<std::size_t> JsonRpc::readHeader() {
  std::optional<std::size_t> length;
  while (true) {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n")) == std::string::npos)
      if (buffer_.size() > largestMessage || !fill())
        return std::nullopt;
    const std::string line = buffer_.substr(0, end);
    buffer_.erase(0, end + 2);
    if (line.empty())
      return length;
    if (const auto found = contentLength(line))
      length = found;
  }
}

std::optional<JsonRpc::Json> JsonRpc::read() {
  const std::optional<std::size_t> length = readHeader();
  if (!length || *length > largestMessage)
    return std::nullopt;
  while (buffer_.size() < *length)
    if (!fill())
      return std::nullopt;
  Json message = Json::parse(buffer_.substr(0, *length), nullptr, /*allow_exceptions=*/false);
  buffer_.erase(0, *length);
  return message;
}

bool JsonRpc::hasMore() const {
  pollfd waiting = {input_, POLLIN, 0};
  return !buffer_.empty() || ::poll(&waiting, 1, 0) > 0;
}

bool JsonRpc::write(const Json &message) {
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string all = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (std::size_t done = 0; done < all.size();) {
    const ssize_t count = ::write(output_, all.data() + done, all.size() - done);
    if (count < 0 && errno != EINTR)
      return false;
    done += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  return true;
}

} // namespace hetc::tools
