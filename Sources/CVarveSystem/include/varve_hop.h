#pragma once
// What scheduled work carries from the stack that scheduled it to the thread that runs it: its way
// back, a chain of nodes, one for each piece of work. The nodes are an asynchronous backtrace.
//
// A node never changes once others see it. It has an owner for each that holds it: scheduled work,
// the thread that runs it, and the nodes that point to it. Most work schedules nothing and asks for
// no backtrace: so the node of work that runs lies on the stack of the code that runs it, until it
// gets another owner, and work that waits needs no node at all.
#include "varve_stack.h"

/// Segments of a chain that are never cut. From twice as many on, the older ones go.
#define VV_HOP_CHAIN 32

typedef struct vv_hop {
  struct vv_hop *parent;      // owned: the work that this was scheduled by, or null
  uint64_t id;                // the work's
  uint32_t owners;            // 0 while it lies on a stack
  uint32_t stack;             // of the code that scheduled it, or 0
  uint32_t scheduler;         // that it was given to
  uint32_t repeats;           // so many times the same code had scheduled itself before
  uint32_t depth;             // nodes from here to the oldest, this one included
  uint32_t is_cut;            // older nodes were let go
  struct vv_hop *next_batch;  // of free nodes, while this is the first of a batch of them
} vv_hop;

/// Whether asynchronous backtraces are wanted while nothing is recorded.
extern uint32_t vv_capture;

static inline bool vv_capture_load(void) {
  return __atomic_load_n(&vv_capture, __ATOMIC_RELAXED) != 0;
}
static inline void vv_capture_store(bool wanted) {
  __atomic_store_n(&vv_capture, wanted, __ATOMIC_RELAXED);
}

/// One owner more.
static inline vv_hop *vv_hop_retain(vv_hop *hop) {
  if (hop) __atomic_add_fetch(&hop->owners, 1, __ATOMIC_RELAXED);
  return hop;
}

/// One owner less; the last to go frees the node, and what only it held.
void vv_hop_release(vv_hop *hop);

/// What a piece of work was scheduled during, as it carries that until it runs: 0 when no backtraces
/// are wanted; else a node that it owns, or an odd word: above the lowest bit the id of the work
/// that had no node, or 0.
typedef uint64_t vv_way;

static inline vv_hop *vv_way_node(vv_way way) {
  return way & 1 ? NULL : (vv_hop *)(uintptr_t)way;
}
static inline vv_way vv_way_of_node(vv_hop *owned) { return (vv_way)(uintptr_t)owned; }

/// The id of the work that it leads to, or 0.
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

/// The node of the work that runs on the calling thread, with one owner more; null when it has none,
/// or memory is short.
vv_hop *vv_hop_share(vv_thread *thread);

/// The way back of what the calling thread schedules now.
static inline vv_way vv_way_from_here(vv_thread *thread) {
  vv_hop *node = thread->running ? vv_hop_share(thread) : NULL;
  return node ? vv_way_of_node(node) : thread->hop << 1 | 1;
}

/// A node for work that was scheduled, with one owner; takes the ownership that `way` has. Null when
/// memory is short.
///
/// Work that schedules itself again from the same stack gets a node in the place of the one
/// before, so that a loop of it stays one segment, with a count.
vv_hop *vv_hop_make(vv_thread *thread, vv_way way, uint64_t id, uint32_t scheduler, uint32_t stack);

/// The calling thread begins to run work; takes the ownership that `way` has. The work's node is made
/// at `place`, which stays until `vv_hop_end`. Returns what ran before, for that.
vv_hop *vv_hop_begin(vv_thread *thread, vv_hop *place, vv_way way, uint64_t id, uint32_t scheduler,
                     uint32_t stack);

/// The work has returned.
void vv_hop_end(vv_thread *thread, vv_hop *before);

/// How many nodes there are, for tests and measurements; those that wait to be used again too.
uint64_t vv_hop_nodes(void);

/// Bytes that a node takes.
static inline uint64_t vv_hop_bytes(void) { return sizeof(vv_hop); }
