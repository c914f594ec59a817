#pragma once
// What every thread carries: its writer, its stack's bounds, the work it runs.
#include "varve_ring.h"

typedef struct vv_thread {
  vv_writer writer;
  uintptr_t stack_low, stack_high;  // 0 until asked for
  void *scheduler;                  // unretained; the scheduler whose action runs here
  uint64_t hop;                     // id of the scheduled work that runs here, else 0
  void *waiting_for;                // the domain this thread waits to enter, else null
} vv_thread;

extern _Thread_local vv_thread vv_this_thread;

/// This thread's slot. Stays at one address while the thread lives.
static inline vv_thread *vv_thread_current(void) { return &vv_this_thread; }

/// Fetches the thread's stack bounds once; costs 0.1 ms on the main thread, 0.3 µs elsewhere.
void vv_thread_find_stack(vv_thread *thread);

/// Whether `address` lies on the calling thread's stack.
static inline bool vv_thread_owns(uintptr_t address) {
  vv_thread *thread = vv_thread_current();
  if (__builtin_expect(thread->stack_high == 0, 0)) vv_thread_find_stack(thread);
  return address >= thread->stack_low && address < thread->stack_high;
}

/// An address in the caller's frame, aligned to 16: who owns a domain, and where on its stack.
static inline __attribute__((always_inline)) uintptr_t vv_frame_address(void) {
  return (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)15;
}

/// The system's id of the calling thread.
uint64_t vv_thread_system_id(void);

/// CPU time that the calling thread has used, in nanoseconds.
uint64_t vv_thread_cpu_time(void);

/// Tells the processor that this is a loop that waits.
static inline void vv_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
