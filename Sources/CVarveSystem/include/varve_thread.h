#pragma once
// What every thread carries: its writer, its stack's bounds, the work it runs.
#include <sched.h>
#include "varve_ring.h"

struct vv_hop;

typedef enum vv_main_thread {
  vv_main_thread_unasked = 0,
  vv_main_thread_yes = 1,
  vv_main_thread_no = 2,
} vv_main_thread;

typedef struct vv_thread {
  vv_writer writer;
  uintptr_t stack_low, stack_high;  // 0 until asked for; VV_NO_STACK when nobody can tell
  void *scheduler;                  // unretained; identity of the scheduler whose action runs here
  uint64_t hop;                     // id of the scheduled work that runs here, else 0
  void *waiting_for;                // the domain this thread waits to enter, else null
  uint64_t hop_next, hop_end;       // ids for scheduled work that are this thread's to give
  uint8_t main_thread;              // vv_main_thread
  uint8_t is_handing_over;          // work that has a hop of its own is being given to a queue
  uint8_t drains;                   // this is the drain thread
  uint8_t is_attributed;            // what is done here, somebody else wanted
  struct vv_hop *running;           // how the work came here that runs, else null
  struct vv_hop *free_hop;          // nodes that this thread may use
  uint32_t hops_free;               // how many
  uint64_t behalf;                  // the other thread's record that caused the errand done here, or 0
} vv_thread;

/// Both bounds of a stack that could not be found: nothing lies between them, and no walk goes there.
#define VV_NO_STACK ((uintptr_t)16)

extern _Thread_local vv_thread vv_this_thread;

/// This thread's slot. Stays at one address while the thread lives.
static inline vv_thread *vv_thread_current(void) { return &vv_this_thread; }

/// Fetches the thread's stack bounds once; costs 0.1 ms on the main thread, 0.3 µs elsewhere. Where the
/// thread library does not know them, what the kernel says of the memory decides.
void vv_thread_find_stack(vv_thread *thread);

/// Whether the thread's bounds were asked for and found.
static inline bool vv_thread_knows_stack(const vv_thread *thread) {
  return thread->stack_high > VV_NO_STACK;
}

/// The slot of the calling thread if the thread has recorded, else null. For handlers of signals: the
/// first touch of a slot may allocate, where this library came with a plug-in.
vv_thread *vv_thread_if_known(void);

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

/// Whether this is the thread that the process began with.
bool vv_thread_is_main(void);

/// Gives the thread a range of ids for scheduled work, so that threads do not fight for a counter.
void vv_hop_reserve(vv_thread *thread);

/// An id for scheduled work, from 1, that no other work of this process has.
static inline uint64_t vv_hop_next(vv_thread *thread) {
  if (thread->hop_next == thread->hop_end) vv_hop_reserve(thread);
  return thread->hop_next++;
}

/// The system's id of the calling thread.
uint64_t vv_thread_system_id(void);

typedef enum vv_whereabouts {
  vv_whereabouts_unknown = 0,  // it is running, or the system does not tell
  vv_whereabouts_known = 1,
  vv_whereabouts_gone = 2,  // the thread has ended
} vv_whereabouts;

/// Finds the stack pointer of another thread of the process, by its system's id, while it sleeps.
vv_whereabouts vv_thread_find_stack_pointer(uint64_t id, uintptr_t *stack_pointer);

/// The calling thread's name, cut to fit and zero-terminated; empty when it has none.
void vv_thread_name(char *name, size_t size);

/// Names the calling thread.
void vv_thread_set_name(const char *name);

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

/// One turn of a loop that waits for another thread to take a step of a few instructions. Who is to
/// take it may have lost its processor to those who wait: now and then it is let go first.
static inline void vv_wait_a_turn(uint32_t *turns) {
  if (++*turns % 64) vv_pause();
  else sched_yield();
}
