// A host that asks what predicts runs.
#include <tla/runtime/devices.hpp>

#include <iostream>

int main() {
  const std::string problem = tla::host::whyNoDevices("profile:none-such");
  std::cout << problem << "\n";
  return problem.empty() || !tla::host::whyNoDevices("profile:k40c").empty();
}
