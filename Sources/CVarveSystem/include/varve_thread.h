#pragma once
// The one record that every thread has: its writer, its stack's bounds, the work and the deliveries it
// is in, and the numbers that are its to give.
#include "varve_ring.h"

struct vv_hop;

typedef enum vv_main_thread {
  vv_main_thread_unasked = 0,
  vv_main_thread_yes = 1,
  vv_main_thread_no = 2,
} vv_main_thread;

/// Numbers that a thread may give away without asking others.
typedef struct vv_numbers {
  uint64_t next, end;
} vv_numbers;

/// How deep a thread is in deinitialisers that release one another, and what it has put aside for the
/// outermost of them (VarveReactive.DeepRelease).
typedef struct vv_release {
  uint32_t depth;
  void *queue;  // retained, or null
} vv_release;

typedef struct vv_thread {
  vv_writer writer;
  uintptr_t stack_low, stack_high;  // 0 until asked for; VV_NO_STACK when that is not known
  void *scheduler;                  // unretained; identity of the scheduler whose action runs here
  uint64_t hop;                     // id of the scheduled work that runs here, else 0
  void *waiting_for;                // the serialiser that this thread waits to enter, else null
  const void *delivering;           // the innermost serialiser that delivers here; it knows the next
  void *template_scope;             // that is in force (VarveReactive.TemplateScope), unretained
  vv_release release;
  vv_numbers hops;                  // ids for scheduled work
  vv_numbers edges;                 // numbers of subscriptions
  uint8_t main_thread;              // vv_main_thread
  uint8_t is_handing_over;          // work that has a hop of its own is being given to a queue
  uint8_t drains;                   // this is the drain thread
  uint8_t is_attributed;            // what is done here, another thread wanted
  uint8_t runs_tasks;               // whether `known_function` does (hop.c)
  struct vv_hop *running;           // how the work came here that runs, else null
  struct vv_hop *free_hop;          // nodes that this thread may use
  uint32_t hops_free;               // how many
  uint64_t behalf;                  // the record that caused the deferred action run here, or 0
  const void *known_function;       // the last that was looked up (hop.c)
  void *signal_stack;               // that the handler of crashes runs on (signal.c), or null
} vv_thread;

/// Both bounds of a stack that could not be found: nothing lies between them, and no walk goes there.
#define VV_NO_STACK ((uintptr_t)16)

extern _Thread_local vv_thread vv_this_thread;

/// This thread's slot. Stays at one address while the thread lives.
static inline vv_thread *vv_thread_current(void) { return &vv_this_thread; }

/// Fetches the thread's stack bounds once; costs 0.1 ms on the main thread, 0.3 µs elsewhere. Where the
/// thread library does not know them, the kernel's word on the memory decides.
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

/// An address in the caller's frame, aligned to 16: says which thread owns a serialiser, and where on
/// its stack.
static inline __attribute__((always_inline)) uintptr_t vv_frame_address(void) {
  return (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)15;
}

/// Whether this is the thread that the process began with.
bool vv_thread_is_main(void);

/// Gives the thread a range of ids for scheduled work, so that threads do not fight for a counter.
void vv_hop_reserve(vv_thread *thread);

/// An id for scheduled work, from 1, that no other work of this process has.
static inline uint64_t vv_hop_next(vv_thread *thread) {
  if (thread->hops.next == thread->hops.end) vv_hop_reserve(thread);
  return thread->hops.next++;
}

/// Gives the calling thread a new range, and returns the first number of it.
uint64_t vv_edge_number_slowly(void);

/// A number for a subscription, from 1; never 0, never the same twice in this process.
static inline uint64_t vv_edge_number(void) {
  vv_numbers *range = &vv_this_thread.edges;
  if (__builtin_expect(range->next == range->end, 0)) return vv_edge_number_slowly();
  return range->next++;
}

/// A number for a stream, from 1. Wraps after four thousand million streams.
uint32_t vv_stream_number(void);

/// The serialisers that deliver on this thread: the innermost here, each knows the next outer.
static inline const void *vv_delivery_current(void) { return vv_this_thread.delivering; }
static inline void vv_delivery_set(const void *serialiser) {
  vv_this_thread.delivering = serialiser;
}

static inline void *vv_template_scope_current(void) { return vv_this_thread.template_scope; }
static inline void vv_template_scope_set(void *scope) { vv_this_thread.template_scope = scope; }

static inline vv_release *vv_release_state(void) { return &vv_this_thread.release; }

/// Put after a call, keeps the compiler from leaving the caller's frame before it: so that a walk of
/// the stack finds the caller. It is no instruction.
static inline __attribute__((always_inline)) void vv_keep_frame(void) { __asm__ volatile(""); }

/// Has the calling thread, when it ends, call what subjects have asked for.
void vv_thread_watch_end(void);

/// Has threads call this at their end, if they have called `vv_thread_watch_end`. For a few subjects,
/// each of which asks once, before `main`.
void vv_thread_at_end(void (*leave)(vv_thread *thread));

/// The system's id of the calling thread.
uint64_t vv_thread_system_id(void);

/// The calling thread's name, cut to fit and zero-terminated; empty when it has none.
void vv_thread_name(char *name, size_t size);

/// Names the calling thread.
void vv_thread_set_name(const char *name);

/// CPU time that the calling thread has used, in nanoseconds.
uint64_t vv_thread_cpu_time(void);
