#pragma once
// How deep the calling thread is in deinitialisers that release one another, and what it has put
// aside for the outermost of them (VarveReactive.DeepRelease).
#include <stdint.h>

typedef struct vv_release {
  uint32_t depth;
  void *_Nullable queue;  // retained, or null
} vv_release;

extern _Thread_local vv_release vv_this_release;

static inline vv_release *_Nonnull vv_release_state(void) { return &vv_this_release; }
