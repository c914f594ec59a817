#pragma once
// Numbers that are unique in the process and cost nothing to take: each thread draws from a range
// of its own, and only a new range touches memory that is shared.
#include <stdint.h>

typedef struct vv_number_range {
  uint64_t next, end;
} vv_number_range;

extern _Thread_local vv_number_range vv_edge_range;

/// Fetches a new range and returns its first number.
uint64_t vv_edge_number_slowly(void);

/// A number for an edge, from 1; never 0, never the same twice.
static inline uint64_t vv_edge_number(void) {
  vv_number_range *range = &vv_edge_range;
  if (__builtin_expect(range->next == range->end, 0)) return vv_edge_number_slowly();
  return range->next++;
}

/// A number for a stream, from 1. Wraps after four thousand million streams.
uint32_t vv_stream_number(void);
