#include "varve_clock.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

uint64_t vv_clock_by_hand = 0;
bool vv_clock_counter_is_steady = false;

// Early, since a constructor of the recorder reads the clock.
__attribute__((constructor(101))) static void find_out_whether_the_counter_is_steady(void) {
#if defined(__x86_64__)
  // Intel's and AMD's manuals: CPUID 8000_0007h, EDX bit 8, "invariant TSC".
  unsigned a, b, c, d;
  vv_clock_counter_is_steady = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
#elif defined(__aarch64__)
  vv_clock_counter_is_steady = true;
#endif
}

void vv_clock_pair(uint64_t *ticks, uint64_t *monotonic) {
  uint64_t narrowest = UINT64_MAX;
  for (int try = 0; try < 9; try++) {
    uint64_t before = vv_clock_monotonic();
    uint64_t counter = vv_clock_counter();
    uint64_t after = vv_clock_monotonic();
    if (after - before < narrowest) {
      narrowest = after - before;
      *ticks = counter;
      *monotonic = before + narrowest / 2;
    }
  }
}
