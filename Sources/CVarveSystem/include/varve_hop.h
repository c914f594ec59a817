#pragma once
// Asynchronous backtraces. Scheduled work carries its way back from the stack that scheduled it to
// the thread that runs it: a chain of nodes, one for each piece of work.
//
// A node never changes once it is shared. It is reference-counted; its owners are scheduled work,
// the thread that runs the work, and the nodes that point to it. Most work schedules nothing and
// takes no backtrace, so the node of running work is on the stack of the code that runs it until it
// gets another owner, and waiting work needs no node of its own.
#include "varve_stack.h"

/// The number of newest segments of a chain that are always kept. A chain of twice as many is cut.
#define VV_HOP_CHAIN 32

typedef struct vv_hop {
  struct vv_hop *parent;      // owned: the work that scheduled this work, or null
  uint64_t id;                // the id of the work
  uint32_t owners;            // 0 while the node is on a stack
  uint32_t stack;             // the stack of the code that scheduled the work, or 0
  uint32_t scheduler;         // the scheduler of the work
  uint32_t repeats;           // how often the same code had scheduled itself before
  uint32_t depth;             // the number of nodes from the oldest to this one
  uint32_t is_cut;            // older nodes were released
  struct vv_hop *next_batch;  // the next batch of free nodes, if this is the first of a batch
} vv_hop;

/// Whether asynchronous backtraces are also kept while nothing is recorded.
extern uint32_t vv_capture;

static inline bool vv_capture_load(void) {
  return __atomic_load_n(&vv_capture, __ATOMIC_RELAXED) != 0;
}
static inline void vv_capture_store(bool wanted) {
  __atomic_store_n(&vv_capture, wanted, __ATOMIC_RELAXED);
}

/// Adds an owner.
static inline vv_hop *vv_hop_retain(vv_hop *hop) {
  if (hop) __atomic_add_fetch(&hop->owners, 1, __ATOMIC_RELAXED);
  return hop;
}

/// Removes an owner. The last one frees the node, and the parents that only it owned.
void vv_hop_release(vv_hop *hop);

/// What scheduled a piece of work, carried by the work until it runs: 0 if no backtraces are kept;
/// otherwise an owned node of the work that scheduled it, or, if that had no node, an odd word with
/// the id of that work (or 0) above the lowest bit.
typedef uint64_t vv_way;

static inline vv_hop *vv_way_node(vv_way way) {
  return way & 1 ? NULL : (vv_hop *)(uintptr_t)way;
}
static inline vv_way vv_way_of_node(vv_hop *owned) { return (vv_way)(uintptr_t)owned; }

/// The id of the work that `way` leads to, or 0.
static inline uint64_t vv_way_id(vv_way way) {
  vv_hop *node = vv_way_node(way);
  return node ? node->id : way >> 1;
}

static inline vv_way vv_way_retain(vv_way way) {
  vv_hop_retain(vv_way_node(way));
  return way;
}
static inline void vv_way_release(vv_way way) {
  if (vv_way_node(way)) vv_hop_release(vv_way_node(way));
}

/// Returns the node of the work that runs on the calling thread, with an added owner; null if the
/// work has none, or if there is no memory.
vv_hop *vv_hop_share(vv_thread *thread);

/// Returns the way back for work that the calling thread schedules now.
static inline vv_way vv_way_from_here(vv_thread *thread) {
  vv_hop *node = thread->running ? vv_hop_share(thread) : NULL;
  return node ? vv_way_of_node(node) : thread->hop << 1 | 1;
}

/// Creates a node for scheduled work, with one owner; null if there is no memory. Consumes `way`.
///
/// If work schedules itself again from the same stack, the new node replaces the previous one, so
/// that a loop stays one segment, with a count.
vv_hop *vv_hop_make(vv_thread *thread, vv_way way, uint64_t id, uint32_t scheduler, uint32_t stack);

/// Notes that the calling thread begins to run work; consumes `way`. The work's node is created in
/// `place`, which must remain valid until `vv_hop_end`. Returns the node that was running before,
/// to be passed to `vv_hop_end`.
vv_hop *vv_hop_begin(vv_thread *thread, vv_hop *place, vv_way way, uint64_t id, uint32_t scheduler,
                     uint32_t stack);

/// Notes that the work has returned.
void vv_hop_end(vv_thread *thread, vv_hop *before);

/// The number of allocated nodes, including free ones, for tests and measurements.
uint64_t vv_hop_nodes(void);

/// The size of a node, in bytes.
static inline uint64_t vv_hop_bytes(void) { return sizeof(vv_hop); }
