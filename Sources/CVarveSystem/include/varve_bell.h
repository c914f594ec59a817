#pragma once
// Something that one thread waits for and others ring. Strokes that come before the waiter listens
// are not lost, and several strokes are heard as one.
#include <stdbool.h>
#include <stdint.h>
#if !defined(__linux__)
#include <pthread.h>
#endif

typedef struct vv_bell {
  uint32_t pending;  // rung, and not heard yet
#if !defined(__linux__)
  pthread_mutex_t mutex;
  pthread_cond_t struck;
#endif
} vv_bell;

void vv_bell_make(vv_bell *bell);
void vv_bell_destroy(vv_bell *bell);

/// Wakes whoever waits. Costs one exchange while nobody has heard the stroke before.
void vv_bell_ring(vv_bell *bell);

/// The same in a signal handler: where the system offers nothing that may be done there, the stroke
/// is heard when the waiter's time is up.
void vv_bell_ring_from_handler(vv_bell *bell);

/// Waits for a stroke, at most so long; returns whether there was one. What the ringer had written
/// before is visible then.
bool vv_bell_wait(vv_bell *bell, uint64_t nanoseconds);

/// Waits without end.
#define VV_FOREVER UINT64_MAX
