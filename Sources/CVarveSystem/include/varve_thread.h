#pragma once
// The thread-local state: the writer, the stack's bounds, the current work and deliveries, and
// ranges of numbers.
#include "varve_ring.h"

struct vv_hop;
struct vv_task_state;

typedef enum vv_main_thread {
  vv_main_thread_unasked = 0,
  vv_main_thread_yes = 1,
  vv_main_thread_no = 2,
} vv_main_thread;

/// A range of numbers that a thread may assign without synchronization.
typedef struct vv_numbers {
  uint64_t next, end;
} vv_numbers;

/// The depth of nested deinitializers on a thread, and the releases deferred to the outermost one
/// (VarveReactive.DeepRelease).
typedef struct vv_release {
  uint32_t depth;
  void *queue;  // retained, or null
} vv_release;

/// The task that has stopped running on a thread, whose job may not have returned yet: what it wakes
/// until then, it wakes as itself (task_records.c).
typedef struct vv_task_after {
  uint64_t reference;  // the record of the run's end
  uint64_t hop;        // the run; 0 if there is none
  uint64_t number;     // the task
  uintptr_t frame;     // of the function that ran it
  uintptr_t caller;    // where that function returns to
  const struct vv_task_state *state;  // of the task, which may have ended: to be compared only
} vv_task_after;

typedef struct vv_thread {
  vv_writer writer;
  uintptr_t stack_low, stack_high;  // 0 until first needed; VV_NO_STACK if they cannot be found
  void *scheduler;                  // unretained; identity of the scheduler whose action runs here
  uint64_t hop;                     // id of the scheduled work that runs here, or 0
  void *waiting_for;                // the serializer that this thread waits to enter, or null
  const void *delivering;           // the innermost delivering serializer; refers to the next one
  void *template_scope;             // the current VarveReactive.TemplateScope, unretained
  uintptr_t template_frame;         // the frame in which it came into force
  vv_release release;
  vv_numbers hops;                  // ids for scheduled work
  vv_numbers subscriptions;         // numbers for subscriptions
  uint8_t main_thread;              // vv_main_thread
  uint8_t is_handing_over;          // work that already has a hop is being submitted to a queue
  uint8_t drains;                   // this is the drain thread
  uint8_t is_attributed;            // this thread works on behalf of another one
  uint8_t runs_tasks;               // the cached result for `known_function` (hop.c)
  uint8_t reads_itself;             // the library reads properties for its own purposes
  struct vv_hop *running;           // the node of the running work, or null
  struct vv_hop *free_hop;          // the free nodes of this thread
  uint32_t hops_free;               // the number of free nodes
  uint64_t behalf;                  // the record that caused the deferred action run here, or 0
  uint32_t author;                  // the stack of the code that left that action, or 0
  uint32_t bound;                   // the stream to which a binding is passing a value, or 0
  const void *known_function;       // the function that was last looked up (hop.c)
  void *signal_stack;               // the crash handler's stack (signal.c), or null
  struct vv_task_state *task;       // the followed task that runs here, or null
  uint64_t task_number;             // its number, or 0
  uintptr_t task_caller;            // where the function that runs it was, shortly before
  uintptr_t task_frame;             // the frame of that function, or 0
  vv_task_after task_after;
  struct vv_task_state *free_task;  // the free states of this thread
  uint32_t tasks_free;              // the number of free states
} vv_thread;

/// The value of both bounds of a stack that was not found: an empty range, so walks end at once.
#define VV_NO_STACK ((uintptr_t)16)

extern _Thread_local vv_thread vv_this_thread;

/// The calling thread's state. Its address is constant while the thread lives.
static inline vv_thread *vv_thread_current(void) { return &vv_this_thread; }

/// Looks up the thread's stack bounds; takes 0.1 ms on the main thread, 0.3 µs on others. If the
/// thread library does not know them, they are derived from the kernel's memory map.
void vv_thread_find_stack(vv_thread *thread);

