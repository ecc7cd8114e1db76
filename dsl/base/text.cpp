#include "dsl/base/text.hpp"

#include "dsl/base/classic_locale.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <numeric>

namespace tla {

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  for (char &c : lower)
    if (c >= 'A' && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

namespace {
template <typename Number> std::optional<Number> parseWhole(std::string_view text) {
  text = trim(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// "2i", "-i", "+0.5i": the imaginary part alone.
std::optional<double> parseImaginary(std::string_view text) {
  if (text.empty() || (text.back() != 'i' && text.back() != 'j'))
    return std::nullopt;
  text.remove_suffix(1);
  if (text.empty() || text == "+")
    return 1.0;
  if (text == "-")
    return -1.0;
  return parseReal(text);
}

/// The position of the sign between real and imaginary part: not the first character, not part of an exponent.
std::size_t innerSign(std::string_view text) {
  for (std::size_t p = text.size(); p-- > 1;)
    if ((text[p] == '+' || text[p] == '-') && text[p - 1] != 'e' && text[p - 1] != 'E')
      return p;
  return std::string_view::npos;
}

} // namespace

std::optional<long> parseInteger(std::string_view text) { return parseWhole<long>(text); }
std::optional<double> parseReal(std::string_view text) { return parseWhole<double>(text); }

std::optional<std::complex<double>> parseComplex(std::string_view text) {
  text = trim(text);
  std::optional<double> real, imag;
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos)
      return std::nullopt;
    real = parseReal(text.substr(1, comma - 1));
    imag = parseReal(text.substr(comma + 1, text.size() - comma - 2));
  } else if ((real = parseReal(text))) {
    imag = 0.0;
  } else if ((imag = parseImaginary(text))) {
    real = 0.0;
  } else if (const auto sign = innerSign(text); sign != std::string_view::npos) {
    real = parseReal(text.substr(0, sign));
    imag = parseImaginary(text.substr(sign));
  }
  if (!real || !imag)
    return std::nullopt;
  return std::complex<double>(*real, *imag);
}

std::string alternatives(std::span<const std::string> words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

std::string systemMessage() { return lowerCase(std::strerror(errno)); }

std::string format(const char *pattern, ...) {
  const ClassicLocale points;
  va_list arguments, again;
  va_start(arguments, pattern);
  va_copy(again, arguments);
  std::string text(static_cast<std::size_t>(std::max(0, std::vsnprintf(nullptr, 0, pattern, arguments))), '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  va_end(arguments);
  return text;
}

std::string formatBytes(double bytes) {
  static constexpr const char *units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  int unit = 0;
  while (bytes >= 1023.95 && unit < 6) {
    bytes /= 1024;
    ++unit;
  }
  return format(unit == 0 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

std::string formatSeconds(double seconds) {
  if (seconds == 0)
    return "0 s";
  const char *unit = "s";
  for (const char *smaller : {"ms", "us"})
    if (seconds < 0.99995) {
      seconds *= 1000;
      unit = smaller;
    }
  const int digits = seconds < 9.9995 ? 3 : seconds < 99.995 ? 2 : seconds < 999.95 ? 1 : 0;
  return format("%.*f %s", digits, seconds, unit);
}

std::string formatNumber(double value) {
  if (std::isnan(value))
    return "nan";
  char text[40];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return std::string(text, error == std::errc{} ? end : text);
}

std::string formatNumber(std::complex<double> value) {
  if (value.imag() == 0)
    return formatNumber(value.real());
  const std::string imag = formatNumber(value.imag());
  return formatNumber(value.real()) + (imag[0] == '-' ? "" : "+") + imag + "i";
}

} // namespace tla
