// Makes the outcome of a search what hetc uses from then on (kernels/winners.hpp).
#pragma once

#include "tools/tuner/tuner.hpp"

namespace hetc::tuning {

/// Copies the winner's code to the folder of winners and lists it there, or lists that the back-end's body is the
/// fastest. Empty, or why it could not.
std::string installWinner(const Identity &identity, const TuneOutcome &outcome);

} // namespace hetc::tuning
