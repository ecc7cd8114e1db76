// What each rule of check_words.py must find, a line each, and what it must let pass.
#include <thread>

std::thread first([] {});
std::jthread second([] {});
auto third = std::async([] {});
std::ostringstream text;
std::ifstream file("name");
double number = strtod(argument, nullptr) + std::stod(other);
void write() { std::printf("%d and %.3g\n", 1, 2.0); }
thread_local std::string message;

const unsigned cores = std::thread::hardware_concurrency();
thread_local const char *name = nullptr;
inline thread_local bool isInside = false;
void writeInteger() { std::printf("%d\n", 1); } // not "%f"
