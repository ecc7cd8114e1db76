// A thread that sleeps a little and often, beside threads that compute.
#pragma once

namespace tla::runtime {

/// The calling thread wakes up on time, and gets a core at once when it does, as far as the system grants it. Beside a
/// busy thread it would otherwise wait until that one's slice is over, some 3 ms: since version 6.12 Linux lets a
/// thread that asks for short slices go first. Versions before 6.6 let one that has slept go first anyway; those
/// between take no notice of the wish.
void askForPromptness();

} // namespace tla::runtime
