// Numbers, sizes and times as text, and back.
#pragma once

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tla {

std::string_view trim(std::string_view text);
std::string lowerCase(std::string_view text);

/// The whole text as an integer or a real number, a leading '+' allowed; no locale.
std::optional<long> parseInteger(std::string_view text);
std::optional<double> parseReal(std::string_view text);
/// 1, 1+2i, -2i, i, (1,2).
std::optional<std::complex<double>> parseComplex(std::string_view text);

/// "a, b or c"
std::string alternatives(std::span<const std::string> words);

/// The system's text for the present errno: "no such file or directory".
std::string systemMessage();

/// printf into a string.
__attribute__((format(printf, 1, 2))) std::string format(const char *pattern, ...);
/// "34.4 GiB", "1.5 MiB", "12 B"
std::string formatBytes(double bytes);
/// Four digits in a readable unit: "34.90 us", "2.553 ms", "12.34 s"; "0 s".
std::string formatSeconds(double seconds);
/// A number as short as it reads back: "5", "0.25", "1e-08", "nan"; complex "1+2i".
std::string formatNumber(double value);
std::string formatNumber(std::complex<double> value);

} // namespace tla
