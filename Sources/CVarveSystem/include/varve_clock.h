#pragma once
// The recorder's clock: the processor's counter if it is steady, because reading the clock is most
// of a record's minimum cost (rdtsc 9 ns, clock_gettime 20 ns).
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include "varve_base.h"

/// Whether ticks do not come from the processor's counter: while the clock is set manually (a
/// virtual clock in a test or a demo), or if the counter's rate changes with sleep or frequency.
/// One word for both, because every record reads it.
extern VV_HERE uint32_t vv_clock_is_other;

/// Whether the counter's rate is constant. If not, ticks are nanoseconds of the monotonic clock.
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

/// The processor's counter, or the monotonic clock if there is none.
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

/// The slow path of `vv_clock_ticks`, for ticks that do not come from the counter.
VV_SELDOM uint64_t vv_clock_other_ticks(void);

/// The current time in ticks, the unit of records.
static inline uint64_t vv_clock_ticks(void) {
  uint32_t is_other = __atomic_load_n(&vv_clock_is_other, __ATOMIC_RELAXED);
  return __builtin_expect(is_other == 0, 1) ? vv_clock_counter() : vv_clock_other_ticks();
}

/// Sets the clock manually, at one tick per nanosecond; 0 makes it run by itself again.
void vv_clock_turn(uint64_t ticks);

/// Reads the counter and the monotonic clock together: the fastest of nine attempts.
void vv_clock_pair(uint64_t *ticks, uint64_t *monotonic);
