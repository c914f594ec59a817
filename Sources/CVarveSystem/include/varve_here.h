#pragma once
// Variables that the hot path looks at, and functions that it seldom calls.

// Where the linker does not see by itself that a variable lies in this image, every look at it would
// cost an instruction more, which fetches its address.
#if defined(__ELF__)
#define VV_HERE __attribute__((visibility("hidden")))
#else
#define VV_HERE
#endif

/// A function that the hot path calls seldom: it leaves all registers as they are, so that the hot path
/// need not put anything aside for it.
#define VV_SELDOM __attribute__((preserve_most, cold))
