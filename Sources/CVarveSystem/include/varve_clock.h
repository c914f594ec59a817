#pragma once
// The recorder's clock: the processor's own counter where it is steady, because reading it is the
// whole floor of a record's cost (rdtsc 9 ns, clock_gettime 20 ns).
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include "varve_base.h"

/// Whether ticks come from elsewhere than the processor's counter: while the clock is turned by
/// hand (a virtual clock in a test or a demo), or where the counter does not run at one rate through
/// sleep and frequency changes. One word for both, because every record looks at it.
extern VV_HERE uint32_t vv_clock_is_other;

/// Whether the counter runs at one rate. Where it does not, `vv_clock_ticks` reads the monotonic
/// clock in nanoseconds instead.
bool vv_clock_is_steady(void);

/// Nanoseconds of the system's monotonic clock.
static inline uint64_t vv_clock_monotonic(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

/// Nanoseconds since 1970, UTC.
static inline uint64_t vv_clock_wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}

/// The processor's counter; the monotonic clock where there is none.
static inline uint64_t vv_clock_counter(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return vv_clock_monotonic();
#endif
}

/// `vv_clock_ticks` when they do not come from the counter.
VV_SELDOM uint64_t vv_clock_other_ticks(void);

/// The time a record bears, in ticks.
static inline uint64_t vv_clock_ticks(void) {
  uint32_t is_other = __atomic_load_n(&vv_clock_is_other, __ATOMIC_RELAXED);
  return __builtin_expect(is_other == 0, 1) ? vv_clock_counter() : vv_clock_other_ticks();
}

/// Turns the clock by hand from now on, one tick a nanosecond; 0 gives it back to the processor.
void vv_clock_turn(uint64_t ticks);

/// Reads counter and monotonic clock together: of nine tries the one that took least time.
void vv_clock_pair(uint64_t *ticks, uint64_t *monotonic);