/// Whether the thread's stack bounds were looked up and found.
static inline bool vv_thread_knows_stack(const vv_thread *thread) {
  return thread->stack_high > VV_NO_STACK;
}

/// The calling thread's state if the thread has recorded; null otherwise. For signal handlers: the
/// first access to the state may allocate if this library was loaded with a plug-in.
vv_thread *vv_thread_if_known(void);

/// Whether `address` is on the calling thread's stack.
static inline bool vv_thread_owns(uintptr_t address) {
  vv_thread *thread = vv_thread_current();
  if (__builtin_expect(thread->stack_high == 0, 0)) vv_thread_find_stack(thread);
  return address >= thread->stack_low && address < thread->stack_high;
}

/// An address in the caller's frame, aligned to 16. It identifies a serializer's owning thread, and
/// the position on its stack.
static inline __attribute__((always_inline)) uintptr_t vv_frame_address(void) {
  return (uintptr_t)__builtin_frame_address(0) & ~(uintptr_t)15;
}

/// Whether this is the main thread.
bool vv_thread_is_main(void);

/// Gives the thread a range of ids for scheduled work, to avoid contention for a counter.
void vv_hop_reserve(vv_thread *thread);

/// Returns a new id for scheduled work, from 1, unique in this process.
static inline uint64_t vv_hop_next(vv_thread *thread) {
  if (thread->hops.next == thread->hops.end) vv_hop_reserve(thread);
  return thread->hops.next++;
}

/// Gives the calling thread a new range, and returns its first number.
uint64_t vv_subscription_number_slowly(void);

/// Returns a new number for a subscription, from 1, unique in this process.
static inline uint64_t vv_subscription_number(void) {
  vv_numbers *range = &vv_this_thread.subscriptions;
  if (__builtin_expect(range->next == range->end, 0)) return vv_subscription_number_slowly();
  return range->next++;
}

/// Returns a new number for a stream, from 1. Wraps after 2³² − 1 streams.
uint32_t vv_stream_number(void);

/// The innermost serializer that is delivering on this thread. Each refers to the next outer one.
static inline const void *vv_delivery_current(void) { return vv_this_thread.delivering; }
static inline void vv_delivery_set(const void *serialiser) {
  vv_this_thread.delivering = serialiser;
}

static inline void *vv_template_scope_current(void) { return vv_this_thread.template_scope; }
static inline uintptr_t vv_template_frame(void) { return vv_this_thread.template_frame; }
/// Puts a scope into force, or back into force; `frame` is that in which it came into force, or 0 for
/// the calling one.
static inline void vv_template_scope_set(void *scope, uintptr_t frame) {
  vv_this_thread.template_scope = scope;
  vv_this_thread.template_frame = frame ? frame : (uintptr_t)__builtin_frame_address(0);
}

static inline vv_release *vv_release_state(void) { return &vv_this_thread.release; }

/// Keeps the compiler from turning the preceding call into a tail call, so that a walk of the stack
/// finds the caller. Generates no instruction.
static inline __attribute__((always_inline)) void vv_keep_frame(void) { __asm__ volatile(""); }

/// Makes the calling thread call the registered functions when it ends.
void vv_thread_watch_end(void);

/// Registers a function that threads call at their end if they have called `vv_thread_watch_end`.
/// For a few source files, each of which registers one function, before `main`.
void vv_thread_at_end(void (*leave)(vv_thread *thread));

/// The system's id for the calling thread.
uint64_t vv_thread_system_id(void);

/// Stores the calling thread's name, truncated to fit and zero-terminated; empty if it has none.
void vv_thread_name(char *name, size_t size);

/// Sets the calling thread's name.
void vv_thread_set_name(const char *name);

/// The CPU time that the calling thread has used, in nanoseconds.
uint64_t vv_thread_cpu_time(void);
