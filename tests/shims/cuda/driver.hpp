// What a test asks of the driver that the host plays.
#pragma once

enum class Fault {
  None,
  Launch, ///< every launch fails
  Blocks, ///< a launch runs one block too few
};
extern "C" void setFault(Fault fault);
