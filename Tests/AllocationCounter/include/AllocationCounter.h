#pragma once
// Counts what the calling thread asks the heap for: linked into a program, it stands in front of the
// C library's own functions, which Swift's allocations go through. How often it counts references, it
// learns in the same way.
#include <stdint.h>

/// How many pieces of memory the calling thread has asked for so far.
uint64_t allocations_of_this_thread(void);

/// How often the calling thread has counted a reference up so far, outside the Swift runtime itself.
uint64_t retains_of_this_thread(void);
