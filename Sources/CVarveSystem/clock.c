#include "varve_clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

// The counter is not used until it is known to be steady.
uint32_t vv_clock_is_other = 1;

static bool counter_is_steady = false;
/// The manually set time; 0 if the clock is not set manually.
static uint64_t by_hand = 0;

// Runs early because a constructor of the recorder reads the clock.
__attribute__((constructor(101))) static void find_out_whether_the_counter_is_steady(void) {
#if defined(__x86_64__)
  // Intel's and AMD's manuals: CPUID 8000_0007h, EDX bit 8, "invariant TSC".
  unsigned a, b, c, d;
  counter_is_steady = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
#elif defined(__aarch64__)
  counter_is_steady = true;
#endif
  vv_clock_is_other = !counter_is_steady;
}

bool vv_clock_is_steady(void) { return counter_is_steady; }

/// The clock's own time.
static uint64_t machine_ticks(void) {
  return counter_is_steady ? vv_clock_counter() : vv_clock_monotonic();
}

VV_SELDOM uint64_t vv_clock_other_ticks(void) {
  uint64_t ticks = __atomic_load_n(&by_hand, __ATOMIC_RELAXED);
  return ticks ? ticks : machine_ticks();
}

void vv_clock_turn(uint64_t ticks) {
  __atomic_store_n(&by_hand, ticks, __ATOMIC_RELAXED);
  __atomic_store_n(&vv_clock_is_other, ticks != 0 || !counter_is_steady, __ATOMIC_RELAXED);
}

void vv_clock_pair(uint64_t *ticks, uint64_t *monotonic) {
  uint64_t narrowest = UINT64_MAX;
  for (int try = 0; try < 9; try++) {
    uint64_t before = vv_clock_monotonic();
    uint64_t counter = machine_ticks();
    uint64_t after = vv_clock_monotonic();
    if (after - before < narrowest) {
      narrowest = after - before;
      *ticks = counter;
      *monotonic = before + narrowest / 2;
    }
  }
}
