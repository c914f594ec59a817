#pragma once
// The stack of a thread that is sampled: found by frame pointers, and where the C library has none, by
// what lies on the stack.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How far from the top of a stack frames are looked for, and how much of it is copied, in bytes.
enum { vv_sampled_stack_bytes = 64 << 10 };

/// A thread that does not run, or in its own signal handler: its registers, and its stack.
typedef struct vv_stopped {
  uintptr_t counter, stack, frame;  // `frame` may hold anything
  uintptr_t end;                    // the frame of what runs the work, or 0
  const uint8_t *bytes;             // the stack's, from `stack` on
  size_t count;
  bool may_lock;  // whether it is looked at from another thread
} vv_stopped;

/// Notes where the modules of the program are. It may take locks.
void vv_sampled_stack_find_modules(void);

/// Walks a thread's stack up to what runs the work; returns the number of addresses, at most
/// `VV_STACK_FRAMES`. Safe in a signal handler, unless the thread may lock.
uint32_t vv_sampled_stack(const vv_stopped *thread, uintptr_t *addresses);
