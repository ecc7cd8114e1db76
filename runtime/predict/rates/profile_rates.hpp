// Rates of a machine that is known by its profile: what would be measured there.
#pragma once

#include "runtime/predict/rates/device_rates.hpp"

namespace tla::host {

/// The rates of the request's machine (RatesRequest::machine). Seconds of an accelerator's kernel are those of one in a
/// stream, as many in flight as suit it.
NodeRates profileRates(const RatesRequest &request);

} // namespace tla::host
