#pragma once
// The domains that are delivering on this thread: the innermost here, each knows the next outer.

extern _Thread_local const void *vv_delivery_innermost;

static inline const void *vv_delivery_current(void) { return vv_delivery_innermost; }
static inline void vv_delivery_set(const void *domain) { vv_delivery_innermost = domain; }
