#pragma once
// The recorder's clock: the processor's own counter where it is steady, because reading it is the
// whole floor of a record's cost (rdtsc 9 ns, clock_gettime 20 ns).
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/// Non-zero while somebody turns the clock by hand (a virtual clock in a test or a demo): then
/// records bear this number of ticks, one a nanosecond.
extern uint64_t vv_clock_by_hand;

/// Whether the counter runs at one rate through sleep and frequency changes. Where it does not,
/// `vv_clock_ticks` reads the monotonic clock in nanoseconds instead.
extern bool vv_clock_counter_is_steady;

static inline bool vv_clock_is_steady(void) { return vv_clock_counter_is_steady; }

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

/// The processor's counter, or the monotonic clock where there is none to rely on.
static inline uint64_t vv_clock_counter(void) {
#if defined(__x86_64__)
  if (__builtin_expect(vv_clock_counter_is_steady, 1)) return __builtin_ia32_rdtsc();
  return vv_clock_monotonic();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return vv_clock_monotonic();
#endif
}

/// The time a record bears, in ticks.
static inline uint64_t vv_clock_ticks(void) {
  uint64_t by_hand = __atomic_load_n(&vv_clock_by_hand, __ATOMIC_RELAXED);
  return __builtin_expect(by_hand == 0, 1) ? vv_clock_counter() : by_hand;
}

/// Turns the clock by hand from now on; 0 gives it back to the processor.
static inline void vv_clock_turn(uint64_t ticks) {
  __atomic_store_n(&vv_clock_by_hand, ticks, __ATOMIC_RELAXED);
}

/// Reads counter and monotonic clock together: of nine tries the one that took least time.
void vv_clock_pair(uint64_t *ticks, uint64_t *monotonic);
