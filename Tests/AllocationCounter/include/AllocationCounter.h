#pragma once
// Counts what the calling thread asks the heap for: linked into a program, it stands in front of the
// C library's own functions, which Swift's allocations go through.
#include <stdint.h>

/// How many pieces of memory the calling thread has asked for so far.
uint64_t allocations_of_this_thread(void);
