#pragma once
// The domains that are delivering on this thread: the innermost here, each knows the next outer.

extern _Thread_local const void *vv_delivery_innermost;

static inline const void *vv_delivery_current(void) { return vv_delivery_innermost; }
static inline void vv_delivery_set(const void *domain) { vv_delivery_innermost = domain; }

/// Put after a call, keeps the compiler from leaving the caller's frame before it: so that a walk of
/// the stack finds who called. It is no instruction.
static inline __attribute__((always_inline)) void vv_keep_frame(void) { __asm__ volatile(""); }
