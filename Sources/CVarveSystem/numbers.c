#include "varve_numbers.h"

// 4096 numbers a range: a new range every few hundred microseconds at the fastest.
enum { range_size = 4096 };

_Thread_local vv_number_range vv_edge_range;
static uint64_t first_unused_edge = 1;
static uint32_t first_unused_stream = 1;

uint64_t vv_edge_number_slowly(void) {
  uint64_t first = __atomic_fetch_add(&first_unused_edge, range_size, __ATOMIC_RELAXED);
  vv_edge_range.next = first + 1;
  vv_edge_range.end = first + range_size;
  return first;
}

uint32_t vv_stream_number(void) {
  uint32_t number;
  do number = __atomic_fetch_add(&first_unused_stream, 1, __ATOMIC_RELAXED);
  while (number == 0);
  return number;
}
